import { callRoute, streamChat } from '@parley/shared/client';
import { ServiceError, type CheckOpinion, GATEWAY_ROUTES } from '@parley/shared/contracts';
import {
  majorityOpinion,
  opinionPrompt,
  questionsFor,
  readOpinions,
  type OpinionQuestions,
} from '@parley/shared/engine';
import type { WorkerContext } from '../context';
import type { Opinions } from './judged-session';
import type { SessionMaterial } from './session-material';

/** A judge is to say the same twice. */
const TEMPERATURE = 0;
const PROBE_TIMEOUT_MS = 3_000;

/** The demo voice has canned answers: it is no reader. Unknown counts as one that can be asked. */
async function canJudge(context: WorkerContext, signal: AbortSignal): Promise<boolean> {
  const gateway = context.config.base.peers.runtime_gateway;
  try {
    const { id } = await callRoute(gateway, GATEWAY_ROUTES.getRuntime, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS });
    return id !== 'fake';
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return false;
  }
}

interface Reading {
  readonly opinions: CheckOpinion[];
  readonly model_id: string;
}

/** One reading of one dimension; null when its answer could not be read. @throws ServiceError as the gateway says */
async function readOnce(
  context: WorkerContext,
  material: SessionMaterial,
  questions: OpinionQuestions,
  signal: AbortSignal,
): Promise<Reading | null> {
  const spoken = material.turns.map(({ index, role, text }) => ({ turn_index: index, role, text }));
  const prompt = opinionPrompt(questions, spoken, material.session.fence);
  const final = await streamChat(
    context.config.base.peers.runtime_gateway,
    { ...prompt, temperature: TEMPERATURE },
    () => undefined,
    { signal, quietTimeoutMs: context.config.quiet_seconds * 1_000 },
  );
  // The reader sees the whole talk; what the policy answered proves nothing.
  const judged = spoken.filter(({ turn_index }) => !material.by_policy.has(turn_index));
  const opinions = readOpinions(questions, judged, final.text, final.structured);
  return opinions === null ? null : { opinions, model_id: final.model_id };
}

/**
 * Asks the model the checks that no rule can tell, one call a dimension and reading. null when there is nothing to ask or
 * nobody who could answer: those checks are then not judged. A dimension whose answers fail is left out alone.
 */
export async function secondOpinion(
  context: WorkerContext,
  material: SessionMaterial,
  signal: AbortSignal,
): Promise<Opinions | null> {
  const { content, session } = material;
  const asked = questionsFor(content, session.language);
  if (asked.length === 0 || !(await canJudge(context, signal))) return null;
  const readings: CheckOpinion[][] = Array.from({ length: context.config.judge_reads }, () => []);
  const settled: CheckOpinion[] = [];
  let model: string | null = null;
  for (const questions of asked) {
    const own: CheckOpinion[][] = [];
    for (const reading of readings) {
      try {
        const read = await readOnce(context, material, questions, signal);
        if (read === null) continue;
        own.push(read.opinions);
        reading.push(...read.opinions);
        model = read.model_id;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        context.logger.info({ session_id: session.id, code: error.code }, 'no second opinion from the model');
      }
    }
    if (own.length > 0) settled.push(...majorityOpinion(own));
  }
  return settled.length === 0
    ? null
    : { settled, readings: readings.filter(({ length }) => length > 0), model_id: model };
}

/** The same without the words that were quoted: what is stored of a session whose transcript is not. */
export function withoutQuotations(opinions: Opinions): Opinions {
  const bare = (ones: readonly CheckOpinion[]): CheckOpinion[] =>
    ones.map((one) => ({ ...one, quote: null, span: null }));
  return { ...opinions, settled: bare(opinions.settled), readings: opinions.readings.map(bare) };
}
