import type { Agent, IncomingMessage } from 'node:http';
import {
  AFFINITY_HEADER,
  ChatItem,
  GATEWAY_ROUTES,
  RuntimeUnavailableError,
  ServiceError,
  type ChatFinal,
  type ChatRequestInput,
} from '@parley/shared/contracts';
import { errorOfAnswer } from './call-route';
import { JsonLines } from './json-lines';
import { discardBody, peerRequest, readText } from './peer-request';

export interface StreamChatOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string;
  /** Milliseconds without a byte after which the gateway counts as stalled. */
  readonly quietTimeoutMs: number;
  readonly agent?: Agent;
  /** Names the session to the gateway, which keeps its prompts at one of its model servers. */
  readonly affinity?: string;
}

const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;

const gatewayGone = (cause?: unknown): ServiceError =>
  new RuntimeUnavailableError(
    'The model runtime cannot be reached. Check the model server and that all of Parley runs, then send it again.',
    'gateway_unreachable',
    { cause },
  );

/**
 * Generates through a gateway: calls `onToken` for each token item as it arrives and answers the one final item.
 * @throws ServiceError RUNTIME_UNAVAILABLE (refused, lost, or ended without a final item), TURN_TIMEOUT (no byte within
 * the quiet timeout), RUNTIME_ERROR (the model server answered with an error), or what else the gateway said. When
 * `signal` aborts, the connection is closed at once, which cancels the generation, and the signal's reason is thrown.
 */
export async function streamChat(
  gatewayUrl: string,
  request: ChatRequestInput,
  onToken: (text: string) => void,
  options: StreamChatOptions,
): Promise<ChatFinal> {
  const { signal } = options;
  signal?.throwIfAborted();
  let close = (_reason: Error): void => undefined;
  const follow = (): void => close(new Error('aborted'));
  signal?.addEventListener('abort', follow, { once: true });
  let stalled = false;
  let rest: IncomingMessage | undefined;
  const quiet = setTimeout(() => {
    stalled = true;
    close(new Error('quiet'));
  }, options.quietTimeoutMs);
  try {
    const answer = await peerRequest(`${gatewayUrl}${GATEWAY_ROUTES.chat.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
        ...(options.affinity === undefined ? {} : { [AFFINITY_HEADER]: options.affinity }),
      },
      body: JSON.stringify(request),
      // Reading a long prompt, or waiting for a slot, gives no item for a while: our gateway says meanwhile that it lives.
      onInterim: () => quiet.refresh(),
      onOpen: (closeIt) => {
        close = closeIt;
        if (signal?.aborted === true) follow();
      },
      ...(options.agent === undefined ? {} : { agent: options.agent }),
    });
    quiet.refresh();
    if (answer.statusCode !== 200) {
      const status = answer.statusCode ?? 0;
      const error = errorOfAnswer('runtime_gateway', status, await readText(answer, MAX_ERROR_BYTES));
      // Any other 503 (a proxy in front, a loading server) means the same to a player.
      throw error.code === 'SERVICE_UNAVAILABLE' && status === 503 ? gatewayGone(error) : error;
    }
    const final = await readItems(answer, onToken, () => quiet.refresh());
    rest = answer;
    return final;
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (stalled)
      throw new ServiceError(
        'TURN_TIMEOUT',
        'The model gave no sign of life for too long. Send it again, or choose a smaller model.',
      );
    if (error instanceof ServiceError) throw error;
    throw gatewayGone(error);
  } finally {
    clearTimeout(quiet);
    signal?.removeEventListener('abort', follow);
    // Gateways end the answer after its final item; any other way out of here must close the connection.
    if (rest === undefined) close(new Error('given up'));
    else discardBody(rest);
  }
}

const brokenGateway = (): ServiceError =>
  new ServiceError('RUNTIME_ERROR', 'The gateway sent a line that is not part of the chat protocol.');

/**
 * Reads the answer as it comes, without a pause between a piece's arrival and its items.
 * @throws ServiceError of an error item, or what broke the stream.
 */
function readItems(answer: IncomingMessage, onToken: (text: string) => void, alive: () => void): Promise<ChatFinal> {
  const source = new JsonLines(MAX_LINE_CHARACTERS);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      answer.off('data', onData).off('end', onEnd).off('error', reject).off('close', onEnd);
    };
    /** @returns whether it was the last item that matters. */
    const take = (line: string): boolean => {
      const item = itemOf(line);
      if (item.type === 'token') {
        onToken(item.text);
        return false;
      }
      if (item.type === 'error') throw errorOfItem(item);
      settle();
      resolve(item);
      return true;
    };
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        settle();
        reject(error as Error);
      }
    };
    const onData = (bytes: Buffer): void =>
      guarded(() => {
        alive();
        const { lines, overflow } = source.feed(bytes);
        if (overflow) throw brokenGateway();
        lines.some(take);
      });
    const onEnd = (): void =>
      guarded(() => {
        if (!source.end().lines.some(take)) throw gatewayGone();
      });
    answer.on('data', onData).on('end', onEnd).on('error', reject).on('close', onEnd);
  });
}

/** An error item has no details; what is unavailable once the answer has begun was lost. */
const errorOfItem = ({ code, message }: Extract<ChatItem, { type: 'error' }>): ServiceError =>
  code === 'RUNTIME_UNAVAILABLE'
    ? new RuntimeUnavailableError(message, 'model_server_lost')
    : new ServiceError(code, message);

type ChatToken = Extract<ChatItem, { type: 'token' }>;

/** Nearly all items are tokens: those are looked at without the contract's whole machinery. */
const isToken = (value: unknown): value is ChatToken => {
  const { type, text } = (value ?? {}) as Partial<ChatToken>;
  return type === 'token' && typeof text === 'string';
};

function itemOf(line: string): ChatItem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw brokenGateway();
  }
  if (isToken(value)) return value;
  const item = ChatItem.safeParse(value);
  if (!item.success) throw brokenGateway();
  return item.data;
}
