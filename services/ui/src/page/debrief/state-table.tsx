import type { Debrief } from '@parley/shared/contracts';
import { lineOf } from '../messages/line-names';
import { useMessages } from '../messages/use-messages';
import { variableName } from '../messages/name-of';

interface StateTableProps {
  readonly series: Debrief['state_series'];
  readonly names: readonly string[];
  readonly isHidden: (name: string) => boolean;
}

/** The numbers of the chart. */
export function StateTable({ series, names, isHidden }: StateTableProps) {
  const messages = useMessages();
  const { debrief: words } = messages;
  return (
    <details className="chart-numbers">
      <summary>{words.chartTable}</summary>
      <div className="chart-table" tabIndex={0} role="region" aria-label={words.chart}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.afterLine}</th>
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
                <th scope="row">{one.turn === 1 ? words.start : lineOf(one.turn)}</th>
                {names.map((name) => (
                  <td key={name}>{one.state_vars[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
