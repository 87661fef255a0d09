import { readFileSync } from 'node:fs';
import path from 'node:path';
import { INTERNAL_KEY_HEADER, type Session } from '@parley/shared/contracts';
import { isAlive, readRunRecords, type RunRecord } from '@parley/shared/process-identity';
import { recordSocket, waitUntil, type SharedServers, type SocketRecorder } from '@parley/shared/testing';
import { SupervisedSet, type Ended, type StatusAnswer } from '../set';
import { KEY } from './scaled-set';

export const INSTANCES = 2;
const HEADERS = { [INTERNAL_KEY_HEADER]: KEY };

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** A set of `npm start` whose session-api runs twice at one port. */
export class OnePortSet {
  private constructor(readonly commands: SupervisedSet) {}

  static async forNewSet({ postgres, redis }: SharedServers, more: Record<string, string> = {}): Promise<OnePortSet> {
    const commands = await SupervisedSet.forNewSet();
    commands.settings = {
      SIM_API_INSTANCES: String(INSTANCES),
      SIM_DATABASE_URL: await postgres.createDatabase(),
      SIM_REDIS_URL: redis.url,
      SIM_INTERNAL_KEY: KEY,
      SIM_FAKE_WORD_DELAY_MS: '40',
      ...more,
    };
    return new OnePortSet(commands);
  }

  /** What the living session-apis say of themselves, by their numbers. */
  instances(): RunRecord[] {
    return readRunRecords(this.commands.dataDir, 'session_api')
      .filter((one) => one.own_port !== undefined && isAlive(one))
      .sort((one, other) => (one.instance ?? 0) - (other.instance ?? 0));
  }

  /** The lines that a session-api has logged so far. @param at its number */
  logOf(at: number): { readonly msg: string }[] {
    const file = path.join(this.commands.dataDir, 'logs', `session-api-${at}.1.log`);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { msg: string });
  }

  async statuses(): Promise<StatusAnswer['processes']> {
    return (await this.commands.status()).processes.filter(({ name }) => name === 'session-api');
  }

  /** Waits until both are ready and none of them is one of `ended`. */
  bothWithout(ended: readonly number[]): Promise<StatusAnswer['processes']> {
    return waitUntil(
      'two instances that are ready, and none of those that ended',
      async () => {
        const both = await this.statuses();
        const isSo = both.every(({ ready, pid }) => ready && pid !== null && !ended.includes(pid));
        return both.length === INSTANCES && isSo ? both : null;
      },
      { timeoutMs: 90_000, intervalMs: 200 },
    );
  }

  /** Where one of them answers alone. */
  urlOf(at: number): string {
    return `http://127.0.0.1:${this.instances()[at]?.own_port}`;
  }

  /** Calls on a connection of its own, at the port of all unless told: whichever process takes it answers. */
  async call<T>(
    method: string,
    target: string,
    body?: unknown,
    { url = this.commands.url, key }: { url?: string; key?: string } = {},
  ): Promise<Answer<T>> {
    const answer = await fetch(url + target, {
      method,
      headers: {
        ...HEADERS,
        connection: 'close',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as T };
  }

  /** As call, for what must succeed. */
  async ask<T>(method: string, target: string, body?: unknown, url?: string): Promise<T> {
    const answer = await this.call<T>(method, target, body, url === undefined ? {} : { url });
    if (answer.status >= 400) throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async started(): Promise<string> {
    const { id } = await this.ask<Session>('POST', '/api/sessions', { scenario_id: 'the_ask' });
    await this.ask('POST', `/api/sessions/${id}/start`);
    return id;
  }

  async socket(id: string, at: number): Promise<SocketRecorder> {
    const recorder = await recordSocket(this.urlOf(at), id, { headers: HEADERS });
    await recorder.next('session.state');
    return recorder;
  }

  /** A command of PM2, spoken to the supervisor of this set. */
  pm2(words: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
    return this.commands.run([path.join('node_modules', 'pm2', 'bin', 'pm2'), ...words], {
      PM2_HOME: path.join(this.commands.dataDir, 'supervisor'),
      PM2_DISABLE_VERSION_CHECK: '1',
      PM2_DISCRETE_MODE: 'true',
      NODE_CLUSTER_SCHED_POLICY: 'none',
      ...settings,
    });
  }
}
