import type { FlowState, SessionList } from '@parley/shared/contracts';
import { listSessions as listRows } from '@parley/shared/store';
import type { Needs } from '../context';
import { sessionWithHint } from './session-view';

export interface SessionQuery {
  readonly q?: string | undefined;
  readonly scenario_id?: string | undefined;
  readonly flow_state?: FlowState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of sessions, newest first; with `q` those whose saved transcript holds all its words, each with a snippet. */
export async function listSessions(
  context: Needs<'database' | 'scenarios'>,
  query: SessionQuery,
): Promise<SessionList> {
  const page = await listRows(context.database, query);
  const sessions = await Promise.all(
    page.rows.map(async (row) => ({
      ...(await sessionWithHint(context, row)),
      scenario_title: row.scenario_title,
      overall_score: row.overall_score,
      ...(query.q === undefined ? {} : { snippet: row.snippet ?? null }),
    })),
  );
  return { sessions, next_cursor: page.next_cursor };
}
