import type { Attempt } from '@parley/shared/contracts';
import { hasFinishedSession, type Transaction, type SessionRow } from '@parley/shared/store';

/**
 * Whether this is a first attempt, settled when a session is made and again when it ends: no other session of the
 * scenario at this difficulty was finished. A fork is a retry always.
 */
export async function settledAttempt(
  transaction: Transaction,
  session: Pick<SessionRow, 'id' | 'scenario_id' | 'difficulty' | 'forked_from_session'>,
): Promise<Attempt> {
  if (session.forked_from_session !== null) return 'retry';
  return (await hasFinishedSession(transaction, session, session.id)) ? 'retry' : 'first';
}
