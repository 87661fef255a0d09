import type { TurnAnswer } from '@parley/shared/contracts';
import type { SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { requireSession, requireState } from '../sessions/session-view';
import { answerLine } from './answer-line';
import { attemptTurn, requireChannel } from './attempt-turn';
import { commitTurn } from './commit-turn';
import { keptAnswerOf, keyOfOtherText } from './idempotency';
import { normalisePlayerText } from './player-text';
import { spokenBefore } from './turn-prompt';

export interface TurnRequest {
  readonly sessionId: string;
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
}

/**
 * One player turn (docs/interface.md, Turn pipeline): normalise, claim, precheck, prompt, stream, resolve, commit,
 * publish. A caller that goes away does not cancel it; end, cancel, delete and privacy/clear do.
 * @throws ServiceError as the route names them; a failed turn leaves no trace but its `error` on the socket.
 */
export async function takeTurn(context: SessionApiContext, request: TurnRequest): Promise<TurnAnswer> {
  const text = normalisePlayerText(request.text);
  const { sessionId, idempotencyKey: key } = request;
  if (key !== null && context.turns.isBusy(sessionId) && context.turns.of(sessionId)?.key !== key) {
    // What was answered is answered again, whatever else runs now.
    const session = await requireSession(context.database, sessionId);
    const repeated = await keptAnswerOf(context, session, key, text);
    if (repeated !== null) return repeated;
  }
  const running = context.turns.of(sessionId);
  if (running !== undefined && key !== null && running.key === key) {
    if (running.text !== text) throw keyOfOtherText();
    return running.done;
  }
  return context.turns.run(sessionId, key, text, (signal) => runTurn(context, { ...request, text }, signal));
}

/** The claimed turn: from here on nobody else takes a turn of this session. */
async function runTurn(context: SessionApiContext, request: TurnRequest, signal: AbortSignal): Promise<TurnAnswer> {
  const { sessionId, text, idempotencyKey } = request;
  const session = context.ready.session(sessionId) ?? (await requireSession(context.database, sessionId));
  if (idempotencyKey !== null) {
    const repeated = await keptAnswerOf(context, session, idempotencyKey, text);
    if (repeated !== null) return repeated;
  }
  requireState(session, 'turn', ['PlayerTurnListening']);
  const channel = await requireChannel(context, sessionId);
  return attemptTurn(context, channel, () => play(context, request, session, channel, signal));
}

/** Steps 2 to 9. */
async function play(
  context: SessionApiContext,
  request: TurnRequest,
  session: SessionRow,
  channel: SessionChannel,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const { text, requestId, idempotencyKey } = request;
  const spoken = await spokenBefore(context, session);
  const { outcome, raw } = await answerLine(context, { session, spoken, text, channel, requestId, signal });
  const key = idempotencyKey === null ? null : { key: idempotencyKey, textHash: context.digests.of(session, text) };
  const committed = await commitTurn(context, { session, spoken, channel, text, outcome, raw, key, signal });
  for (const message of committed.answer.events) channel.publish(message);
  return committed.answer;
}
