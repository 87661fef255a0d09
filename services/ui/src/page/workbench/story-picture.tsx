import { scaleLinear } from 'd3-scale';
import type { Difficulty, Story } from '@parley/shared/contracts';
import { useChartSize } from '../chart/use-chart-size';
import { useMessages } from '../messages/use-messages';

/** Measures for text of the usual size, in pixels. */
const ROW = 26;
const TOP = 12;
const FOOT = 44;
const EDGE = 14;
const LETTER = 7.4;
const LONGEST_LABEL = 190;

type Step = Story['steps'][number];

interface StoryPictureProps {
  readonly story: Story;
  readonly difficulty: Difficulty;
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** One row for each event, secret and ending: a dot where it can come first, and lines to it from what it waits for. */
export function StoryPicture({ story, difficulty }: StoryPictureProps) {
  const { story: words } = useMessages();
  const { width, unit, measure } = useChartSize();
  const turnsOf = (step: Step): number | null => step.reach.find((one) => one.difficulty === difficulty)?.turns ?? null;
  // What can never come stands last; moves can be made at once, and are in the table.
  const rows = story.steps
    .filter(({ kind }) => kind !== 'move')
    .sort((one, other) => (turnsOf(one) ?? Infinity) - (turnsOf(other) ?? Infinity));
  const labels = Math.min(LONGEST_LABEL * unit, width * 0.42);
  const right = width - EDGE * unit;
  const height = (TOP + FOOT + rows.length * ROW) * unit;
  const x = scaleLinear([1, Math.max(story.max_turns, 2)], [labels + EDGE * unit, right]);
  const y = (at: number): number => (TOP + (at + 0.5) * ROW) * unit;
  const foot = height - FOOT * unit;
  const ticks = x.ticks(Math.max(2, Math.floor((right - labels) / (44 * unit)))).filter(Number.isInteger);
  const placeOf = (id: string) => rows.findIndex((row) => row.id === id && row.kind === 'event');
  return (
    <div ref={measure}>
      <svg
        className="workbench-picture"
        role="img"
        aria-label={words.picture(story.title)}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="tick" x1={x(tick)} x2={x(tick)} y1={TOP * unit} y2={foot} />
            <text x={x(tick)} y={foot + 16 * unit} textAnchor="middle">
              {tick}
            </text>
          </g>
        ))}
        <text x={(labels + right) / 2} y={foot + 34 * unit} textAnchor="middle">
          {words.axis}
        </text>
        {rows.map((row, at) =>
          row.waits_for.map((id) => {
            const from = placeOf(id);
            const source = rows[from];
            const [begin, end] = [source === undefined ? null : turnsOf(source), turnsOf(row)];
            if (begin === null || end === null) return null;
            return <path key={`${row.id} ${id}`} className="waits" d={curve(x(begin), y(from), x(end), y(at))} />;
          }),
        )}
        {rows.map((row, at) => {
          const turns = turnsOf(row);
          return (
            <g key={`${row.kind} ${row.id}`} className={`story-${row.kind}`} data-type={row.ending_type ?? undefined}>
              <text x={0} y={y(at)} dominantBaseline="central">
                {cut(row.id, Math.floor(labels / (LETTER * unit)))}
              </text>
              {turns === null ? (
                <text className="never" x={x(1)} y={y(at)} dominantBaseline="central">
                  {words.never}
                </text>
              ) : (
                <>
                  <line className="span" x1={x(turns)} x2={right} y1={y(at)} y2={y(at)} />
                  <Mark kind={row.kind} x={x(turns)} y={y(at)} size={6 * unit} />
                </>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const curve = (x1: number, y1: number, x2: number, y2: number): string =>
  `M ${x1} ${y1} C ${x1} ${(y1 + y2) / 2}, ${x2} ${(y1 + y2) / 2}, ${x2} ${y2}`;

/** Kinds differ by their shape, never by colour alone: a circle, a diamond, a square. */
function Mark({ kind, x, y, size }: { kind: Step['kind']; x: number; y: number; size: number }) {
  if (kind === 'event') return <circle cx={x} cy={y} r={size} />;
  if (kind === 'secret')
    return <path d={`M ${x} ${y - size} L ${x + size} ${y} L ${x} ${y + size} L ${x - size} ${y} Z`} />;
  return <rect x={x - size} y={y - size} width={2 * size} height={2 * size} />;
}
