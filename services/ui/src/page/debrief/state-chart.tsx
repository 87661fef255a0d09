import { scaleLinear } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import type { Debrief } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';
import { variableName } from '../messages/name-of';
import type { Scenario } from '../play/play-ports';
import { useInlineSize } from './use-inline-size';
import { spreadLabels } from './spread-labels';

interface StateChartProps {
  readonly series: Debrief['state_series'];
  readonly points: Debrief['turning_points'];
  readonly scenario: Scenario | null;
}

const HEIGHT = 260;
const MARGIN = { top: 12, right: 116, bottom: 28, left: 30 };
const LABEL_HEIGHT = 15;
const TICK_WIDTH = 24;
/** Lines differ by their dashes as well as by their place, never by colour alone. */
const DASHES = ['none', '8 3', '2 3', '10 3 2 3', '5 5', '1 4', '12 4'];

/** The variables over the turns, the hidden ones now too, with the turning points marked; the numbers stand in a table. */
export function StateChart({ series, points, scenario }: StateChartProps) {
  const messages = useMessages();
  const { debrief: words } = messages;
  const { width, measure } = useInlineSize();
  const last = series.at(-1);
  if (series.length < 2 || last === undefined) return null;

  const names = Object.keys(last.state_vars);
  const isHidden = (name: string) => scenario?.variables.find((one) => one.name === name)?.visibility === 'hidden';
  const all = series.flatMap((one) => Object.values(one.state_vars));
  const x = scaleLinear([series[0]?.turn ?? 0, last.turn], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([Math.min(0, ...all), Math.max(100, ...all)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const pathOf = (name: string): string =>
    line<(typeof series)[number]>(
      (one) => x(one.turn),
      (one) => y(one.state_vars[name] ?? 0),
    ).curve(curveMonotoneX)(series as (typeof series)[number][]) ?? '';
  const labels = spreadLabels(
    names.map((name) => y(last.state_vars[name] ?? 0)),
    LABEL_HEIGHT,
    MARGIN.top,
    HEIGHT - MARGIN.bottom,
  );
  const marked = [...new Set(points.map((point) => point.turn))];

  return (
    <section>
      <h2>{words.chart}</h2>
      <svg
        className="chart"
        ref={measure}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={words.chartLabel(names.map((name) => variableName(messages, name)).join(', '))}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick} className="chart-grid">
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
            <text x={MARGIN.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
        {marked.map((turn) => (
          <line
            key={turn}
            className="chart-mark"
            x1={x(turn)}
            x2={x(turn)}
            y1={MARGIN.top}
            y2={HEIGHT - MARGIN.bottom}
          />
        ))}
        {series.map(({ turn }, at) =>
          at % Math.ceil((series.length * TICK_WIDTH) / (width - MARGIN.left - MARGIN.right)) !== 0 ? null : (
            <text key={turn} className="chart-tick" x={x(turn)} y={HEIGHT - 8} textAnchor="middle">
              {turn}
            </text>
          ),
        )}
        {names.map((name, at) => (
          <g key={name} className="chart-line" data-hidden={isHidden(name) || undefined}>
            <path d={pathOf(name)} strokeDasharray={DASHES[at % DASHES.length]} />
            <text x={width - MARGIN.right + 8} y={labels[at]} dy="0.32em">
              {variableName(messages, name)} {last.state_vars[name]}
            </text>
          </g>
        ))}
      </svg>
      <details className="chart-numbers">
        <summary>{words.chartTable}</summary>
        <div className="chart-table" tabIndex={0} role="region" aria-label={words.chart}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.turn}</th>
                {names.map((name) => (
                  <th scope="col" key={name}>
                    {variableName(messages, name)}
                    {isHidden(name) && <span className="small muted"> ({words.hidden})</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {series.map((one) => (
                <tr key={one.turn}>
                  <th scope="row">{one.turn}</th>
                  {names.map((name) => (
                    <td key={name}>{one.state_vars[name]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
