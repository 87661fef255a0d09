import { callRoute } from '@parley/shared/client';
import { ServiceError, type Debrief, INTERNAL_ROUTES } from '@parley/shared/contracts';
import type { WorkerContext } from '../context';
import { callPeer } from './call-peer';

/**
 * Tells session-api that a debrief is stored. An announcement that does not arrive only delays waiting callers, who look
 * themselves now and then.
 * @param privateDebrief of a session that is not saved: the narrative with the player's words behind it, for memory only
 */
export async function announceDebrief(
  context: WorkerContext,
  sessionId: string,
  privateDebrief: Debrief | null,
): Promise<void> {
  // Not the signal of the job, which is over by now.
  const signal = AbortSignal.timeout(context.policy.announcePatience);
  try {
    await callPeer(context, signal, (options) =>
      callRoute(
        context.config.base.peers.session_api,
        INTERNAL_ROUTES.announceDebrief,
        { params: { id: sessionId }, body: { private_debrief: privateDebrief } },
        options,
      ),
    );
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined;
    context.logger.info({ session_id: sessionId, code }, 'the debrief could not be announced');
  }
}
