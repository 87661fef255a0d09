import type { Progress } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

interface ScoreDotsProps {
  readonly name: string;
  readonly points: Progress['dimensions'][number]['points'];
}

/** Points that fit side by side; older ones are left out of the picture, not out of the tables. */
const SHOWN = 24;
const STEP = 18;
const HEIGHT = 64;
const EDGE = 8;

/** One dimension over time: a dot an attempt, on the scale from 0 to 100, hollow for a retry. */
export function ScoreDots({ name, points }: ScoreDotsProps) {
  const { progress } = useMessages();
  const shown = points.slice(-SHOWN);
  const y = (score: number) => EDGE + ((100 - score) / 100) * (HEIGHT - 2 * EDGE);
  const width = SHOWN * STEP;
  return (
    <div className="score-dots">
      <h3>{name}</h3>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={progress.chart(
          name,
          shown.map((point) => `${point.score}${point.attempt === 'retry' ? ` (${progress.retry})` : ''}`).join(', '),
        )}
      >
        <line className="score-dots-base" x1="0" x2={width} y1={y(50)} y2={y(50)} />
        {shown.map((point, at) => (
          <circle
            key={point.session_id}
            className={point.attempt === 'first' ? 'dot-first' : 'dot-hollow'}
            cx={at * STEP + STEP / 2}
            cy={y(point.score)}
            r="5"
          />
        ))}
      </svg>
      <p className="score-dots-last">{shown.at(-1)?.score}</p>
    </div>
  );
}
