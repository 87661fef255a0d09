import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react';
import { useMessages } from '../messages/use-messages';
import { useSay } from '../shell/status';
import { plans } from './plan-memory';
import { PlanWords } from './plan-words';
import { usePlans } from './use-plans';
import './plans.css';

/** As long as a plan may be in each half, in characters. */
const MAX_LENGTH = 300;

/** One plan for the real talk, at the end of the letter. */
export function PlanForm({ sessionId, title }: { sessionId: string; title: string }) {
  const { plans: words } = useMessages();
  const say = useSay();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const kept = usePlans().find((plan) => plan.sessionId === sessionId);
  const [isChanging, setChanging] = useState(false);
  const [when, setWhen] = useState('');
  const [line, setLine] = useState('');
  const [refusal, setRefusal] = useState('');

  useEffect(() => {
    if (isChanging) first.current?.focus();
  }, [isChanging]);

  const keep = (event: SyntheticEvent) => {
    event.preventDefault();
    if (when.trim() === '' || line.trim() === '') {
      setRefusal(words.bothNeeded);
      say(words.bothNeeded);
      return;
    }
    plans.keep({ sessionId, title, when: when.trim(), say: line.trim(), madeAt: Date.now(), asked: false });
    setChanging(false);
    setRefusal('');
    say(words.kept);
    heading.current?.focus({ preventScroll: true });
  };
  const change = () => {
    setWhen(kept?.when ?? '');
    setLine(kept?.say ?? '');
    setChanging(true);
  };
  const forget = () => {
    plans.forget(sessionId);
    say(words.forgotten);
    heading.current?.focus({ preventScroll: true });
  };
  return (
    <section className="plan-section">
      <h2 ref={heading} tabIndex={-1}>
        {words.title}
      </h2>
      {kept !== undefined && !isChanging ? (
        <>
          <PlanWords plan={kept} />
          <div className="actions">
            <button type="button" className="button button-quiet" onClick={change}>
              {words.change}
            </button>
            <button type="button" className="button button-quiet" onClick={forget}>
              {words.forget}
            </button>
          </div>
        </>
      ) : (
        <form className="plan-form" onSubmit={keep} aria-describedby={`${id}-hint`}>
          <p className="small muted" id={`${id}-hint`}>
            {words.hint}
          </p>
          <label className="field">
            <span>{words.when}</span>
            <input
              ref={first}
              className="input"
              dir="auto"
              maxLength={MAX_LENGTH}
              placeholder={words.whenExample}
              value={when}
              onChange={(event) => setWhen(event.target.value)}
            />
          </label>
          <label className="field">
            <span>{words.say}</span>
            <input
              className="input"
              dir="auto"
              maxLength={MAX_LENGTH}
              value={line}
              onChange={(event) => setLine(event.target.value)}
            />
          </label>
          {refusal !== '' && <p>{refusal}</p>}
          <div className="actions">
            <button type="submit" className="button">
              {words.keep}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}
