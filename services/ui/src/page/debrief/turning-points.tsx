import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { variableName } from '../messages/name-of';

interface TurningPointsProps {
  readonly points: Debrief['turning_points'];
  readonly onShow: (turn: number) => void;
}

/** The turns at which the talk took a turn; each is a button to the words that did it. */
export function TurningPoints({ points, onShow }: TurningPointsProps) {
  const messages = useMessages();
  const { debrief } = messages;
  return (
    <section>
      <h2>{debrief.evidence}</h2>
      {points.length === 0 && <p className="reading">{debrief.noEvidence}</p>}
      <ol className="points">
        {points.map((point) => (
          <li key={`${point.turn} ${point.kind} ${point.description}`}>
            <button type="button" className="button button-quiet" onClick={() => onShow(point.turn)}>
              {debrief.toTurn(point.turn)}
            </button>
            <div>
              <p className="reading">{point.description}</p>
              <p className="small muted">
                {Object.entries(point.deltas)
                  .map(([name, delta]) => `${variableName(messages, name)} ${delta > 0 ? '▲' : '▼'}${Math.abs(delta)}`)
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
