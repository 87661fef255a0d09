import { randomBytes } from 'node:crypto';
import { INTERNAL_KEY_HEADER, type Problem, type Session, type TurnAnswer } from '@parley/shared/contracts';
import {
  freePorts,
  recordSocket,
  temporaryFolder,
  waitUntil,
  type SharedServers,
  type SocketRecorder,
  type TemporaryFolder,
} from '@parley/shared/testing';
import { launch, startParleySet, type ManagedProcess, type ParleySet, type Reply } from '../set';

export const KEY = randomBytes(24).toString('hex');

export interface ScaledSetOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

interface Instance {
  readonly url: string;
  process: ManagedProcess;
}

/** A set whose session-api runs twice on the same PostgreSQL and Redis; calls go to both in turn unless they name one. */
export class ScaledSet {
  private turns = 0;
  private readonly sockets: SocketRecorder[] = [];

  private constructor(
    readonly set: ParleySet,
    private readonly second: Instance,
    private readonly environment: Readonly<Record<string, string>>,
    readonly folder: TemporaryFolder,
    readonly databaseUrl: string,
  ) {}

  static async start({ postgres, redis }: SharedServers, options: ScaledSetOptions = {}): Promise<ScaledSet> {
    const url = await postgres.createDatabase();
    const shared = {
      SIM_DATABASE_URL: url,
      SIM_REDIS_URL: redis.url,
      SIM_INTERNAL_KEY: KEY,
      SIM_FAKE_WORD_DELAY_MS: '15',
      ...options.environment,
    };
    const set = await startParleySet({ environment: shared });
    const folder = temporaryFolder('second');
    const [port = 0] = await freePorts(1);
    const environment = {
      NODE_ENV: 'test',
      // As from another machine.
      SIM_PACKS_URL: set.urlOf('pack_service'),
      SIM_WORKER_URL: set.urlOf('debrief_worker'),
      SIM_GATEWAY_URL: set.urlOf('runtime_gateway'),
      ...shared,
      SIM_DATA_DIR: folder.path,
      SIM_API_PORT: String(port),
    };
    const process = launch('session_api', { environment });
    const scaled = new ScaledSet(set, { url: `http://127.0.0.1:${port}`, process }, environment, folder, url);
    await scaled.ready(1);
    return scaled;
  }

  url(at: number): string {
    return at === 0 ? this.set.url : this.second.url;
  }

  process(at: number): ManagedProcess {
    const one = at === 0 ? this.set.processes.get('session_api') : this.second.process;
    if (one === undefined) throw new Error('there is no such instance');
    return one;
  }

  private async ready(at: number): Promise<void> {
    const one = this.process(at);
    await waitUntil('the instance to be ready', async () => {
      const end = one.end();
      if (end !== null) throw new Error(`it ended: ${one.output()}`);
      return (await this.call('GET', '/readyz', undefined, { at })).status === 200;
    });
  }

  /** Starts an instance that was ended. */
  async restart(at: number): Promise<void> {
    if (at === 0) return this.set.startProcess('session_api');
    this.second.process = launch('session_api', { environment: this.environment });
    await this.ready(1);
  }

  async kill(at: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const one = this.process(at);
    one.kill(signal);
    await one.ended;
  }

  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    { at = (this.turns += 1) % 2, headers = {} }: { at?: number; headers?: Record<string, string> } = {},
  ): Promise<Reply<T>> {
    return this.set.call<T>(method, path, body, { baseUrl: this.url(at), headers });
  }

  /** As call, for what must succeed. */
  async ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown, at?: number): Promise<T> {
    const reply = await this.call<T>(method, path, body, at === undefined ? {} : { at });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  async created(at?: number): Promise<string> {
    const { id } = await this.ask<Session>('POST', '/api/sessions', { scenario_id: 'the_ask' }, at);
    return id;
  }

  async started(at?: number): Promise<string> {
    const id = await this.created(at);
    await this.ask('POST', `/api/sessions/${id}/start`, undefined, at);
    return id;
  }

  say(id: string, text: string, { at, key }: { at?: number; key?: string } = {}): Promise<Reply<TurnAnswer & Problem>> {
    return this.call(
      'POST',
      `/api/sessions/${id}/turn`,
      { text },
      {
        ...(at === undefined ? {} : { at }),
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      },
    );
  }

  async socket(id: string, at: number, query?: string): Promise<SocketRecorder> {
    const headers = { [INTERNAL_KEY_HEADER]: KEY };
    const recorder = await recordSocket(this.url(at), id, query === undefined ? { headers } : { headers, query });
    this.sockets.push(recorder);
    await recorder.next('session.state');
    return recorder;
  }

  async stop(): Promise<void> {
    for (const { socket } of this.sockets) socket.terminate();
    this.second.process.kill('SIGCONT');
    this.second.process.kill('SIGTERM');
    const limit = setTimeout(() => this.second.process.kill('SIGKILL'), 20_000);
    await this.second.process.ended;
    clearTimeout(limit);
    await this.set.stop();
    this.folder.remove();
  }
}
