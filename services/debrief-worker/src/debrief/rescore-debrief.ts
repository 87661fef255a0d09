import { ServiceError, type Debrief } from '@parley/shared/contracts';
import { findDebrief, findSession, transact, updateDebrief } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { makeDebrief } from './make-debrief';
import { sessionMaterial } from './session-material';

/**
 * Computes scores, turning points and series of a stored debrief again, from the stored observations and the rubric that
 * the session started with. The narrative and its date stay, so a second call changes nothing. Without the rubric, when
 * its pack was removed, nothing can be computed that would not be worse than what is stored: it stays as it is.
 * @throws ServiceError SESSION_NOT_FOUND, DEBRIEF_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function rescoreDebrief(context: WorkerContext, sessionId: string, signal: AbortSignal): Promise<Debrief> {
  const { knex } = context.database;
  const session = await findSession(knex, sessionId);
  if (session === null)
    throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted.');
  const stored = await findDebrief(knex, sessionId);
  if (stored === null) throw new ServiceError('DEBRIEF_NOT_FOUND', 'This session has no debrief to score again.');
  const material = await sessionMaterial(context, session, signal);
  if (material.content_lost) return stored;
  const computed = makeDebrief(material, null, stored.generated_at);
  const debrief: Debrief = {
    ...stored,
    overall_score: computed.overall_score,
    dimensions: computed.dimensions,
    turning_points: computed.turning_points,
    state_series: computed.state_series,
  };
  await transact(context.database, (transaction) => updateDebrief(transaction, debrief));
  return debrief;
}
