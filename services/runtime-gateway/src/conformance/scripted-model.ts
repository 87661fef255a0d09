import {
  chunkOf,
  LAST_CHUNK,
  plainAnswer,
  startScriptedUpstream,
  streamHead,
  type Line,
  type ScriptedUpstream,
  type UpstreamCall,
} from './scripted-upstream';

export type Dialect = 'openai' | 'native';

/** How the scripted model server behaves: the word stands in the prompt of a chat. */
export type Behaviour =
  'usual' | 'busy' | 'error' | 'error-later' | 'cut' | 'stall' | 'stall-later' | 'flood' | 'endless';

export const askFor = (behaviour: Behaviour): string => `Please do this: conformance-${behaviour}.`;

/** A chat that runs on the scripted server. */
export interface ScriptedChat {
  readonly behaviour: Behaviour;
  readonly call: UpstreamCall;
  /** Bytes that the server could get rid of so far. */
  sentBytes: number;
}

export interface ScriptedModel {
  readonly chats: readonly ScriptedChat[];
  close(): Promise<void>;
}

const FLOOD_BYTES = 256 * 1024 * 1024;

const WORDS = ['Tea ', 'is ', 'best ', 'hot.'];
const OBEDIENT = '{"npc_utterance":"Tea is best hot.","npc_emotion":"warm"}';

interface Speech {
  readonly contentType: string;
  piece(text: string): string;
  readonly end: string;
  error(): string;
}

const SPEECHES: Readonly<Record<Dialect, Speech>> = {
  openai: {
    contentType: 'text/event-stream',
    piece: (content) =>
      chunkOf(`data: ${JSON.stringify({ model: 'scripted', choices: [{ delta: { content } }] })}\n\n`),
    end:
      chunkOf('data: {"model":"scripted","choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n') +
      LAST_CHUNK,
    error: () => chunkOf('data: {"error":{"code":500,"message":"boom","type":"server_error"}}\n\n') + LAST_CHUNK,
  },
  native: {
    contentType: 'application/x-ndjson',
    piece: (content) =>
      chunkOf(`${JSON.stringify({ model: 'scripted', message: { role: 'assistant', content }, done: false })}\n`),
    end:
      chunkOf(`${JSON.stringify({ model: 'scripted', message: { content: '' }, done: true, done_reason: 'stop' })}\n`) +
      LAST_CHUNK,
    error: () => chunkOf('{"error":"boom"}\n') + LAST_CHUNK,
  },
};

const ERROR_BODIES: Readonly<Record<Dialect, string>> = {
  openai: '{"error":{"code":500,"message":"boom","type":"server_error"}}',
  native: '{"error":"boom"}',
};

function behaviourOf(body: string): Behaviour {
  return (/conformance-([a-z-]+)\./.exec(body)?.[1] ?? 'usual') as Behaviour;
}

/** Answers that are not chats. */
function aside(call: UpstreamCall): string | null {
  const models = { models: [{ name: 'scripted', model: 'scripted', size: 1, digest: 'd' }] };
  const answers: Readonly<Record<string, string>> = {
    '/': plainAnswer(200, 'Ollama is running', 'text/plain'),
    '/health': plainAnswer(200, '{"status":"ok"}'),
    '/v1/models': plainAnswer(200, '{"data":[{"id":"scripted"}]}'),
    '/api/tags': plainAnswer(200, JSON.stringify(models)),
    '/api/ps': plainAnswer(200, '{"models":[]}'),
    '/api/show': plainAnswer(200, '{}'),
  };
  return answers[call.path] ?? null;
}

/**
 * A model server for the conformance run, in one of the two dialects: a gateway that is pointed at it can be led into every
 * kind of trouble by what the prompt says.
 */
export async function startScriptedModel(
  dialect: Dialect,
  port = 0,
): Promise<ScriptedModel & { readonly url: string }> {
  const speech = SPEECHES[dialect];
  const chats: ScriptedChat[] = [];
  const upstream: ScriptedUpstream = await startScriptedUpstream((call, line) => {
    const other = aside(call);
    if (other !== null) return line.write(other);
    const chat: ScriptedChat = { behaviour: behaviourOf(call.body), call, sentBytes: 0 };
    chats.push(chat);
    return answer(chat, line);
  }, port);

  const answer = async (chat: ScriptedChat, line: Line): Promise<void> => {
    const { behaviour, call } = chat;
    if (behaviour === 'stall') return;
    if (behaviour === 'busy') return line.write(plainAnswer(503, ERROR_BODIES[dialect]));
    if (behaviour === 'error') return line.write(plainAnswer(500, ERROR_BODIES[dialect]));
    await line.write(streamHead(speech.contentType));
    if (behaviour === 'flood' || behaviour === 'endless') {
      const piece = speech.piece(behaviour === 'flood' ? 'x'.repeat(16_000) : 'x ');
      while (!call.closed.aborted && chat.sentBytes < FLOOD_BYTES) {
        await line.write(piece);
        chat.sentBytes += piece.length;
        if (behaviour === 'endless') await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return;
    }
    const wantsSchema = call.body.includes('npc_utterance');
    for (const word of wantsSchema ? [OBEDIENT] : WORDS) await line.write(speech.piece(word));
    if (behaviour === 'error-later') return line.write(speech.error());
    if (behaviour === 'cut') return line.end();
    if (behaviour !== 'stall-later') await line.write(speech.end);
  };
  return { url: upstream.url, chats, close: () => upstream.close() };
}
