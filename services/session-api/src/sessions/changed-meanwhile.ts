import { ServiceError, type FlowState } from '@parley/shared/contracts';
import type { Queryable } from '@parley/shared/store';
import { requireSession, requireState } from './session-view';

/** Somebody changed the session between reading and writing it: what the caller is told. */
export async function changedMeanwhile(
  queryable: Queryable,
  sessionId: string,
  operation: string,
  allowed: readonly FlowState[],
): Promise<ServiceError> {
  const session = await requireSession(queryable, sessionId);
  requireState(session, operation, allowed);
  return new ServiceError('TURN_IN_PROGRESS', 'The session was changed at the same moment; try again.');
}
