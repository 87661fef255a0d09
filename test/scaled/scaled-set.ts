import { randomBytes } from 'node:crypto';
import type { Problem, Session, TurnAnswer } from '@parley/shared/contracts';
import {
  freePorts,
  temporaryFolder,
  type SharedServers,
  type SocketRecorder,
  type TemporaryFolder,
} from '@parley/shared/testing';
import { ServiceInstance, startParleySet, type ManagedProcess, type ParleySet, type Reply } from '../set';

export const KEY = randomBytes(24).toString('hex');

export interface ScaledSetOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** A set whose session-api runs twice on the same PostgreSQL and Redis; calls go to both in turn unless they name one. */
export class ScaledSet {
  private turns = 0;

  private constructor(
    readonly set: ParleySet,
    private readonly second: ServiceInstance,
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
    const second = new ServiceInstance({ service: 'session_api', port, environment, headers: set.keyHeader });
    await second.start();
    return new ScaledSet(set, second, folder, url);
  }

  private url(at: number): string {
    return at === 0 ? this.set.url : this.second.url;
  }

  process(at: number): ManagedProcess {
    const one = at === 0 ? this.set.processes.get('session_api') : this.second.process;
    if (one === undefined) throw new Error('there is no such instance');
    return one;
  }

  /** Starts an instance that was ended. */
  restart(at: number): Promise<void> {
    return at === 0 ? this.set.startProcess('session_api') : this.second.start();
  }

  async kill(at: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await (at === 0 ? this.set.kill('session_api', signal) : this.second.kill(signal));
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

  async socket(id: string, at: number): Promise<SocketRecorder> {
    const port = at === 0 ? this.set.portOf('session_api') : this.second.port;
    const recorder = await this.set.socket(id, { port });
    await recorder.next('session.state');
    return recorder;
  }

  async stop(): Promise<void> {
    // A test that failed may have left it frozen.
    this.second.process.kill('SIGCONT');
    const isStubborn = await this.second.stop();
    await this.set.stop();
    this.folder.remove();
    if (isStubborn) throw new Error('the second session_api did not stop by itself');
  }
}
