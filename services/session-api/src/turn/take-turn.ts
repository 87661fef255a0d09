import {
  classifyInput,
  judgeLine,
  pickDemoLine,
  resolveTurn,
  type SafetyVerdict,
  type TurnOutcome,
} from '@parley/shared/engine';
import { ServiceError, type ScenarioContent, type TurnAnswer } from '@parley/shared/contracts';
import type { SessionRow } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { engineState, requireSession, requireState } from '../sessions/session-view';
import { commitTurn } from './commit-turn';
import { keptAnswerOf, keyOfOtherText } from './idempotency';
import { normalisePlayerText } from './player-text';
import { lineContext } from './line-context';
import { spokenBefore, turnPrompt } from './turn-prompt';
import { streamReply } from './stream-reply';

export interface TurnRequest {
  readonly sessionId: string;
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
}

/**
 * One player turn (interface, "Turn pipeline"): normalise, claim, precheck, prompt, stream, resolve, commit, publish. A
 * caller that goes away does not cancel it; end, cancel, delete and privacy/clear do.
 * @throws ServiceError as the route names them; a failed turn leaves no trace but its `error` on the socket.
 */
export async function takeTurn(context: SessionApiContext, request: TurnRequest): Promise<TurnAnswer> {
  const text = normalisePlayerText(request.text);
  const { sessionId, idempotencyKey: key } = request;
  if (key !== null && context.turns.isBusy(sessionId) && context.turns.of(sessionId)?.key !== key) {
    // What was answered is answered again, whatever else runs now.
    const session = await requireSession(context.database.knex, sessionId);
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
  const session = context.ready.session(sessionId) ?? (await requireSession(context.database.knex, sessionId));
  if (idempotencyKey !== null) {
    const repeated = await keptAnswerOf(context, session, idempotencyKey, text);
    if (repeated !== null) return repeated;
  }
  requireState(session, 'turn', ['PlayerTurnListening']);
  const channel = await context.hub.channel(sessionId);
  if (channel === null)
    throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted.');
  const finish = context.metrics.duration.startTimer();
  try {
    const answer = await play(context, request, session, channel, signal);
    finish({ outcome: 'stored' });
    return answer;
  } catch (error) {
    finish({ outcome: error instanceof ServiceError ? error.code : 'INTERNAL' });
    tellSockets(channel, error);
    throw error;
  }
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
  const { scenario_id: scenarioId, scenario_version: version, language, difficulty } = session;
  const content = await context.scenarios.version(scenarioId, version, language, requestId);
  const safety = precheck(context, content, text);
  const spoken = await spokenBefore(context, session);
  const judgement = judgeLine(lineContext(context, session, content, spoken), text);
  const state = engineState(session);
  const cue = pickDemoLine({ content, difficulty, language, state, judgement });
  const reply = answeredByPolicy(safety)
    ? null
    : await streamReply(context, {
        sessionId: session.id,
        content,
        difficulty,
        cue,
        prompt: await turnPrompt(context, session, content, spoken, text),
        requestId,
        signal,
        onToken: (piece) => {
          if (!signal.aborted) channel.publish({ type: 'npc.token', payload: { text: piece } });
        },
      });
  const outcome = resolveTurn({
    content,
    difficulty,
    language,
    state,
    judgement,
    reply: reply?.parsed ?? null,
    player_turn_index: session.turn_count + 1,
    ...(safety === null ? {} : { precheck: safety }),
    ...(reply?.demo === true ? { demo: { line: cue?.index ?? null } } : {}),
  });
  report(context, session, outcome, requestId);
  const key = idempotencyKey === null ? null : { key: idempotencyKey, textHash: context.digests.of(session, text) };
  const raw = reply?.raw ?? null;
  const committed = await commitTurn(context, { session, spoken, channel, text, outcome, raw, key, signal });
  for (const message of committed.answer.events) channel.publish(message);
  return committed.answer;
}

/** Step 2. Accepts everything unless the classifier is connected (SIM_SAFETY_PRECHECK=enforce). */
function precheck(context: SessionApiContext, content: ScenarioContent, text: string): SafetyVerdict | null {
  return context.config.safety_precheck === 'enforce' ? classifyInput(text, content.policy) : null;
}

const answeredByPolicy = (verdict: SafetyVerdict | null): boolean => verdict !== null && verdict.action !== 'ok';

/** What the model did wrong is logged by the names of members and variables, never by what it wrote. */
function report(context: SessionApiContext, session: SessionRow, outcome: TurnOutcome, requestId: string): void {
  const fields = { session_id: session.id, request_id: requestId, turn: outcome.state.turn_index };
  for (const rejection of outcome.rejected)
    if (rejection.reason === 'unknown_variable')
      context.logger.warn({ ...fields, reason: rejection.reason }, 'the model named a variable that does not exist');
  for (const dropped of outcome.dropped)
    context.logger.info(
      { ...fields, member: dropped.member, reason: dropped.reason },
      'a member of the answer was dropped',
    );
  if (outcome.used_fallback) {
    const reason = outcome.fallback_reason ?? 'unknown';
    context.metrics.fallbacks.inc({ reason });
    context.logger.info({ ...fields, reason }, 'the fallback utterance stands in');
  }
}

/** A failed turn leaves no trace but this message. */
function tellSockets(live: SessionChannel, error: unknown): void {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL', 'Something went wrong inside Parley; try again.');
  live.publish({
    type: 'error',
    payload: {
      code: known.code,
      message: known.message,
      ...(known.details === undefined ? {} : { details: known.details }),
    },
  });
}
