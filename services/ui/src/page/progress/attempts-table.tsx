import { Link } from 'wouter';
import type { Progress } from '@parley/shared/contracts';
import { pagePath } from '../../page-paths';
import { useMessages } from '../messages/use-messages';

type Attempt = Progress['scenarios'][number]['attempts'][number];

interface AttemptsTableProps {
  readonly title: string;
  /** Finished talks, oldest first. */
  readonly attempts: readonly Attempt[];
}

/** The finished talks of a scenario, newest first; coached ones and demo talks stand apart below the others. */
export function AttemptsTable({ title, attempts }: AttemptsTableProps) {
  const { progress } = useMessages();
  const newestFirst = attempts.toReversed();
  const apart = [
    { title: progress.coached, rows: newestFirst.filter(({ coaching, demo }) => coaching && demo !== true) },
    { title: progress.demo, rows: newestFirst.filter(({ demo }) => demo === true) },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <section>
      <h2 dir="auto">{title}</h2>
      <div className="progress-table" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{progress.when}</th>
              <th scope="col">{progress.attempt}</th>
              <th scope="col">{progress.difficulty}</th>
              <th scope="col">{progress.ending}</th>
              <th scope="col">{progress.overall}</th>
            </tr>
          </thead>
          <tbody>
            {newestFirst
              .filter(({ coaching, demo }) => !coaching && demo !== true)
              .map((attempt) => (
                <Row key={attempt.session_id} attempt={attempt} />
              ))}
          </tbody>
          {apart.map((group) => (
            <tbody key={group.title}>
              <tr>
                <th scope="rowgroup" colSpan={5}>
                  {group.title}
                </th>
              </tr>
              {group.rows.map((attempt) => (
                <Row key={attempt.session_id} attempt={attempt} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

function Row({ attempt }: { attempt: Attempt }) {
  const { progress, ending, difficulty, language } = useMessages();
  return (
    <tr>
      <th scope="row">
        <Link href={pagePath('debrief', attempt.session_id)}>
          {new Date(attempt.ended_at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
        </Link>
      </th>
      <td>{attempt.attempt === 'first' ? progress.first : progress.retry}</td>
      <td>{difficulty[attempt.difficulty]}</td>
      <td>{ending.title[attempt.ending_type]}</td>
      <td>{attempt.overall_score ?? <span className="muted">{progress.noScore}</span>}</td>
    </tr>
  );
}
