import { useQuery } from '@tanstack/react-query';
import { callApi } from '../client/call-api';
import { useMessages } from '../messages/use-messages';
import { Failure } from '../shell/failure';
import { Loading } from '../shell/loading';
import { PageHeading } from '../shell/page-heading';
import { AttemptsTable } from './attempts-table';
import { ScoreChart } from './score-chart';
import { SkillLevels } from './skill-levels';
import './progress.css';

/** Scores over time, first attempts apart from retries: as dots for each dimension, as a table for each scenario. */
export function ProgressPage() {
  const { progress } = useMessages();
  const { data, error, refetch } = useQuery({
    queryKey: ['progress'],
    queryFn: () => callApi('getProgress', {}),
    staleTime: 0,
  });
  // A talk that was left before its third line is no attempt; coached ones and demo talks are shown apart: none of them makes a dot.
  const scenarios = (data?.scenarios ?? [])
    .map((scenario) => ({ ...scenario, attempts: scenario.attempts.filter(({ finished }) => finished) }))
    .filter(({ attempts }) => attempts.length > 0);
  const uncounted = new Set(
    data?.scenarios.flatMap(({ attempts }) =>
      attempts
        .filter(({ finished, coaching, demo }) => !finished || coaching || demo === true)
        .map((one) => one.session_id),
    ),
  );
  const dimensions = (data?.dimensions ?? [])
    .map((one) => ({ ...one, points: one.points.filter((point) => !uncounted.has(point.session_id)) }))
    .filter(({ points }) => points.length > 0);
  const isEmpty = data !== undefined && scenarios.length === 0;
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
      {dimensions.length > 0 && (
        <section>
          <h2>{progress.skills}</h2>
          <p className="small muted progress-legend">
            <span className="dot" /> {progress.first} <span className="dot dot-retry" /> {progress.retry}
          </p>
          {dimensions.map((dimension) => (
            <ScoreChart key={dimension.id} name={dimension.name} points={dimension.points} />
          ))}
        </section>
      )}
      {data !== undefined && <SkillLevels skills={data.skills} />}
      {scenarios.map(({ scenario_id: id, title, attempts }) => (
        <AttemptsTable key={id} title={title} attempts={attempts} />
      ))}
    </div>
  );
}
