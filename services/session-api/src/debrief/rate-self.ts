import { ServiceError, type FlowState } from '@parley/shared/contracts';
import { saveSelfRatings } from '@parley/shared/store';
import type { Needs } from '../context';
import { requireSession, requireState } from '../sessions/session-view';

const AFTER_THE_END: readonly FlowState[] = ['Ended', 'DebriefGenerating', 'DebriefReady'];

/**
 * Stores how the player rates their own dimensions, in place of what they said before.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE, VALIDATION_ERROR for a dimension that the rubric has not,
 * SERVICE_UNAVAILABLE.
 */
export async function rateSelf(
  context: Needs<'database' | 'scenarios'>,
  sessionId: string,
  ratings: Record<string, number>,
  requestId: string,
): Promise<{ session_id: string; ratings: Record<string, number> }> {
  const session = await requireSession(context.database, sessionId);
  requireState(session, 'self-rating', AFTER_THE_END);
  const { content } = await context.scenarios.version(
    session.scenario_id,
    session.scenario_version,
    session.language,
    requestId,
  );
  const dimensions = new Set(content.rubric.dimensions.map((dimension) => dimension.id));
  const unknown = Object.keys(ratings).filter((id) => !dimensions.has(id));
  if (unknown.length > 0)
    throw new ServiceError('VALIDATION_ERROR', `The rubric of this session has ${[...dimensions].join(', ')}.`, {
      details: { issues: unknown.map((id) => ({ path: `ratings.${id}`, message: 'No dimension of the rubric.' })) },
    });
  await context.database.write(async (transaction) => {
    // Another answer may have undone the ending since.
    requireState(await requireSession(transaction, sessionId), 'self-rating', AFTER_THE_END);
    await saveSelfRatings(transaction, sessionId, ratings);
  });
  return { session_id: sessionId, ratings };
}
