import { ServiceError, type Debrief } from '@parley/shared/contracts';
import type { Needs } from '../context';
import { requireSession } from '../sessions/session-view';

/**
 * The worker has stored a debrief: everybody who waits for it is told, whichever process they wait at.
 * @param privateDebrief of a session that is not saved: with the player's words, for memory alone.
 * @throws ServiceError SESSION_NOT_FOUND
 */
export async function takeAnnouncement(
  context: Needs<'database' | 'unsaved' | 'debriefs' | 'presence' | 'logger'>,
  sessionId: string,
  privateDebrief: Debrief | null,
): Promise<void> {
  const session = await requireSession(context.database, sessionId);
  if (!session.transcript_saved)
    await context.unsaved.keepDebrief(sessionId, privateDebrief).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      // The stored one holds, without the words.
      context.logger.warn({ session_id: sessionId, code: error.code }, 'the letter with the words of a talk is lost');
    });
  context.presence.bus.order({ kind: 'debrief', session: sessionId });
  await context.debriefs.settle(sessionId);
}
