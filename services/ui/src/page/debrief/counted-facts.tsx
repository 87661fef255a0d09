import type { TalkFacts } from '@parley/shared/contracts';
import { useMessages } from '../messages/use-messages';

type FactName = keyof ReturnType<typeof useMessages>['judging']['factNames'];

interface CountedFactsProps {
  readonly facts: TalkFacts;
  /** Of the last finished talk of the scenario; null without one. */
  readonly before: TalkFacts | null;
}

/** What can be counted in the talk, beside the last one. */
export function CountedFacts({ facts, before }: CountedFactsProps) {
  const { judging: words, language } = useMessages();
  const shown = (name: FactName, of: TalkFacts): string => {
    const value = of[name];
    if (value === null) return words.noLine;
    return value.toLocaleString(language, name === 'word_share' ? { style: 'percent' } : { maximumFractionDigits: 1 });
  };
  // In some talks there is nothing to ask for.
  const names = (Object.keys(words.factNames) as FactName[]).filter(
    (name) => facts[name] !== null || (before?.[name] ?? null) !== null,
  );
  return (
    <section>
      <h2>{words.facts}</h2>
      <p className="small muted">{words.factsHint}</p>
      <div className="chart-table facts" tabIndex={0} role="region" aria-label={words.facts}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{words.fact}</span>
              </th>
              <th scope="col">{words.thisTime}</th>
              {before !== null && <th scope="col">{words.lastTime}</th>}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{words.factNames[name]}</th>
                <td>{shown(name, facts)}</td>
                {before !== null && <td>{shown(name, before)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
