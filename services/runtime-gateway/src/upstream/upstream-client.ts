import type { Pool } from 'undici';
import { UpstreamExchange } from './upstream-exchange';
import { isBrokenConnection } from './upstream-errors';

export interface UpstreamClientOptions {
  /** http or https address; a path in it goes before every path asked for, a name and password in it with each request. */
  readonly baseUrl: string;
  /** How long a connection may take to open. */
  readonly connectTimeoutMs: number;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection at once when it aborts. */
  readonly signal?: AbortSignal;
  /** Longest time without a single byte while this side is waiting for one: before the answer and between its pieces. */
  readonly quietMs: number;
}

export interface WholeAnswer {
  readonly status: number;
  /** The body as text. */
  readonly text: string;
}

/**
 * HTTP to one model server over kept-alive connections. Its own timers replace the client's (which give up after 300
 * seconds): a model may think for longer than that. Answers are asked for without compression.
 */
export class UpstreamClient {
  private pool: Pool | null = null;
  private connecting: Promise<Pool> | null = null;
  private readonly prefix: string;
  private readonly credentials: Readonly<Record<string, string>>;
  private connections = 0;

  constructor(private readonly options: UpstreamClientOptions) {
    const { pathname, username, password } = new URL(options.baseUrl);
    this.prefix = pathname.replace(/(?<!\/)\/+$/, '');
    const named = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.credentials = named === ':' ? {} : { authorization: `Basic ${Buffer.from(named).toString('base64')}` };
  }

  /** Loaded by the first call: a gateway that plays the demo voice never needs it, and it would cost every start. */
  private async connect(): Promise<Pool> {
    const undici = await import('undici');
    const pool = new undici.Pool(new URL(this.options.baseUrl).origin, {
      connect: { timeout: this.options.connectTimeoutMs },
      headersTimeout: 0,
      bodyTimeout: 0,
      // Servers commonly close an idle connection after 5 seconds: be the first to.
      keepAliveTimeout: 4_000,
      pipelining: 1,
    });
    this.pool = pool;
    pool.on('connect', () => {
      this.connections += 1;
    });
    return pool;
  }

  /**
   * Sends a request and resolves with its answer as soon as the headers are here.
   * @throws QuietError after `quietMs` without a byte; the signal's reason when it aborts; else the transport's error.
   */
  async open(request: UpstreamRequest): Promise<UpstreamExchange> {
    request.signal?.throwIfAborted();
    // Not awaited when it is there: the first token waits for every turn of the queue of promises.
    const pool = this.pool ?? (await (this.connecting ??= this.connect()));
    const connectionsBefore = this.connections;
    try {
      const exchange = this.send(pool, request);
      await exchange.headersArrived();
      return exchange;
    } catch (error) {
      // A kept-alive connection that the server closed at the same moment: nothing was done yet, so ask on a new one.
      const wasReused = this.connections === connectionsBefore;
      if (!wasReused || !isBrokenConnection(error) || request.signal?.aborted) throw error;
      const exchange = this.send(pool, request);
      await exchange.headersArrived();
      return exchange;
    }
  }

  private send(pool: Pool, request: UpstreamRequest): UpstreamExchange {
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const exchange = new UpstreamExchange(request.quietMs, request.signal);
    pool.dispatch(
      {
        method: request.method,
        path: this.prefix + request.path,
        headers: {
          accept: '*/*',
          'accept-encoding': 'identity',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...this.credentials,
          ...request.headers,
        },
        body,
      },
      exchange,
    );
    exchange.watchSignal();
    return exchange;
  }

  /**
   * A request whose answer is read whole.
   * @throws as `open`; RangeError when the body is longer than `maxBytes`.
   */
  async readWhole(request: UpstreamRequest, maxBytes = 4 * 1024 * 1024): Promise<WholeAnswer> {
    const answer = await this.open(request);
    return { status: answer.status, text: await answer.readText(maxBytes) };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await (await this.connecting)?.destroy();
  }
}
