import type { TurnAnswer } from '@parley/shared/contracts';
import type { SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { requireState, requireTalk } from '../sessions/session-view';
import { answerLine } from './answer-line';
import { attemptTurn, requireChannel } from './attempt-turn';
import { commitTurn } from './commit-turn';
import { keptAnswerOf } from './idempotency';
import { normalisePlayerText } from './player-text';
import type { TurnPlace } from './running-turns';
import { spokenBefore } from './turn-prompt';

export interface TurnRequest {
  readonly sessionId: string;
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
}

/**
 * One player turn (docs/interface.md, Turn pipeline): normalise, precheck, prompt, generate, parse, changes, events and endings,
 * commit, answer. A caller that goes away does not cancel it; end, cancel, delete and privacy/clear do.
 * @throws ServiceError as the route names them; a failed turn leaves no trace but its `error` on the socket.
 */
export async function takeTurn(context: SessionApiContext, given: TurnRequest): Promise<TurnAnswer> {
  // 1. Normalise.
  const request = { ...given, text: normalisePlayerText(given.text) };
  const { sessionId, text, idempotencyKey: key } = request;
  return context.turns.enter({ sessionId, key, text }, (place) => turnAt(context, request, place));
}

/** In its place among the turns of the session: an answer that was given is given again, whatever else runs; else the turn is played. */
async function turnAt(context: SessionApiContext, request: TurnRequest, place: TurnPlace): Promise<TurnAnswer> {
  const { sessionId, text, idempotencyKey: key } = request;
  if (key === null) place.require();
  const session = context.ready.session(sessionId) ?? (await requireTalk(context, sessionId));
  const earlier = key === null ? null : await keptAnswerOf(context, session, key, text);
  if (earlier !== null) return earlier;
  place.require();
  requireState(session, 'turn', ['PlayerTurnListening']);
  const channel = await requireChannel(context, sessionId);
  return attemptTurn(context, channel, () => play(context, request, session, channel, place));
}

async function play(
  context: SessionApiContext,
  { text, requestId, idempotencyKey }: TurnRequest,
  session: SessionRow,
  channel: SessionChannel,
  place: TurnPlace,
): Promise<TurnAnswer> {
  const spoken = await spokenBefore(context, session);
  // 2 to 7. Precheck, prompt, generate, parse, changes, events and endings.
  const line = { session, spoken, text, channel, requestId, signal: place.signal };
  const { outcome, raw } = await answerLine(context, line);
  // 8. Commit.
  const key = idempotencyKey === null ? null : { key: idempotencyKey, textHash: context.digests.of(session, text) };
  const answer = await commitTurn(context, { session, spoken, channel, text, outcome, raw, key, place });
  // 9. Answer.
  for (const message of answer.events) channel.publish(message);
  return answer;
}
