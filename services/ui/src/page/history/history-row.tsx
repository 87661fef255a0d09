import type { SessionListItem } from '@parley/shared/contracts';
import { Link } from 'wouter';
import { pagePath } from '../../page-paths';
import { useMessages } from '../messages/use-messages';

/** One session: what it was, how it ended, and where to go on. */
export function HistoryRow({ session, onRemove }: { session: SessionListItem; onRemove: () => void }) {
  const { history, ending, language, difficulty, coaching } = useMessages();
  const isOver = session.ending_type !== null;
  const when = new Date(session.started_at ?? session.created_at);
  const words =
    session.ending_type !== null
      ? ending.title[session.ending_type]
      : session.started_at === null
        ? history.notStarted
        : history.running;
  return (
    <article className="history-row">
      <div>
        <h2>
          <Link href={pagePath(isOver ? 'debrief' : 'stage', session.id)} dir="auto" data-takes-focus>
            {session.scenario_title}
          </Link>
        </h2>
        <ul className="scenario-facts">
          <li>
            <time dateTime={when.toISOString()}>
              {when.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })}
            </time>
          </li>
          <li>{words}</li>
          <li>{difficulty[session.difficulty]}</li>
          {session.overall_score !== null && <li>{history.score(session.overall_score)}</li>}
          {session.attempt === 'retry' && <li>{history.retryTag}</li>}
          {session.coaching && <li>{coaching.tag}</li>}
          {!session.transcript_saved && <li>{history.notSaved}</li>}
        </ul>
        {session.snippet != null && (
          <p className="reading history-snippet" dir="auto">
            {session.snippet}
          </p>
        )}
      </div>
      <div className="actions">
        <Link className="button button-quiet" href={pagePath(isOver ? 'debrief' : 'stage', session.id)}>
          {isOver ? history.debrief : history.resume}
        </Link>
        <button
          type="button"
          className="button button-quiet button-danger"
          aria-label={`${history.remove}: ${session.scenario_title}`}
          onClick={onRemove}
        >
          {history.remove}
        </button>
      </div>
    </article>
  );
}
