import { useId } from 'react';
import { Link } from 'wouter';
import type { Progress } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { useChartSize } from '../chart/use-chart-size';
import { useMessages } from '../messages/use-messages';

type Point = Progress['dimensions'][number]['points'][number];

interface ScoreChartProps {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly Point[];
}

/** Points that are drawn; older ones are left out of the picture, not out of the table. */
const DRAWN = 12;
/** Fewer points than this show no direction: a line through them would claim one. */
const POINTS_OF_A_LINE = 3;
/** Measures for text of the usual size, in pixels. */
const HEIGHT = 196;
const MARGIN = { top: 26, right: 22, bottom: 46, left: 36 };
const DAY_WIDTH = 48;
const DOT = 5.5;
const TICKS = [0, 50, 100];

/**
 * One dimension over time: a dot for each attempt in its order on the scale from 0 to 100, filled for a first attempt and
 * hollow for a retry, with the table of all attempts beside it. The line goes through first attempts alone.
 */
export function ScoreChart({ name, points }: ScoreChartProps) {
  const { progress: words } = useMessages();
  const id = useId();
  return (
    <section className="score-chart" aria-labelledby={id}>
      <h3 id={id} dir="auto">
        {name}
      </h3>
      <Picture name={name} points={points.slice(-DRAWN)} />
      <div className="score-table" tabIndex={0} role="group" aria-label={words.tableOf(name)}>
        <ScoreTable points={points} />
      </div>
    </section>
  );
}

function Picture({ name, points }: ScoreChartProps) {
  const { progress: words, language } = useMessages();
  const { width, unit, measure } = useChartSize();
  const height = HEIGHT * unit;
  const left = MARGIN.left * unit;
  const right = width - MARGIN.right * unit;
  const top = MARGIN.top * unit;
  const bottom = height - MARGIN.bottom * unit;
  const x = (at: number): number => left + ((at + 0.5) * (right - left)) / points.length;
  const y = (score: number): number => bottom - (score / 100) * (bottom - top);
  const dayOf = (point: Point): string =>
    new Date(point.ended_at).toLocaleDateString(language, { month: 'short', day: 'numeric' });
  const everyDay = Math.ceil((points.length * DAY_WIDTH * unit) / (right - left));
  const firsts = points.flatMap((point, at) => (point.attempt === 'first' ? [`${x(at)},${y(point.score)}`] : []));
  return (
    <svg
      className="score-picture"
      ref={measure}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words.chart(
        name,
        points.map((point) => `${point.score}${point.attempt === 'retry' ? ` (${words.retry})` : ''}`).join(', '),
      )}
    >
      <text className="score-axis" x={0} y={12 * unit}>
        {words.overall}
      </text>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className="score-grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text className="score-tick" x={left - 8 * unit} y={y(tick)} dy="0.32em" textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {firsts.length >= POINTS_OF_A_LINE && <path className="score-line" d={`M${firsts.join('L')}`} />}
      {points.map((point, at) => (
        <circle
          key={point.session_id}
          className={point.attempt === 'first' ? 'dot-first' : 'dot-hollow'}
          cx={x(at)}
          cy={y(point.score)}
          r={DOT * unit}
        />
      ))}
      {points.map((point, at) =>
        at % everyDay !== 0 ? null : (
          <text key={point.session_id} className="score-day" x={x(at)} y={bottom + 18 * unit} textAnchor="middle">
            {dayOf(point)}
          </text>
        ),
      )}
      <text className="score-axis" x={right} y={bottom + 38 * unit} textAnchor="end">
        {words.dayOfTalk}
      </text>
    </svg>
  );
}

/** Every attempt, the newest first. */
function ScoreTable({ points }: { points: readonly Point[] }) {
  const { progress: words, language } = useMessages();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{words.when}</th>
          <th scope="col">{words.attempt}</th>
          <th scope="col">{words.overall}</th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.session_id}>
            <th scope="row">
              <Link href={pagePath('debrief', point.session_id)}>
                {new Date(point.ended_at).toLocaleDateString(language, { dateStyle: 'medium' })}
              </Link>
            </th>
            <td>{point.attempt === 'first' ? words.first : words.retry}</td>
            <td>{point.score}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
