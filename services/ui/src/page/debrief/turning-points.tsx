import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { lineLabel } from '../messages/line-names';
import { variableName } from '../messages/name-of';

interface TurningPointsProps {
  readonly points: Debrief['turning_points'];
  readonly onShow: (turn: number) => void;
}

/** The turns at which the talk took a turn; each is a button to the words that did it. */
export function TurningPoints({ points, onShow }: TurningPointsProps) {
  const messages = useMessages();
  const { debrief } = messages;
  const byTurn = Map.groupBy(points, (point) => point.turn);
  return (
    <section>
      <h2>{debrief.evidence}</h2>
      {points.length === 0 && <p className="reading">{debrief.noEvidence}</p>}
      <ol className="points">
        {[...byTurn].map(([turn, ofTurn]) => (
          <li key={turn}>
            <button type="button" className="button button-quiet" onClick={() => onShow(turn)}>
              {lineLabel(messages, turn)}
            </button>
            <div>
              {ofTurn.map((point) => (
                <p className="reading" key={`${point.kind} ${point.description}`} dir="auto">
                  {point.description}
                </p>
              ))}
              {/* A change of state is described by its numbers; anything else gets them beside it. */}
              {ofTurn.every((point) => point.kind !== 'state_change') && (
                <p className="small muted">
                  {Object.entries(ofTurn[0]?.deltas ?? {})
                    .map(
                      ([name, delta]) => `${variableName(messages, name)} ${delta > 0 ? '▲' : '▼'}${Math.abs(delta)}`,
                    )
                    .join(' · ')}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
