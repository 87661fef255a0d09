import { Agent, request, type Dispatcher } from 'undici';
import { readChatLines } from './read-chat-lines';
import { silentLogger, type Environment } from '@parley/shared/service';
import { temporaryFolder } from '@parley/shared/testing';
import type { ChatItem, ChatRequestInput, Problem } from '@parley/shared/contracts';
import { readConfig } from '../src/config';
import type { ContextOverrides } from '../src/context';
import { startRuntimeGateway } from '../src/start';

export interface ChatOutcome {
  readonly status: number;
  readonly contentType: string;
  /** Empty when the answer was an error. */
  readonly items: ChatItem[];
  /** null when the answer was a stream. */
  readonly problem: Problem | null;
}

export interface RunningGateway {
  readonly url: string;
  readonly dataDir: string;
  get(path: string): Promise<{ status: number; body: unknown }>;
  send(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; body: unknown }>;
  /** Sends a chat and reads its whole answer. */
  chat(input?: Partial<ChatRequestInput>): Promise<ChatOutcome>;
  /** Sends a chat and leaves the answer unread. */
  openChat(input?: Partial<ChatRequestInput>, signal?: AbortSignal): Promise<Dispatcher.ResponseData>;
  stop(): Promise<void>;
}

const HELLO: ChatRequestInput = { messages: [{ role: 'user', content: 'Hello, can we talk?' }] };

const parsed = (text: string): unknown => (text === '' ? null : JSON.parse(text));

/** Starts the gateway for real, on a free port and in a temporary folder. */
export async function startGateway(
  environment: Environment = {},
  overrides: ContextOverrides = {},
): Promise<RunningGateway> {
  const folder = temporaryFolder('gateway');
  const config = readConfig({ SIM_GATEWAY_PORT: '0', SIM_DATA_DIR: folder.path, ...environment });
  const service = await startRuntimeGateway(config, silentLogger(), overrides);
  const url = `http://127.0.0.1:${service.port}`;
  const dispatcher = new Agent({ keepAliveTimeout: 1_000, headersTimeout: 0, bodyTimeout: 0 });

  const openChat: RunningGateway['openChat'] = (input = {}, signal) =>
    request(`${url}/runtime/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...HELLO, ...input }),
      dispatcher,
      ...(signal === undefined ? {} : { signal }),
    });

  const send: RunningGateway['send'] = async (method, path, body, headers = {}) => {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: parsed(await answer.body.text()) };
  };

  return {
    url,
    dataDir: folder.path,
    get: (path) => send('GET', path),
    send,
    openChat,
    async chat(input) {
      const answer = await openChat(input);
      const contentType = String(answer.headers['content-type']);
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        return { status: answer.statusCode, contentType, items: [], problem: parsed(text) as Problem };
      return { status: 200, contentType, items: readChatLines(text), problem: null };
    },
    async stop() {
      await dispatcher.close();
      await service.stop();
      folder.remove();
    },
  };
}
