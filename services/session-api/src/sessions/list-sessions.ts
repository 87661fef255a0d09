import type { FlowState, Progress, SessionList } from '@parley/shared/contracts';
import { listAttempts, listSessions as listRows } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { sessionWithHint } from './session-view';

export interface SessionQuery {
  readonly q?: string | undefined;
  readonly scenario_id?: string | undefined;
  readonly flow_state?: FlowState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of sessions, newest first; with `q` those whose saved transcript holds all its words, each with a snippet. */
export async function listSessions(context: SessionApiContext, query: SessionQuery): Promise<SessionList> {
  const page = await listRows(context.database.knex, query);
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

/** Scores over time, oldest first. Dimensions that were not observed are null and make no points. */
export async function progress(context: SessionApiContext, scenarioId: string | undefined): Promise<Progress> {
  const scenarios = await listAttempts(context.database.knex, scenarioId);
  const dimensions = new Map<string, Progress['dimensions'][number]>();
  for (const { attempts } of scenarios)
    for (const { session_id, ended_at, attempt, dimensions: scores } of attempts)
      for (const { id, name, score, observed } of scores) {
        const known = dimensions.get(id) ?? { id, name, points: [] };
        dimensions.set(id, known);
        if (observed) known.points.push({ session_id, ended_at, attempt, score });
      }
  for (const { points } of dimensions.values()) points.sort((a, b) => a.ended_at.localeCompare(b.ended_at));
  return {
    scenarios: scenarios.map(({ scenario_id, attempts }) => ({
      scenario_id,
      title: attempts.at(-1)?.scenario_title ?? scenario_id,
      attempts: attempts.map(({ session_id, ended_at, attempt, ending_type, overall_score, dimensions: scores }) => ({
        session_id,
        ended_at,
        attempt,
        ending_type,
        overall_score,
        dimensions: Object.fromEntries(scores.map(({ id, score, observed }) => [id, observed ? score : null])),
      })),
    })),
    dimensions: [...dimensions.values()].filter(({ points }) => points.length > 0),
  };
}
