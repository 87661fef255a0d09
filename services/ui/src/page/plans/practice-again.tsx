import { useState } from 'react';
import { Link } from 'wouter';
import type { Progress } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { useProgress } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { dismissed } from './dismissed';
import './plans.css';

type Suggestion = Progress['suggestions'][number];

const DAY_MS = 24 * 60 * 60 * 1000;
const keyOf = ({ scenario_id: id, not_before: day }: Suggestion): string => `${id} ${day}`;

/** The briefing with what is suggested chosen already. */
function addressOf({ scenario_id: id, difficulty, focus_dimension: focus }: Suggestion): string {
  const chosen = new URLSearchParams({ difficulty, ...(focus === null ? {} : { focus }) });
  return `${pagePath('briefing', id)}?${chosen}`;
}

/** What was dismissed goes, with the button that had the focus. */
const focusHeading = (): void => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

/** Suggestions of the service that were not dismissed in this browser, and how to dismiss one. */
function useSuggestions(): { suggestions: readonly Suggestion[]; dismiss: (one: Suggestion) => void } {
  const { data } = useProgress();
  const [gone, setGone] = useState<readonly string[]>([]);
  const isWanted = (key: string): boolean => !gone.includes(key) && !dismissed.has(key);
  return {
    suggestions: (data?.suggestions ?? []).filter((one) => isWanted(keyOf(one))),
    dismiss: (one) => {
      dismissed.add(keyOf(one));
      setGone((keys) => [...keys, keyOf(one)]);
    },
  };
}

interface AfterLetterProps {
  readonly scenarioId: string;
  readonly npcName: string;
  readonly dimensions: readonly { readonly id: string; readonly name: string }[];
}

/** At the foot of the letter: when to play this again, how hard, and with which focus. */
export function AgainAfterLetter({ scenarioId, npcName, dimensions }: AfterLetterProps) {
  const { again: words, difficulty } = useMessages();
  const { suggestions, dismiss } = useSuggestions();
  const one = suggestions.find(({ scenario_id: id }) => id === scenarioId);
  if (one === undefined) return null;
  const days = Math.max(0, Math.ceil((Date.parse(one.not_before) - Date.now()) / DAY_MS));
  const focus = dimensions.find(({ id }) => id === one.focus_dimension)?.name ?? null;
  return (
    <section className="practice-again">
      <h2>{words.title}</h2>
      <p className="reading">{words.later(npcName, days, difficulty[one.difficulty], focus)}</p>
      <p className="small muted">{words.why}</p>
      <div className="actions">
        <button
          type="button"
          className="button button-quiet"
          onClick={() => {
            dismiss(one);
            focusHeading();
          }}
        >
          {words.dismiss}
        </button>
      </div>
    </section>
  );
}

interface DueProps {
  readonly scenarios: readonly { readonly id: string; readonly npc: { readonly name: string } }[];
}

/** In the library: what is due by now. */
export function DueAgain({ scenarios }: DueProps) {
  const { again: words, difficulty } = useMessages();
  const { suggestions, dismiss } = useSuggestions();
  const due = suggestions.flatMap((one) => {
    const npcName = scenarios.find(({ id }) => id === one.scenario_id)?.npc.name;
    return npcName !== undefined && Date.parse(one.not_before) <= Date.now() ? [{ one, npcName }] : [];
  });
  if (due.length === 0) return null;
  return (
    <section className="practice-again">
      <h2 className="label">{words.dueTitle}</h2>
      <ul>
        {due.map(({ one, npcName }) => (
          <li key={keyOf(one)}>
            <div className="actions">
              <Link href={addressOf(one)}>{words.due(npcName, difficulty[one.difficulty])}</Link>
              <button
                type="button"
                className="button button-quiet"
                aria-label={words.dismissOf(npcName)}
                onClick={() => {
                  dismiss(one);
                  focusHeading();
                }}
              >
                {words.dismiss}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
