import { Agent, type IncomingHttpHeaders } from 'node:http';
import { errorOfAnswer, pathOf } from '@parley/shared/client';
import {
  Problem,
  ROUTES,
  type OperationName,
  type RouteAnswer,
  type RouteCall,
  type RouteShape,
  type Routes,
  type ServiceName,
} from '@parley/shared/contracts';
import { recordSocket, type SocketRecorder } from '@parley/shared/testing';
import { exchange } from './http-exchange';

export interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
  readonly text: string;
}

export interface CallExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another process than session-api. */
  readonly service?: ServiceName;
  /** Another base address than the loopback one. */
  readonly baseUrl?: string;
}

/** What the processes of a set are asked, over connections that are kept. */
export abstract class SetClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly sockets: SocketRecorder[] = [];

  /** Base address of a service. */
  abstract urlOf(service: ServiceName): string;
  /** The header by which processes of the set know each other, if they do: those behind session-api answer nobody without it. */
  abstract get keyHeader(): Readonly<Record<string, string>>;
  /** Whether a proxy in front of the service adds that header itself. */
  protected abstract isKeyAddedFor(service: ServiceName): boolean;

  /** session-api. */
  get url(): string {
    return this.urlOf('session_api');
  }

  /** Calls an operation of the route table and answers its parsed body. @throws ServiceError as the operation answers. */
  async ask<K extends OperationName>(operation: K, call: RouteCall<Routes[K]>): Promise<RouteAnswer<Routes[K]>> {
    const route: RouteShape = ROUTES[operation];
    const given = call as { params?: object; query?: Record<string, string | number>; body?: unknown } & CallExtras;
    const query = new URLSearchParams(Object.entries(given.query ?? {}).map(([name, value]) => [name, String(value)]));
    const path = `${pathOf(route, { ...given.params })}${query.size > 0 ? `?${query.toString()}` : ''}`;
    const reply = await this.call(route.method, path, given.body, given.headers ? { headers: given.headers } : {});
    if (reply.status >= 400) throw errorOfAnswer(route.service, reply.status, reply.text);
    return route.responses[reply.status]?.schema?.parse(reply.body) as RouteAnswer<Routes[K]>;
  }

  /**
   * One HTTP request as it is: a string or Buffer is sent untouched, anything else as JSON. It carries the set's key, if any;
   * where a proxy asks session-apis in turn, that one adds it.
   */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    extras: CallExtras = {},
  ): Promise<Reply<T>> {
    const service = extras.service ?? 'session_api';
    const base = extras.baseUrl ?? this.urlOf(service);
    const asIs = typeof body === 'string' || body instanceof Buffer;
    const answer = await exchange(`${base}${path}`, {
      agent: this.agent,
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.isKeyAddedFor(service) ? {} : this.keyHeader),
        ...extras.headers,
      },
      ...(body === undefined ? {} : { body: asIs ? body : JSON.stringify(body) }),
    });
    const isJson = /[/+]json/.test(answer.headers['content-type'] ?? '');
    return { ...answer, body: (isJson && answer.text !== '' ? JSON.parse(answer.text) : {}) as T };
  }

  /** A request that must fail: checks the whole problem document and answers it. */
  async problem(method: string, path: string, body?: unknown, extras: CallExtras = {}): Promise<Problem> {
    const reply = await this.call(method, path, body, extras);
    expect(String(reply.headers['content-type'])).toMatch(/^application\/problem\+json/);
    const problem = Problem.strict().parse(reply.body);
    expect(problem.status).toBe(reply.status);
    expect(problem.request_id).toBe(reply.headers['x-request-id']);
    return problem;
  }

  /** A WebSocket of a session; closed with the set. @param port of one session-api, past the proxy */
  async socket(
    sessionId: string,
    { port, ...options }: NonNullable<Parameters<typeof recordSocket>[2]> & { readonly port?: number } = {},
  ): Promise<SocketRecorder> {
    const url = port === undefined ? this.url : `http://127.0.0.1:${port}`;
    const headers = { ...(port === undefined ? {} : this.keyHeader), ...options.headers };
    const recorder = await recordSocket(url, sessionId, { ...options, headers });
    this.sockets.push(recorder);
    return recorder;
  }

  protected closeSockets(): void {
    for (const { socket } of this.sockets) socket.terminate();
  }

  protected closeConnections(): void {
    this.agent.destroy();
  }
}
