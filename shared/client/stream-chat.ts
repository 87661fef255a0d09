import type { Agent, IncomingMessage } from 'node:http';
import { ChatItem, ROUTES, ServiceError, type ChatFinal, type ChatRequestInput } from '@parley/shared/contracts';
import { errorOfAnswer } from './call-route';
import { leaveRest, peerRequest, readText } from './peer-request';

export interface StreamChatOptions {
  readonly signal?: AbortSignal;
  readonly requestId?: string;
  /** Milliseconds without a byte after which the gateway counts as stalled. */
  readonly quietTimeoutMs: number;
  readonly agent?: Agent;
  /** Names the session to the gateway, which keeps its prompts on one slot of the model server. */
  readonly affinity?: string;
}

const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;

const schemaTexts = new WeakMap<object, string>();

/** As JSON. The schema of a scenario is the same object on every turn: its text is made once. */
function bodyOf({ json_schema: schema, ...rest }: ChatRequestInput): string {
  const text = JSON.stringify(rest);
  if (schema === undefined || schema === null) return text;
  const schemaText = schemaTexts.get(schema) ?? JSON.stringify(schema);
  schemaTexts.set(schema, schemaText);
  return `${text.slice(0, -1)},"json_schema":${schemaText}}`;
}

const gatewayGone = (cause?: unknown): ServiceError =>
  new ServiceError(
    'RUNTIME_UNAVAILABLE',
    'The model runtime cannot be reached. Check the model server and that all of Parley runs, then send it again.',
    cause === undefined ? {} : { cause },
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
  // One signal for both ways to give up: AbortSignal.any costs a turn more than its timer and its listener together.
  const connection = new AbortController();
  const { signal } = connection;
  const follow = (): void => connection.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', follow, { once: true });
  if (options.signal?.aborted === true) follow();
  let stalled = false;
  let rest: IncomingMessage | undefined;
  const quiet = setTimeout(() => {
    stalled = true;
    connection.abort();
  }, options.quietTimeoutMs);
  try {
    const answer = await peerRequest(`${gatewayUrl}${ROUTES.chat.path}`, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
        ...(options.affinity === undefined ? {} : { 'x-parley-affinity': options.affinity }),
      },
      body: bodyOf(request),
      // Reading a long prompt, or waiting for a slot, gives no item for a while: our gateway says meanwhile that it lives.
      onInterim: () => quiet.refresh(),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
    });
    quiet.refresh();
    if (answer.statusCode !== 200) {
      const status = answer.statusCode ?? 0;
      const error = errorOfAnswer('runtime_gateway', status, await readText(answer, MAX_ERROR_BYTES));
      // Any other 503 (a proxy in front, a loading server) means the same to a player.
      throw error.code === 'SERVICE_UNAVAILABLE' && status === 503 ? gatewayGone(error) : error;
    }
    for await (const item of items(answer, () => quiet.refresh())) {
      if (item.type === 'token') onToken(item.text);
      else if (item.type === 'final') {
        rest = answer;
        return item;
      } else throw new ServiceError(item.code, item.message);
    }
    throw gatewayGone();
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (stalled)
      throw new ServiceError(
        'TURN_TIMEOUT',
        'The model gave no sign of life for too long. Send it again, or choose a smaller model.',
      );
    if (error instanceof ServiceError) throw error;
    throw gatewayGone(error);
  } finally {
    clearTimeout(quiet);
    options.signal?.removeEventListener('abort', follow);
    // Gateways end the answer after its final item; any other way out of here must close the connection.
    if (rest === undefined) connection.abort();
    else leaveRest(rest);
  }
}

const brokenGateway = (): ServiceError =>
  new ServiceError('RUNTIME_ERROR', 'The gateway sent something that is no item of the chat contract.');

async function* items(answer: IncomingMessage, alive: () => void): AsyncGenerator<ChatItem> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  // Leaving the loop keeps the answer: streamChat says what becomes of it.
  const body = answer.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const bytes of body) {
    alive();
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw brokenGateway();
    for (const line of lines) if (line.trim() !== '') yield itemOf(line);
  }
  if (rest.trim() !== '') yield itemOf(rest);
}

function itemOf(line: string): ChatItem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw brokenGateway();
  }
  const item = ChatItem.safeParse(value);
  if (!item.success) throw brokenGateway();
  return item.data;
}
