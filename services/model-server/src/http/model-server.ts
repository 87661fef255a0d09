import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '@parley/shared/contracts';
import { createGuard, type Guard } from '@parley/shared/service';
import type { LoadedModel } from '../engine/loaded-model';
import { ApiError, invalidRequest } from './api-error';
import { chatCompletions } from './chat-completions';
import { sendJson } from './send-json';

/** Bytes of a body at most: a chat of the gateway has at most one MiB, and its schema comes on top. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Milliseconds that answers under way get when the server stops. */
const GRACE_MS = 1_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > BODY_LIMIT) throw new ApiError(413, 'invalid_request_error', 'The body is larger than 4 MiB.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

type Handler = (
  model: LoadedModel,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void> | void;

const props: Handler = (model, _request, response) =>
  sendJson(response, 200, {
    default_generation_settings: { n_ctx: model.slotTokens },
    total_slots: model.slotCount,
    model_alias: model.name,
    model_path: model.file,
    chat_template: model.template.text,
    build_info: 'parley',
  });

const models: Handler = (model, _request, response) =>
  sendJson(response, 200, {
    object: 'list',
    data: [
      {
        id: model.name,
        object: 'model',
        owned_by: 'parley',
        meta: { n_ctx: model.slotTokens, n_ctx_train: model.trainedTokens, size: model.bytes },
      },
    ],
  });

const chat: Handler = async (model, request, response, signal) => {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) throw invalidRequest('Send the body as application/json.');
  await chatCompletions(model, await readBody(request), response, signal);
};

const ROUTES: Readonly<Record<string, { method: 'GET' | 'POST'; handle: Handler }>> = {
  '/health': { method: 'GET', handle: (_model, _request, response) => sendJson(response, 200, { status: 'ok' }) },
  '/v1/models': { method: 'GET', handle: models },
  '/props': { method: 'GET', handle: props },
  '/v1/chat/completions': { method: 'POST', handle: chat },
};

export interface ModelServerOptions {
  readonly host: string;
  readonly port: number;
  /** Asked for with every call but the health probe; null: none. */
  readonly key: string | null;
}

/** The model over HTTP, in llama.cpp's dialect of the OpenAI API. Listens before the model is there, and says so. */
export class ModelServer {
  private model: LoadedModel | null = null;
  private readonly server: Server;
  private readonly guard: Guard;
  private readonly running = new Set<AbortController>();

  private constructor(private readonly options: ModelServerOptions) {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.guard = createGuard({ ownPort: () => this.port, uiPort: () => this.port, lanAccessEnabled: false });
  }

  /** @throws the system's error when the port cannot be had. */
  static async listen(options: ModelServerOptions): Promise<ModelServer> {
    const one = new ModelServer(options);
    await new Promise<void>((resolve, reject) => {
      one.server.once('error', reject);
      one.server.listen(options.port, options.host, resolve);
    });
    return one;
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? this.options.port;
  }

  /** From now on chats are answered. */
  serve(model: LoadedModel): void {
    this.model = model;
  }

  /** Stops listening and ends what is being answered. */
  async close(): Promise<void> {
    const stops = new ApiError(503, 'unavailable_error', 'The server is stopping.');
    for (const one of this.running) one.abort(stops);
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeIdleConnections();
      setTimeout(() => this.server.closeAllConnections(), GRACE_MS).unref();
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const leaving = new AbortController();
    this.running.add(leaving);
    response.once('close', () => leaving.abort(new Error('the caller has left')));
    try {
      await this.route(request, response, leaving.signal);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else this.refuse(error, response);
    } finally {
      this.running.delete(leaving);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    this.guard.check(request);
    const place = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (place !== '/health') this.checkKey(request);
    const route = Object.hasOwn(ROUTES, place) ? ROUTES[place] : undefined;
    if (this.model === null) throw new ApiError(503, 'unavailable_error', 'Loading model');
    if (route === undefined) throw new ApiError(404, 'not_found_error', 'There is nothing at this path.');
    if (request.method !== route.method)
      throw new ApiError(405, 'invalid_request_error', `Call this path with ${route.method}.`);
    await route.handle(this.model, request, response, signal);
  }

  private checkKey(request: IncomingMessage): void {
    const { key } = this.options;
    if (key === null || timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${key}`))) return;
    throw new ApiError(401, 'authentication_error', 'Invalid API Key');
  }

  private refuse(error: unknown, response: ServerResponse): void {
    if (error instanceof ApiError) return sendJson(response, error.status, error.body);
    if (error instanceof ServiceError)
      return sendJson(response, error.status, new ApiError(error.status, 'invalid_request_error', error.message).body);
    process.stderr.write(`A call failed: ${String(error)}\n`);
    sendJson(response, 500, new ApiError(500, 'server_error', 'The call failed; the log says why.').body);
  }
}
