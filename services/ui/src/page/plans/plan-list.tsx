import { useRef } from 'react';
import { useMessages } from '../messages/use-messages';
import { useSay } from '../shell/status';
import { TAKES_FOCUS, useFocusAfterRemoval } from '../shell/use-focus-after-removal';
import { isToAsk, plans, type Plan } from './plan-memory';
import { PlanWords } from './plan-words';
import { usePlans } from './use-plans';
import './plans.css';

/** The plans of this browser. A week after it was made each is asked about, once. */
export function PlanList() {
  const { plans: words } = useMessages();
  const all = usePlans();
  const { list, expectRemoval } = useFocusAfterRemoval<HTMLUListElement>(all.map(({ sessionId }) => sessionId));
  if (all.length === 0) return null;
  return (
    <section className="plan-list">
      <h2 className="label">{words.listTitle}</h2>
      <ul ref={list}>
        {all.map((plan) => (
          <li key={plan.sessionId} {...TAKES_FOCUS}>
            <PlanWords plan={plan} />
            <PlanQuestion plan={plan} onRemove={() => expectRemoval(plan.sessionId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlanQuestion({ plan, onRemove }: { plan: Plan; onRemove: () => void }) {
  const { plans: words } = useMessages();
  const say = useSay();
  const row = useRef<HTMLDivElement>(null);
  const answer = (told: string, act: (id: string) => void, removes: boolean) => () => {
    if (removes) onRemove();
    act(plan.sessionId);
    say(told);
    // The question goes with its buttons, and the plan stays.
    if (!removes) row.current?.closest<HTMLElement>('li')?.focus();
  };
  const buttons = [
    ...(isToAsk(plan, Date.now())
      ? [
          { text: words.yes, onClick: answer(words.said, plans.forget, true) },
          { text: words.notYet, onClick: answer(words.keptOn, plans.markAsked, false) },
        ]
      : []),
    { text: words.forget, onClick: answer(words.forgotten, plans.forget, true) },
  ];
  return (
    <div ref={row} className="actions" role="group" aria-label={words.aboutPlan(plan.title)}>
      {buttons.length > 1 && <p>{words.question}</p>}
      {buttons.map(({ text, onClick }) => (
        <button key={text} type="button" className="button button-quiet" onClick={onClick}>
          {text}
        </button>
      ))}
    </div>
  );
}
