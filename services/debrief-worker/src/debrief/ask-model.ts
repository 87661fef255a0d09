import { callRoute, streamChat } from '@parley/shared/client';
import {
  ServiceError,
  type ChatFinal,
  type DebriefNarrative,
  type RuntimeHealth,
  type SayInstead,
  GATEWAY_ROUTES,
} from '@parley/shared/contracts';
import {
  adaptBetterLines,
  buildDebriefPrompt,
  checkNarrative,
  debriefSchema,
  parseNarrative,
  rewordLetter,
  turningPoints,
  type Letter,
} from '@parley/shared/engine';
import type { JudgedSession } from './judged-session';
import { letterGuard, letterInputOf } from './letter-material';
import type { WorkerContext } from '../context';
import type { SessionMaterial } from './session-material';

/** Feedback wants less invention than a character's speech. */
const TEMPERATURE = 0.4;
const PROBE_TIMEOUT_MS = 3_000;

export interface ModelNarrative {
  readonly narrative: DebriefNarrative;
  readonly model_id: string;
  /** Turns that the prompt had no room for. */
  readonly dropped_turns: number;
  /** With a rubric that has checks: the better lines, fitted to the talk where that passed. */
  readonly say_instead?: SayInstead[];
}

type Failure =
  /** Loading or queueing: worth waiting for. */
  | 'wait'
  /** Away, or its answer was of no use: worth a few more calls. */
  | 'retry'
  /** Has had its time. */
  | 'give_up';

async function runtimeHealth(context: WorkerContext, signal: AbortSignal): Promise<RuntimeHealth | null> {
  const gateway = context.config.base.peers.runtime_gateway;
  try {
    return await callRoute(gateway, GATEWAY_ROUTES.getRuntimeHealth, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Tokens that the active model takes; null when nobody says. */
async function contextLength(context: WorkerContext, signal: AbortSignal): Promise<number | null> {
  const gateway = context.config.base.peers.runtime_gateway;
  try {
    const [health, { models }] = await Promise.all([
      runtimeHealth(context, signal),
      callRoute(gateway, GATEWAY_ROUTES.listRuntimeModels, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS }),
    ]);
    const named = models.find((model) => model.id === health?.model_id);
    return (named ?? models.find((model) => model.loaded) ?? models[0])?.context_length ?? null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

async function failureOf(context: WorkerContext, error: unknown, signal: AbortSignal): Promise<Failure> {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'OVERLOADED') return 'wait';
  if (error.code === 'TURN_TIMEOUT') return 'give_up';
  if (error.code !== 'RUNTIME_UNAVAILABLE') return 'retry';
  return (await runtimeHealth(context, signal))?.status === 'STARTING' ? 'wait' : 'retry';
}

/** One call: the checked narrative, or null when nothing in the answer was usable. */
async function generate(
  context: WorkerContext,
  material: SessionMaterial,
  { scores, letter }: JudgedSession,
  signal: AbortSignal,
): Promise<ModelNarrative | null> {
  const { content, events, session, turns } = material;
  if (session.ending_type === null) return null;
  const prompt = buildDebriefPrompt({
    content,
    difficulty: session.difficulty,
    fence: session.fence,
    language: session.language,
    turns,
    events,
    scores,
    turning_points: turningPoints(content, events),
    ending: { type: session.ending_type, id: session.ending_id },
    focus_dimension: session.focus_dimension,
    ...(letter === null ? {} : { letter: { narrative: letter.narrative, say_instead: letter.parts.say_instead } }),
    context_length: await contextLength(context, signal),
  });
  const playerTurns = turns.filter(({ role }) => role === 'player').map(({ index }) => index);
  const final: ChatFinal = await streamChat(
    context.config.base.peers.runtime_gateway,
    {
      messages: prompt.messages,
      max_tokens: prompt.max_tokens,
      temperature: TEMPERATURE,
      json_schema: debriefSchema(playerTurns, letter?.parts.say_instead.length ?? 0),
    },
    () => undefined,
    { signal, quietTimeoutMs: context.config.quiet_seconds * 1_000 },
  );
  const written = { model_id: final.model_id, dropped_turns: prompt.dropped_turns };
  if (letter !== null) return rewordedNarrative(context, material, scores, letter, final, written);
  const checked = checkNarrative(parseNarrative(final.text, final.structured), { content, turns });
  if (checked.removed.length > 0)
    context.logger.info(
      { session_id: session.id, count: checked.removed.length },
      'parts of the narrative were removed',
    );
  if (checked.narrative === null) return null;
  return { narrative: checked.narrative, ...written };
}

/** The letter in the model's words where they pass; null when none of them did. */
function rewordedNarrative(
  context: WorkerContext,
  material: SessionMaterial,
  scores: JudgedSession['scores'],
  letter: Letter,
  final: ChatFinal,
  written: Omit<ModelNarrative, 'narrative'>,
): ModelNarrative | null {
  const { language, id } = material.session;
  const offered = parseNarrative(final.text, final.structured);
  const passes = letterGuard(material, scores);
  const { narrative, reworded, refused } = rewordLetter(letter.narrative, offered, passes);
  if (refused > 0) context.logger.info({ session_id: id, count: refused }, 'parts of the letter were not reworded');
  const { say_instead: ours } = letter.parts;
  const instead = adaptBetterLines(letterInputOf(material, scores), language, ours, offered?.['better_lines']);
  const adapted = instead.some((one) => one.adapted);
  return reworded === 0 && !adapted ? null : { narrative, say_instead: instead, ...written };
}

/**
 * The narrative as the model writes it, guardrails applied; null when the model cannot be had or gives nothing usable, so
 * that it must be written without one. A runtime that is away or answers badly is asked a few times within seconds, one
 * that is loading or busy is waited for.
 */
export async function askModel(
  context: WorkerContext,
  material: SessionMaterial,
  judged: JudgedSession,
  signal: AbortSignal,
): Promise<ModelNarrative | null> {
  const { policy, logger } = context;
  const patientUntil = performance.now() + policy.modelPatience;
  const retries = [...policy.modelRetries];
  for (;;) {
    let failure: Failure;
    let code = 'UNUSABLE';
    try {
      const written = await generate(context, material, judged, signal);
      if (written !== null) return written;
      failure = 'retry';
    } catch (error) {
      signal.throwIfAborted();
      failure = await failureOf(context, error, signal);
      code = (error as ServiceError).code;
    }
    const pause =
      failure === 'wait' && performance.now() < patientUntil
        ? policy.modelPause
        : failure === 'give_up'
          ? undefined
          : retries.shift();
    logger.info({ session_id: material.session.id, code, retry_in_ms: pause }, 'no narrative from the model');
    if (pause === undefined) return null;
    await context.pause(pause, signal);
  }
}
