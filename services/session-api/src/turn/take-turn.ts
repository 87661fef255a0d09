import { classifyInput, resolveTurn, type SafetyVerdict, type TurnOutcome } from '@parley/shared/engine';
import { ServiceError, type ScenarioContent, type TurnAnswer } from '@parley/shared/contracts';
import type { SessionRow } from '@parley/shared/store';
import { hashText, type SessionApiContext } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { engineState, requireSession, requireState } from '../sessions/session-view';
import { commitTurn } from './commit-turn';
import { repeatedAnswer } from './idempotency';
import { normalisePlayerText } from './player-text';
import { turnPrompt } from './turn-prompt';
import { streamReply, type Reply } from './stream-reply';

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
  const session = await requireSession(context.database.knex, request.sessionId);
  const key = request.idempotencyKey;
  if (key !== null) {
    const repeated = await repeatedAnswer(context, session, key, text);
    if (repeated !== null) return repeated;
  }
  requireState(session, 'turn', ['PlayerTurnListening']);
  const keyed = key === null ? null : { key, textHash: hashText(session, text) };
  return context.turns.run(session.id, key, keyed?.textHash ?? null, (signal) =>
    runTurn(context, { ...request, text }, keyed, signal),
  );
}

/** The claimed turn. The session is read again: it may have moved on while the turn before was running. */
async function runTurn(
  context: SessionApiContext,
  request: TurnRequest,
  key: { readonly key: string; readonly textHash: string } | null,
  signal: AbortSignal,
): Promise<TurnAnswer> {
  const { sessionId, text, requestId } = request;
  const finish = context.metrics.duration.startTimer();
  let live: SessionChannel | null = null;
  try {
    live = await context.hub.channel(sessionId);
    const session = await requireSession(context.database.knex, sessionId);
    requireState(session, 'turn', ['PlayerTurnListening']);
    if (live === null)
      throw new ServiceError('SESSION_NOT_FOUND', 'There is no such session; it may have been deleted.');
    const channel = live;
    const content = await context.scenarios.version(
      session.scenario_id,
      session.scenario_version,
      session.language,
      requestId,
    );
    const safety = precheck(context, content, text);
    const reply = answeredByPolicy(safety)
      ? NO_REPLY
      : await streamReply(context, {
          sessionId,
          content,
          difficulty: session.difficulty,
          prompt: await turnPrompt(context, session, content, text),
          requestId,
          signal,
          onToken: (piece) => {
            if (!signal.aborted) channel.publish({ type: 'npc.token', payload: { text: piece } });
          },
        });
    const outcome = resolveTurn({
      content,
      difficulty: session.difficulty,
      state: engineState(session),
      reply: reply?.parsed ?? null,
      player_turn_index: session.turn_count + 1,
      ...(safety === null ? {} : { precheck: safety }),
    });
    report(context, session, outcome, requestId);
    const raw = reply?.raw ?? null;
    const committed = await commitTurn(context, { session, channel, text, outcome, raw, key, signal });
    for (const message of committed.answer.events) channel.publish(message);
    finish({ outcome: 'stored' });
    return committed.answer;
  } catch (error) {
    finish({ outcome: error instanceof ServiceError ? error.code : 'INTERNAL' });
    tellSockets(live, error);
    throw error;
  }
}

const NO_REPLY: Reply | null = null;

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
function tellSockets(live: SessionChannel | null, error: unknown): void {
  if (live === null) return;
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
