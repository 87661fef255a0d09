import { callRoute } from '@parley/shared/client';
import type { Debrief } from '@parley/shared/contracts';
import { withSelfRatings } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { requireSession, requireState } from '../sessions/session-view';

/**
 * Has the worker compute the scores of a debrief again, with the rubric that the session started with. A second call
 * changes nothing.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, SERVICE_UNAVAILABLE.
 */
export async function rescoreSession(
  context: SessionApiContext,
  sessionId: string,
  requestId: string,
): Promise<Debrief> {
  const session = await requireSession(context.database.knex, sessionId);
  requireState(session, 'rescore', ['DebriefReady']);
  const debrief = await callRoute(
    context.config.base.peers.debrief_worker,
    'rescoreDebrief',
    { params: { id: sessionId } },
    { requestId },
  );
  return withSelfRatings(debrief, session.self_ratings);
}
