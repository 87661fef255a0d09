import { callRoute } from '@parley/shared/client';
import { type Debrief, type FlowState, type Session, INTERNAL_ROUTES } from '@parley/shared/contracts';
import { enqueueDebrief, saveSession, type SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { debriefOf } from '../sessions/export-session';
import { requireSession, requireState, requireTalk, sessionView, stateMessage } from '../sessions/session-view';

const AFTER_THE_END: readonly FlowState[] = ['Ended', 'DebriefGenerating', 'DebriefReady'];

/** A caller that got 202 is told to ask again after this long: with a model a debrief takes some seconds. */
export const DEBRIEF_RETRY_SECONDS = 2;

export type DebriefAnswer = { readonly debrief: Debrief } | { readonly session: Session };

/** Ended becomes DebriefGenerating and the job is queued, in one transaction. A job that gave up is queued again. */
async function enqueue(context: SessionApiContext, sessionId: string): Promise<{ row: SessionRow; moved: boolean }> {
  const channel = await context.hub.channel(sessionId);
  return context.database.write(async (transaction) => {
    const session = await requireSession(transaction, sessionId);
    requireState(session, 'debrief', AFTER_THE_END);
    if (session.flow_state === 'DebriefReady') return { row: session, moved: false };
    const moved = session.flow_state === 'Ended';
    const row: SessionRow = moved
      ? {
          ...session,
          flow_state: 'DebriefGenerating',
          version: session.version + 1,
          seq_reserved: channel === null ? session.seq_reserved : context.hub.seqToReserve(channel),
        }
      : session;
    if (moved && !(await saveSession(transaction, row, session))) throw new Error('changed inside its own transaction');
    await enqueueDebrief(transaction, sessionId, context.now().toISOString());
    return { row, moved };
  });
}

/**
 * Generates the debrief, joins the wait for it, or answers the stored one.
 * @param respondAsync answer at once unless it is ready.
 * @throws ServiceError SESSION_NOT_FOUND, INVALID_STATE.
 */
export async function createDebrief(
  context: SessionApiContext,
  sessionId: string,
  respondAsync: boolean,
  requestId: string,
  signal: AbortSignal,
): Promise<DebriefAnswer> {
  const first = await requireTalk(context, sessionId);
  requireState(first, 'debrief', AFTER_THE_END);
  if (first.flow_state !== 'DebriefReady') {
    const { row, moved } = await enqueue(context, sessionId);
    // Another answer that is just being asked for comes too late: what is judged must not change.
    if (moved)
      context.turns
        .abort(sessionId)
        .catch((error: unknown) =>
          context.logger.warn({ session_id: sessionId, err: error }, 'a running answer could not be stopped'),
        );
    context.debriefs.watch(sessionId);
    if (moved) (await context.hub.channel(sessionId))?.publish(stateMessage(row));
    // A sleeping worker only makes the debrief wait: it polls, this only saves it the pause.
    callRoute(
      context.config.base.peers.debrief_worker,
      INTERNAL_ROUTES.wakeWorker,
      {},
      { requestId, timeoutMs: 2_000 },
    ).catch(() =>
      context.logger.info({ session_id: sessionId, request_id: requestId }, 'the debrief worker sleeps; the job waits'),
    );
    if (!respondAsync && row.flow_state !== 'DebriefReady')
      await context.debriefs.wait(sessionId, context.debriefWaitMs, signal);
  }
  const session = await requireTalk(context, sessionId);
  const debrief = session.flow_state === 'DebriefReady' ? await debriefOf(context, session) : null;
  return debrief === null ? { session: sessionView(context, session) } : { debrief };
}
