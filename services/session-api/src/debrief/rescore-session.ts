import { callRoute } from '@parley/shared/client';
import { type Debrief, INTERNAL_ROUTES } from '@parley/shared/contracts';
import { withSelfRatings } from '@parley/shared/store';
import type { Needs } from '../context';
import { requireState, requireTalk } from '../sessions/session-view';

/** A debrief with the scores of another; the notes to its observations are in the first alone. */
function withScoresOf(debrief: Debrief, scored: Debrief): Debrief {
  const { overall_score, turning_points, state_series } = scored;
  const dimensions = scored.dimensions.map((dimension) => {
    const known = debrief.dimensions.find(({ id }) => id === dimension.id);
    return known === undefined ? dimension : { ...dimension, observations: known.observations };
  });
  return { ...debrief, overall_score, turning_points, state_series, dimensions };
}

/**
 * Has the worker compute the scores of a debrief again, with the rubric that the session started with. A second call
 * changes nothing. What the model wrote about a session that is not saved stays, too, as long as it is in memory.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE.
 */
export async function rescoreSession(
  context: Needs<'database' | 'unsaved' | 'config'>,
  sessionId: string,
  requestId: string,
): Promise<Debrief> {
  const session = await requireTalk(context, sessionId);
  requireState(session, 'rescore', ['DebriefReady']);
  const debrief = await callRoute(
    context.config.base.peers.debrief_worker,
    INTERNAL_ROUTES.rescoreDebrief,
    { params: { id: sessionId } },
    { requestId, timeoutMs: context.config.base.peer_timeout_ms },
  );
  const inMemory = context.unsaved.debrief(sessionId);
  if (inMemory === null) return withSelfRatings(debrief, session.self_ratings);
  const scored = withScoresOf(inMemory, debrief);
  await context.unsaved.replaceDebrief(sessionId, scored);
  return withSelfRatings(scored, session.self_ratings);
}
