import path from 'node:path';
import { request as undiciRequest } from 'undici';
import type { Debrief, ScenarioContent } from '@parley/shared/contracts';
import { silentLogger, type HttpService, type RunningService } from '@parley/shared/service';
import {
  scenarioFixture,
  scriptedGateway,
  stubService,
  temporaryFolder,
  testBaseConfig,
  type ScriptedGateway,
  type TemporaryFolder,
} from '@parley/shared/testing';
import { ServiceError } from '@parley/shared/contracts';
import type { SessionApiConfig } from '../src/config';
import type { ContextOverrides } from '../src/context';
import { startSessionApi } from '../src/start';

interface Reply<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: T;
}

export interface SessionApiSet {
  readonly api: RunningService;
  readonly url: string;
  readonly folder: TemporaryFolder;
  readonly gateway: ScriptedGateway;
  readonly packs: HttpService;
  readonly worker: HttpService;
  /** How often the worker was woken. */
  readonly wakes: () => number;
  /** What the worker answers when it is to score a session again. */
  readonly rescored: { debrief: Debrief | null };
  /** Scenarios are given away only after `until`; resolves when one was asked for. */
  holdPacks(until: Promise<void>): Promise<void>;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  /** Stops session-api and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface SetOptions {
  readonly config?: Partial<Omit<SessionApiConfig, 'base'>>;
  readonly content?: ScenarioContent;
  readonly overrides?: ContextOverrides;
}

/** What a session-api is started with in tests, on a data folder and beside its peers. */
export const sessionApiConfig = (
  data_dir: string,
  peers: Record<'pack_service' | 'runtime_gateway' | 'debrief_worker', string>,
): SessionApiConfig => ({
  base: testBaseConfig('session_api', {
    data_dir,
    peers: { ui: 'http://127.0.0.1:1', session_api: 'http://127.0.0.1:1', ...peers },
  }),
  safety_precheck: 'off',
  max_concurrent_turns: 64,
  allowed_origins: [],
  turn_quiet_seconds: 185,
  redis_url: null,
  runtime_id: 'scripted',
  schemas_dir: path.resolve(__dirname, '../../../schemas'),
});

/** session-api for real on a free port with temporary data; its peers are stand-ins made from the route table. */
export async function startSessionApiSet(options: SetOptions = {}): Promise<SessionApiSet> {
  const folder = temporaryFolder('session-api');
  const content = options.content ?? scenarioFixture();
  let wakes = 0;
  const rescored: SessionApiSet['rescored'] = { debrief: null };
  let beforeContent = (): Promise<void> => Promise.resolve();
  const gateway = await scriptedGateway();
  const packs = await stubService('pack_service', {
    getScenarioContent: async ({ params }) => {
      await beforeContent();
      if (params.id !== content.id) throw new ServiceError('SCENARIO_NOT_FOUND', 'No such scenario.');
      return { body: { content } };
    },
    listScenarios: () => ({ body: { scenarios: [] } }),
  });
  const worker = await stubService('debrief_worker', {
    rescoreDebrief: () => {
      if (rescored.debrief === null) throw new ServiceError('DEBRIEF_NOT_FOUND', 'No debrief.');
      return { body: rescored.debrief };
    },
    wakeWorker: () => {
      wakes += 1;
      return { status: 204 };
    },
  });
  const config: SessionApiConfig = {
    ...sessionApiConfig(folder.path, {
      pack_service: packs.url,
      runtime_gateway: gateway.url,
      debrief_worker: worker.url,
    }),
    ...options.config,
  };
  let api = await startSessionApi(config, silentLogger(), options.overrides);
  const set: SessionApiSet = {
    get api() {
      return api;
    },
    get url() {
      return `http://127.0.0.1:${api.port}`;
    },
    folder,
    gateway,
    packs,
    worker,
    wakes: () => wakes,
    rescored,
    holdPacks: (until) =>
      new Promise((resolve) => {
        beforeContent = () => {
          resolve();
          return until;
        };
      }),
    async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const answer = await undiciRequest(`http://127.0.0.1:${api.port}${path}`, {
        method: method as 'GET',
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
    },
    async restart() {
      await api.stop();
      api = await startSessionApi(config, silentLogger(), options.overrides);
    },
    async stop() {
      await api.stop();
      await Promise.all([gateway.service.close(), packs.close(), worker.close()]);
      folder.remove();
    },
  };
  return set;
}
