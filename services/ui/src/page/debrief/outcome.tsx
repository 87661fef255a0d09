import type { Debrief } from '@parley/shared/contracts';
import { lineLabel } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';

interface OutcomeProps {
  readonly outcome: NonNullable<Debrief['outcome']>;
  /** Shows the turn in the transcript. */
  readonly onShow: (turn: number) => void;
}

/** What was agreed, by when and for how much: the author's words, and the player's own that brought it about. */
export function Outcome({ outcome, onShow }: OutcomeProps) {
  const messages = useMessages();
  if (outcome.length === 0) return null;
  return (
    <section>
      <h2>{messages.judging.outcome}</h2>
      <ul className="left-undone">
        {outcome.map(({ text, turn, said }) => (
          <li key={text}>
            <p className="reading" dir="auto">
              {text}
            </p>
            {turn !== null && (
              <p className="outcome-words">
                <button type="button" className="button button-quiet" onClick={() => onShow(turn)}>
                  {lineLabel(messages, turn)}
                </button>
                {said !== null && <q dir="auto">{said}</q>}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
