import { callRoute, streamChat } from '@parley/shared/client';
import { ServiceError, type ChatFinal, type DebriefNarrative, type RuntimeHealth } from '@parley/shared/contracts';
import { buildDebriefPrompt, checkNarrative, debriefSchema, parseNarrative, scoreSession, turningPoints } from '@parley/shared/engine'; // prettier-ignore
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
    return await callRoute(gateway, 'getRuntimeHealth', {}, { signal, timeoutMs: PROBE_TIMEOUT_MS });
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
      callRoute(gateway, 'listRuntimeModels', {}, { signal, timeoutMs: PROBE_TIMEOUT_MS }),
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
  signal: AbortSignal,
): Promise<ModelNarrative | null> {
  const { content, events, session, turns, observations } = material;
  if (session.ending_type === null) return null;
  const scores = scoreSession(content, observations, session.self_ratings);
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
    context_length: await contextLength(context, signal),
  });
  const playerTurns = turns.filter(({ role }) => role === 'player').map(({ index }) => index);
  const final: ChatFinal = await streamChat(
    context.config.base.peers.runtime_gateway,
    {
      messages: prompt.messages,
      max_tokens: prompt.max_tokens,
      temperature: TEMPERATURE,
      json_schema: debriefSchema(playerTurns),
    },
    () => undefined,
    { signal, quietTimeoutMs: context.config.quiet_seconds * 1_000 },
  );
  const checked = checkNarrative(parseNarrative(final.text, final.structured), { content, turns });
  if (checked.removed.length > 0)
    context.logger.info(
      { session_id: session.id, count: checked.removed.length },
      'parts of the narrative were removed',
    );
  if (checked.narrative === null) return null;
  return { narrative: checked.narrative, model_id: final.model_id, dropped_turns: prompt.dropped_turns };
}

/**
 * The narrative as the model writes it, guardrails applied; null when the model cannot be had or gives nothing usable, so
 * that it must be written without one. A runtime that is away or answers badly is asked a few times within seconds, one
 * that is loading or busy is waited for.
 */
export async function askModel(
  context: WorkerContext,
  material: SessionMaterial,
  signal: AbortSignal,
): Promise<ModelNarrative | null> {
  const { policy, logger } = context;
  const patientUntil = performance.now() + policy.modelPatience;
  const retries = [...policy.modelRetries];
  for (;;) {
    let failure: Failure;
    let code = 'UNUSABLE';
    try {
      const written = await generate(context, material, signal);
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
