import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { ScoreDots } from './score-dots';
import './progress.css';

/** Scores over time, first attempts apart from retries: as dots for each dimension, as a table for each scenario. */
export function ProgressPage() {
  const { progress, ending, language } = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: ['progress'],
    queryFn: () => callApi('getProgress', {}),
    staleTime: 0,
  });
  const isEmpty = data !== undefined && data.scenarios.every((scenario) => scenario.attempts.length === 0);
  return (
    <div className="page progress">
      <header>
        <PageHeading title={progress.title} />
        <p className="reading muted">{progress.intro}</p>
      </header>
      {error !== null && <Failure title={progress.failed} error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {isEmpty && (
        <div className="notice">
          <p>{progress.none}</p>
        </div>
      )}
      {data !== undefined && data.dimensions.length > 0 && (
        <section>
          <h2>{progress.skills}</h2>
          <p className="small muted progress-legend">
            <span className="dot" /> {progress.first} <span className="dot dot-retry" /> {progress.retry}
          </p>
          <ul>
            {data.dimensions.map((dimension) => (
              <li key={dimension.id}>
                <ScoreDots name={dimension.name} points={dimension.points} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {data?.scenarios.map((scenario) => (
        <section key={scenario.scenario_id}>
          <h2>{scenario.title}</h2>
          <div className="progress-table" tabIndex={0} role="region" aria-label={scenario.title}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{progress.when}</th>
                  <th scope="col">{progress.attempt}</th>
                  <th scope="col">{progress.ending}</th>
                  <th scope="col">{progress.overall}</th>
                </tr>
              </thead>
              <tbody>
                {scenario.attempts.toReversed().map((attempt) => (
                  <tr key={attempt.session_id}>
                    <th scope="row">
                      <Link href={pagePath('debrief', attempt.session_id)}>
                        {new Date(attempt.ended_at).toLocaleString(language, {
                          dateStyle: 'medium',
                          timeStyle: 'short',
                        })}
                      </Link>
                    </th>
                    <td>{attempt.attempt === 'first' ? progress.first : progress.retry}</td>
                    <td>{ending.title[attempt.ending_type]}</td>
                    <td>{attempt.overall_score ?? <span className="muted">{progress.noScore}</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </div>
  );
}
