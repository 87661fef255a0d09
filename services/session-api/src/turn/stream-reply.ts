import { streamChat } from '@parley/shared/client';
import { ServiceError, type ChatMessage, type ScenarioContent, type Difficulty } from '@parley/shared/contracts';
import {
  createUtteranceStream,
  failedReply,
  npcOutputSchema,
  parseReply,
  type DemoLine,
  type ParsedReply,
} from '@parley/shared/engine';
import type { SessionApiContext } from '../context';

export interface Reply {
  readonly parsed: ParsedReply;
  /** The model's whole answer; null when it gave none. */
  readonly raw: string | null;
  /** Whether the demo voice answered. */
  readonly demo: boolean;
}

export interface ReplyRequest {
  readonly sessionId: string;
  readonly content: ScenarioContent;
  readonly difficulty: Difficulty;
  /** The author's line for the demo voice; null when there is none for this moment. */
  readonly cue: DemoLine | null;
  readonly prompt: { readonly messages: ChatMessage[]; readonly max_tokens: number };
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Called with each piece of the utterance, decoded. */
  readonly onToken: (text: string) => void;
}

/** Failures of the runtime that end the turn without a trace; any other one becomes the fallback utterance. */
function endsTurn(error: ServiceError): ServiceError | null {
  if (error.code === 'TURN_TIMEOUT' || error.code === 'TURN_ABORTED') return error;
  if (error.status !== 503) return null;
  return new ServiceError('RUNTIME_UNAVAILABLE', error.message, { cause: error });
}

/**
 * Step 4 of the turn: asks the runtime and passes the utterance on as it arrives. Model errors are absorbed.
 * @throws ServiceError RUNTIME_UNAVAILABLE, TURN_TIMEOUT or TURN_ABORTED: nothing of the turn is stored then.
 */
export async function streamReply(context: SessionApiContext, request: ReplyRequest): Promise<Reply> {
  const { content, difficulty, prompt, cue } = request;
  const utterance = createUtteranceStream();
  try {
    const final = await streamChat(
      context.config.base.peers.runtime_gateway,
      {
        messages: prompt.messages,
        max_tokens: prompt.max_tokens,
        json_schema: npcOutputSchema(content, difficulty) as Record<string, unknown>,
        ...(cue === null ? {} : { cue: { text: cue.text, emotion: cue.emotion } }),
      },
      (text) => {
        const piece = utterance.push(text);
        if (piece !== '') request.onToken(piece);
      },
      {
        signal: request.signal,
        requestId: request.requestId,
        quietTimeoutMs: context.config.turn_quiet_seconds * 1000,
        affinity: request.sessionId,
      },
    );
    return { parsed: parseReply(final.text, final.structured, content), raw: final.text, demo: final.demo === true };
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
