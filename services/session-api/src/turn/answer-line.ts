import { judgeLine, pickDemoLine, resolveTurn, type TurnOutcome } from '@parley/shared/engine';
import type { SessionRow, SpokenTurn } from '@parley/shared/store';
import type { Needs } from '../context';
import type { SessionChannel } from '../live/session-channel';
import { engineState, turnText } from '../sessions/session-view';
import { lineContext, saidBefore } from './line-context';
import { answeredByPolicy, precheck } from './precheck';
import { streamReply, type StreamNeeds } from './stream-reply';
import { turnPrompt, type PromptNeeds } from './turn-prompt';

type AnswerNeeds = PromptNeeds & StreamNeeds & Needs<'scenarios' | 'prewarming' | 'metrics' | 'errors'>;

export interface LineToAnswer {
  /** As it stands before the line. */
  readonly session: SessionRow;
  /** What was said before the line, oldest first. */
  readonly spoken: readonly SpokenTurn[];
  readonly text: string;
  readonly channel: SessionChannel;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Earlier answers to the same line, which were put aside. */
  readonly putAside?: readonly string[];
}

export interface LineAnswer {
  readonly outcome: TurnOutcome;
  /** The model's whole answer; null when it gave none. */
  readonly raw: string | null;
}

/**
 * Steps 2 to 7 of the turn: precheck, prompt, stream, resolve. The words reach the sockets as they arrive; nothing is stored.
 * @throws ServiceError SCENARIO_NOT_FOUND, SERVICE_UNAVAILABLE, RUNTIME_UNAVAILABLE, TURN_TIMEOUT, TURN_ABORTED.
 */
export async function answerLine(context: AnswerNeeds, line: LineToAnswer): Promise<LineAnswer> {
  const { session, spoken, text, channel, requestId, signal } = line;
  const { scenario_id: scenarioId, scenario_version: version, language, difficulty } = session;
  const scenario = await context.scenarios.version(scenarioId, version, language, requestId);
  const { content } = scenario;
  const safety = precheck(context, content, text);
  const moment = lineContext(context, session, content, spoken);
  const judgement = judgeLine(moment, text);
  const state = engineState(session);
  const cue = pickDemoLine({ ...moment, difficulty, state, text, judgement, put_aside: line.putAside ?? [] });
  const prompt = answeredByPolicy(safety) ? null : await turnPrompt(context, session, scenario, spoken, text);
  if (prompt !== null) await context.prewarming.settled(session.id, signal);
  const reply =
    prompt === null
      ? null
      : await streamReply(context, {
          sessionId: session.id,
          scenario,
          difficulty,
          cue,
          said: saidBefore(
            spoken.map((turn) => ({ role: turn.role, text: turnText(context, session, turn) })),
            text,
          ),
          prompt,
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
    player_text: text,
    judgement,
    reply: reply?.parsed ?? null,
    player_turn_index: session.turn_count + 1,
    ...(safety === null ? {} : { precheck: safety }),
    ...(reply?.demo === true ? { demo: { line: cue?.index ?? null } } : {}),
  });
  report(context, session, outcome, requestId);
  return { outcome, raw: reply?.raw ?? null };
}

/** What the model did wrong is logged by the names of members and variables, never by what it wrote. */
function report(
  context: Needs<'logger' | 'metrics' | 'errors'>,
  session: SessionRow,
  outcome: TurnOutcome,
  requestId: string,
): void {
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
    if (reason === 'runtime_error') context.errors.add('RUNTIME_ERROR');
    context.logger.info({ ...fields, reason }, 'the fallback utterance stands in');
  }
}
