import { streamChat } from '@parley/shared/client';
import {
  RuntimeUnavailableError,
  ServiceError,
  type ChatFinal,
  type ChatMessage,
  type Difficulty,
} from '@parley/shared/contracts';
import {
  createSpeechGate,
  createUtteranceStream,
  failedReply,
  keepShown,
  NOTHING_SAID,
  parseReply,
  type CompiledScenario,
  type DemoLine,
  type ParsedReply,
  type SaidBefore,
} from '@parley/shared/engine';
import type { Needs } from '../context';

export interface Reply {
  readonly parsed: ParsedReply;
  /** The model's whole answer; null when it gave none. */
  readonly raw: string | null;
  /** Whether the demo voice answered. */
  readonly demo: boolean;
}

export interface ReplyRequest {
  readonly sessionId: string;
  readonly scenario: CompiledScenario;
  readonly difficulty: Difficulty;
  /** The author's line for the demo voice; null when there is none for this moment. */
  readonly cue: DemoLine | null;
  /** What the reply must not say again. */
  readonly said: SaidBefore;
  readonly prompt: { readonly messages: ChatMessage[]; readonly max_tokens: number };
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Called with each piece of the utterance, decoded. */
  readonly onToken: (text: string) => void;
}

export type StreamNeeds = Needs<'config' | 'logger' | 'room'>;

/** Failures of the runtime that end the turn without a trace; any other one becomes the fallback utterance. */
function endsTurn(error: ServiceError): ServiceError | null {
  if (error.code === 'TURN_TIMEOUT' || error.code === 'TURN_ABORTED') return error;
  if (error.status !== 503) return null;
  const { message, code, details } = error;
  if (code === 'OVERLOADED') return new RuntimeUnavailableError(message, 'model_server_busy', { cause: error });
  return new ServiceError('RUNTIME_UNAVAILABLE', message, {
    ...(details === undefined ? {} : { details }),
    cause: error,
  });
}

/**
 * Step 4 of the turn: asks the runtime and passes the utterance on as it arrives. Model errors are absorbed.
 * @throws ServiceError RUNTIME_UNAVAILABLE, TURN_TIMEOUT or TURN_ABORTED: nothing of the turn is stored then.
 */
export async function streamReply(context: StreamNeeds, request: ReplyRequest): Promise<Reply> {
  const { scenario, said } = request;
  try {
    const { final, shown } = await ask(context, request);
    const demo = final.demo === true;
    // What the author wrote for the demo voice may take up the player's words.
    const parsed = parseReply(final.text, final.structured, scenario, demo ? NOTHING_SAID : said);
    if (parsed.reason !== 'repeated') return { parsed: goingOn(parsed, shown), raw: final.text, demo };
    const again = shown === '' ? await secondTry(context, request) : null;
    if (again !== null) return again;
    // A line that is said twice is better than the one that stands in for nothing.
    const unchecked = parseReply(final.text, final.structured, scenario);
    return { parsed: goingOn(unchecked, shown), raw: final.text, demo };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fatal = endsTurn(error);
    if (fatal !== null) throw fatal;
    context.logger.warn(
      { session_id: request.sessionId, request_id: request.requestId, code: error.code, reason: 'runtime_error' },
      'the model runtime answered with an error; the fallback stands in',
    );
    return { parsed: failedReply('runtime_error'), raw: null, demo: false };
  }
}

/** What was shown of a reply stays its beginning. */
function goingOn(parsed: ParsedReply, shown: string): ParsedReply {
  if (parsed.output === null) return parsed;
  const npc_utterance = keepShown(parsed.output.npc_utterance, shown);
  return { ...parsed, output: { ...parsed.output, npc_utterance } };
}

/** One more answer to the same words; null when it is no better, or cannot be had. */
async function secondTry(context: StreamNeeds, request: ReplyRequest): Promise<Reply | null> {
  context.logger.info(
    { session_id: request.sessionId, request_id: request.requestId, reason: 'repeated' },
    'the model said again what was said; it is asked once more',
  );
  try {
    const { final, shown } = await ask(context, request);
    const parsed = goingOn(parseReply(final.text, final.structured, request.scenario, request.said), shown);
    return parsed.output === null ? null : { parsed, raw: final.text, demo: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TURN_ABORTED') throw error;
    return null;
  }
}

/** One call of the runtime; what it says is shown as it comes, but for what may have to be taken back. */
async function ask(context: StreamNeeds, request: ReplyRequest): Promise<{ final: ChatFinal; shown: string }> {
  const { scenario, difficulty, prompt, cue, said } = request;
  const utterance = createUtteranceStream();
  const gate = createSpeechGate(said, scenario);
  const final = await streamChat(
    context.config.base.peers.runtime_gateway,
    {
      messages: prompt.messages,
      max_tokens: prompt.max_tokens,
      json_schema: scenario.outputSchema(difficulty),
      ...(cue === null ? {} : { cue: { text: cue.text, emotion: cue.emotion } }),
    },
    (text) => {
      const piece = gate.push(utterance.push(text), utterance.isWhole);
      if (piece !== '') request.onToken(piece);
    },
    {
      signal: request.signal,
      requestId: request.requestId,
      quietTimeoutMs: context.config.turn_quiet_seconds * 1000,
      affinity: request.sessionId,
    },
  );
  if (final.demo !== true && final.finish_reason !== 'length') context.room.proven();
  return { final, shown: gate.shown };
}
