import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { PAGE_PATHS } from '../../page-paths';
import { useScenarios } from '../client/queries';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PlanList } from '../plans/plan-list';
import { DueAgain } from '../plans/practice-again';
import { PageHeading } from '../shell/page-heading';
import { RehearseTeaser } from '../rehearse/rehearse-teaser';
import { useStatus } from '../shell/status';
import { filterScenarios, skillsOf, startHere } from './filter-scenarios';
import { ScenarioCard } from './scenario-card';
import { useLastScores } from './use-last-scores';
import './library.css';

const NO_FILTER = { words: '', skill: null };

export function LibraryPage() {
  const { library, app } = useMessages();
  const { data: scenarios, error, refetch } = useScenarios();
  const lastScores = useLastScores();
  const search = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState<{ words: string; skill: string | null }>(NO_FILTER);

  const isFiltered = filter.words.trim() !== '' || filter.skill !== null;
  const found = scenarios === undefined ? [] : filterScenarios(scenarios, filter);
  const first = isFiltered || scenarios === undefined ? undefined : startHere(scenarios);
  useStatus(isFiltered ? library.count(found.length) : '');

  return (
    <div className="page">
      <header>
        <PageHeading title={app.library} />
        <p className="reading muted">{library.intro}</p>
      </header>
      {error !== null && <Failure title={library.failed} error={error} onRetry={() => void refetch()} />}
      {!isFiltered && <PlanList />}
      {!isFiltered && <DueAgain scenarios={scenarios ?? []} />}
      {error === null && scenarios === undefined && <Loading />}
      {scenarios?.length === 0 && (
        <div className="notice">
          <p>
            <strong>{library.empty}</strong> {library.emptyHint}
          </p>
          <div className="actions">
            <Link className="button" href={PAGE_PATHS.packs}>
              {library.toPacks}
            </Link>
          </div>
        </div>
      )}
      {scenarios !== undefined && scenarios.length > 0 && (
        <>
          {first !== undefined && <ScenarioCard scenario={first} lastScore={lastScores.get(first.id)} featured />}
          <form className="library-filter" role="search" onSubmit={(event) => event.preventDefault()}>
            <label className="field">
              <span>{library.search}</span>
              <input
                ref={search}
                className="input"
                type="search"
                placeholder={library.searchHint}
                value={filter.words}
                onChange={(event) => setFilter({ ...filter, words: event.target.value })}
              />
            </label>
            <label className="field">
              <span>{library.skill}</span>
              <select
                className="input"
                value={filter.skill ?? ''}
                onChange={(event) => setFilter({ ...filter, skill: event.target.value || null })}
              >
                <option value="">{library.allSkills}</option>
                {skillsOf(scenarios).map((skill) => (
                  <option key={skill} dir="auto">
                    {skill}
                  </option>
                ))}
              </select>
            </label>
          </form>
          <ul className="library-list">
            {found
              .filter((scenario) => scenario !== first)
              .map((scenario) => (
                <li key={scenario.id}>
                  <ScenarioCard scenario={scenario} lastScore={lastScores.get(scenario.id)} />
                </li>
              ))}
          </ul>
          {!isFiltered && <RehearseTeaser />}
          {found.length === 0 && (
            <div className="notice">
              <p>{library.noMatch}</p>
              <div className="actions">
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    setFilter(NO_FILTER);
                    search.current?.focus();
                  }}
                >
                  {library.clear}
                </button>
              </div>
            </div>
          )}
        </>
      )}
    </div>
  );
}
