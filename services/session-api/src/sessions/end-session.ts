import { playerExit } from '@parley/shared/engine';
import type { ClearAnswer, EndAnswer, FlowState, Session } from '@parley/shared/contracts';
import { DiskFullError, ServiceError } from '@parley/shared/contracts';
import {
  appendEvents,
  clearConversations,
  deleteSession,
  retryWithoutBallast,
  saveSession,
  scrubCleared,
  scrubDeleted,
} from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { settledAttempt } from './attempt';
import { forget, forgetCleared, forgetTalkHere } from './forget-session';
import { engineState, requireSession, requireState, sessionView } from './session-view';

const LISTENING: readonly FlowState[] = ['PlayerTurnListening'];

/**
 * The player ends the session. A running turn is aborted and nothing of it is stored.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function endSession(context: SessionApiContext, sessionId: string): Promise<EndAnswer> {
  requireState(await requireSession(context.database, sessionId), 'end', LISTENING);
  await context.turns.abort(sessionId);
  context.ready.forget(sessionId);
  const channel = await context.hub.channel(sessionId);
  const { row, outcome } = await context.database.write(async (transaction) => {
    const session = await requireSession(transaction, sessionId);
    requireState(session, 'end', LISTENING);
    const outcome = playerExit(engineState(session));
    const at = context.now().toISOString();
    const row = {
      ...session,
      flow_state: 'Ended' as const,
      ending_type: outcome.ending.type,
      ending_id: outcome.ending.id,
      attempt: await settledAttempt(transaction, session),
      version: session.version + 1,
      seq_reserved: channel === null ? session.seq_reserved : context.hub.seqToReserve(channel),
      ended_at: at,
    };
    if (!(await saveSession(transaction, row, session))) throw new Error('changed inside its own transaction');
    await appendEvents(transaction, sessionId, outcome.events, at);
    return { row, outcome };
  });
  await context.turns.abortHere(sessionId); // one that was claimed while we waited for the lock
  forgetTalkHere(context, sessionId);
  context.presence.bus.order({ kind: 'end', session: sessionId });
  if (!row.transcript_saved) context.unsaved.ended(sessionId);
  for (const message of outcome.messages) channel?.publish(message);
  return { session: sessionView(context, row), events: outcome.messages };
}

/**
 * Aborts the running turn; the play goes on. Without one it changes nothing.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function cancelTurn(context: SessionApiContext, sessionId: string): Promise<Session> {
  requireState(await requireSession(context.database, sessionId), 'cancel', LISTENING);
  await context.turns.abort(sessionId);
  return sessionView(context, await requireSession(context.database, sessionId));
}

/** Deletes the session with everything that belongs to it. @throws ServiceError SESSION_NOT_FOUND */
export async function removeSession(context: SessionApiContext, sessionId: string): Promise<void> {
  await requireSession(context.database, sessionId);
  await context.turns.abort(sessionId);
  const deleted = await retryWithoutBallast(context.database, () =>
    context.database.write((transaction) => deleteSession(transaction, sessionId)),
  );
  await context.turns.abortHere(sessionId);
  await forget(context, sessionId);
  if (!deleted) throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it was deleted already.');
  const isScrubbed = await scrubbed(context);
  void context.storage.check();
  if (!isScrubbed)
    context.logger.warn(
      { session_id: sessionId },
      'the log of the database was busy; deleted text is overwritten at the next checkpoint',
    );
}

/** The session is gone already: a disk that is too full to write the log back only puts that off. */
async function scrubbed({ database }: SessionApiContext): Promise<boolean> {
  try {
    return await retryWithoutBallast(database, () => scrubDeleted(database));
  } catch (error) {
    if (error instanceof DiskFullError) return false;
    throw error;
  }
}

/** Deletes all sessions and what characters remember; freed pages are overwritten. Running turns are aborted. */
export async function clearEverything(context: SessionApiContext): Promise<ClearAnswer> {
  await context.turns.abortAll();
  const deleted = await clearConversations(context.database);
  await forgetCleared(context);
  await scrubCleared(context.database);
  void context.storage.check();
  return { deleted: { ...deleted } };
}
