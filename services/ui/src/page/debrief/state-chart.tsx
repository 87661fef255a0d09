import { scaleLinear } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import type { Debrief } from '@parley/shared/contracts';
import { useChartSize } from '../chart/use-chart-size';
import { lineOf } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';
import { variableName } from '../messages/name-of';
import type { Scenario } from '../play/play-ports';
import { spreadLabels } from './spread-labels';
import { StateTable } from './state-table';

interface StateChartProps {
  readonly series: Debrief['state_series'];
  readonly points: Debrief['turning_points'];
  readonly scenario: Scenario | null;
}

/** Measures for text of the usual size, in pixels. */
const HEIGHT = 276;
const MARGIN = { top: 12, right: 116, bottom: 44, left: 30 };
const LABEL_HEIGHT = 15;
const TICK_WIDTH = 36;
/** Below this width the names stand under the chart instead of beside it. */
const ROOM_FOR_NAMES = 420;
const DASH_SAMPLE = 32;
/** Lines differ by their dashes as well as by their place, never by colour alone. */
const DASHES = ['none', '8 3', '2 3', '10 3 2 3', '5 5', '1 4', '12 4'];
const dashOf = (at: number): string | undefined => DASHES[at % DASHES.length];

/**
 * The variables after each line of the player, the hidden ones now too, with the turning points marked; the numbers stand
 * in a table.
 */
export function StateChart({ series, points, scenario }: StateChartProps) {
  const messages = useMessages();
  const { debrief: words } = messages;
  const { width, unit, measure } = useChartSize();
  const first = series[0];
  const last = series.at(-1);
  if (series.length < 2 || first === undefined || last === undefined) return null;

  const names = Object.keys(last.state_vars);
  const isHidden = (name: string) => scenario?.variables.find((one) => one.name === name)?.visibility === 'hidden';
  const hasRoom = width >= ROOM_FOR_NAMES * unit;
  const height = HEIGHT * unit;
  const left = MARGIN.left * unit;
  const right = width - (hasRoom ? MARGIN.right * unit : MARGIN.top);
  const bottom = height - MARGIN.bottom * unit;
  const all = series.flatMap((one) => Object.values(one.state_vars));
  const x = scaleLinear([first.turn, last.turn], [left, right]);
  const y = scaleLinear([Math.min(0, ...all), Math.max(100, ...all)], [bottom, MARGIN.top]);
  const pathOf = (name: string): string =>
    line<(typeof series)[number]>(
      (one) => x(one.turn),
      (one) => y(one.state_vars[name] ?? 0),
    ).curve(curveMonotoneX)(series as (typeof series)[number][]) ?? '';
  const labels = spreadLabels(
    names.map((name) => y(last.state_vars[name] ?? 0)),
    LABEL_HEIGHT * unit,
    MARGIN.top,
    bottom,
  );
  const labelOf = (name: string): string => `${variableName(messages, name)} ${last.state_vars[name]}`;
  const marked = [...new Set(points.map((point) => point.turn))];
  const everyTick = Math.ceil((series.length * TICK_WIDTH * unit) / (right - left));

  return (
    <section>
      <h2>{words.chart}</h2>
      <svg
        className="chart"
        ref={measure}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={words.chartLabel(names.map((name) => variableName(messages, name)).join(', '))}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick} className="chart-grid">
            <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
            <text x={left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
        {marked.map((turn) => (
          <line key={turn} className="chart-mark" x1={x(turn)} x2={x(turn)} y1={MARGIN.top} y2={bottom} />
        ))}
        {series.map(({ turn }, at) =>
          at % everyTick !== 0 ? null : (
            <text key={turn} className="chart-tick" x={x(turn)} y={bottom + 18 * unit} textAnchor="middle">
              {turn === 1 ? words.start : lineOf(turn)}
            </text>
          ),
        )}
        <text className="chart-axis" x={right} y={bottom + 36 * unit} textAnchor="end">
          {words.afterLine}
        </text>
        {names.map((name, at) => (
          <g key={name} className="chart-line" data-hidden={isHidden(name) || undefined}>
            <path d={pathOf(name)} strokeDasharray={dashOf(at)} />
            {hasRoom && (
              <text x={right + 8} y={labels[at]} dy="0.32em">
                {labelOf(name)}
              </text>
            )}
          </g>
        ))}
      </svg>
      {!hasRoom && (
        <ul className="chart-names" aria-hidden="true">
          {names.map((name, at) => (
            <li key={name} className="chart-line" data-hidden={isHidden(name) || undefined}>
              <svg width={DASH_SAMPLE} height="8" viewBox={`0 0 ${DASH_SAMPLE} 8`}>
                <path d={`M0,4H${DASH_SAMPLE}`} strokeDasharray={dashOf(at)} />
              </svg>
              {labelOf(name)}
            </li>
          ))}
        </ul>
      )}
      <StateTable series={series} names={names} isHidden={isHidden} />
    </section>
  );
}
