import { randomBytes } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { ServiceError, type Debrief, type ScenarioContent, type SessionMemory } from '@parley/shared/contracts';
import type { HttpService, RunningService } from '@parley/shared/service';
import { silentLogger, type Logger } from '@parley/shared/service';
import {
  appendEvents,
  appendTurns,
  enqueueDebrief,
  findDebrief,
  findSession,
  insertSession,
  migrate,
  newSessionId,
  openDatabase,
  type Database,
  type NewSession,
} from '@parley/shared/store';
import {
  scenarioFixture,
  scriptedGateway,
  stubService,
  temporaryFolder,
  testBaseConfig,
  waitUntil,
  type ScriptedGateway,
} from '@parley/shared/testing';
import type { WorkerConfig } from '../src/config';
import type { WorkerPolicy } from '../src/context';
import { judgeTalk, withoutSpans } from '@parley/shared/engine';
import { startDebriefWorker } from '../src/start';

export const AT = '2026-03-04T05:06:07.000Z';

/** A worker's surroundings for tests: a real database in a folder of its own, and stand-ins for the other processes. */
export interface WorkerSet {
  readonly database: Database;
  readonly gateway: ScriptedGateway;
  readonly dataDir: string;
  readonly content: ScenarioContent;
  /** What session-api was told, in order. */
  readonly announced: { readonly id: string; readonly private_debrief: Debrief | null }[];
  /** What session-api has in memory of unsaved sessions. */
  readonly memories: Map<string, SessionMemory>;
  /** What pack-service answers; replace it to let it fail. */
  packs: { answer: () => ScenarioContent };
  /** Starts a worker in this process; stopped by `remove`. */
  start(options?: StartOptions): Promise<RunningService>;
  /** Starts a worker in a process of its own, as the supervisor does; resolves when it is ready. */
  startProcess(): Promise<ChildProcess>;
  remove(): Promise<void>;
}

interface StartOptions {
  readonly policy?: Partial<WorkerPolicy>;
  readonly config?: Partial<WorkerConfig>;
  readonly peers?: Partial<Record<'session_api' | 'pack_service' | 'runtime_gateway', string>>;
  readonly logger?: Logger;
}

/** Short pauses; the same order of things. */
const QUICK: Partial<WorkerPolicy> = {
  poll: 30,
  firstRetry: 10,
  longestRetry: 40,
  modelRetries: [10, 20],
  modelPause: 10,
  modelPatience: 20_000,
  peerRetries: [10, 10],
  stopGrace: 200,
};

export async function workerSet(content: ScenarioContent = scenarioFixture()): Promise<WorkerSet> {
  const folder = temporaryFolder('debrief-worker');
  const database = await openDatabase({ dataDir: folder.path });
  await migrate(database);
  const announced: WorkerSet['announced'] = [];
  const memories = new Map<string, SessionMemory>();
  const packs = { answer: () => content };
  const gateway = await scriptedGateway();
  const packService = await stubService('pack_service', {
    getScenarioContent: () => ({ body: { content: packs.answer() } }),
  });
  const sessionApi = await stubService('session_api', {
    getSessionMemory: async ({ params }) => {
      if ((await findSession(database, params.id)) === null)
        throw new ServiceError('SESSION_NOT_FOUND', 'No such session.');
      return { body: memories.get(params.id) ?? { turns: null, notes: null } };
    },
    announceDebrief: ({ params, body }) => {
      announced.push({ id: params.id, private_debrief: body.private_debrief });
      return { status: 204 };
    },
  });
  const peers = { session_api: sessionApi.url, pack_service: packService.url, runtime_gateway: gateway.url };
  const workers: RunningService[] = [];
  const children: ChildProcess[] = [];
  const services: HttpService[] = [packService, sessionApi, gateway.service];

  return {
    database,
    gateway,
    dataDir: folder.path,
    content,
    announced,
    memories,
    packs,
    async start(options = {}) {
      const base = testBaseConfig('debrief_worker', {
        data_dir: folder.path,
        peers: { ...peers, ...options.peers } as never,
      });
      const worker = await startDebriefWorker(
        { base, quiet_seconds: 20, judge_reads: 1, ...options.config },
        options.logger ?? silentLogger(),
        { policy: { ...QUICK, ...options.policy } },
      );
      workers.push(worker);
      return worker;
    },
    async startProcess() {
      const hook = path.resolve(__dirname, '../../../shared/testing/typescript-hook.cjs');
      const child = fork(path.resolve(__dirname, '../src/main.ts'), [], {
        execArgv: ['-r', hook],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          PATH: '/usr/bin:/bin',
          SIM_DATA_DIR: folder.path,
          SIM_WORKER_PORT: '0',
          SIM_API_PORT: String(sessionApi.port),
          SIM_PACKS_PORT: String(packService.port),
          SIM_GATEWAY_URL: gateway.url,
        },
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.once('message', () => resolve());
        child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
      });
      return child;
    },
    async remove() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(services.map((service) => service.close(0)));
      await database.close();
      folder.remove();
    },
  };
}

export interface PlayedSession {
  readonly saved?: boolean;
  /** What the player says in the two exchanges. */
  readonly texts?: readonly [string, string];
  readonly overrides?: Partial<NewSession>;
}

export const PLAYER_TEXTS = ['The part comes two weeks late.', 'I can lend you a machine until then.'] as const;

/** Stores a session of two exchanges that waits for its debrief, and queues the job. @returns its id */
export async function playedSession(
  set: WorkerSet,
  { saved = true, texts = PLAYER_TEXTS, overrides = {} }: PlayedSession = {},
): Promise<string> {
  const { content } = set;
  const state_vars = Object.fromEntries(Object.keys(content.variables).map((name) => [name, 50]));
  const id = newSessionId(Date.parse(AT), randomBytes);
  const text = (value: string) => (saved ? value : null);
  const npc = { role: 'npc' as const, emotion: 'curious', used_fallback: false, judgement: null, created_at: AT };
  const player = { ...npc, role: 'player' as const, emotion: null, raw_output: null };
  const note = (value: string) => (saved ? value : null);
  const judged = judgeTalk(
    content,
    'en',
    texts.map((line, at) => ({ turn_index: 2 * at + 2, role: 'player' as const, text: line })),
  );
  const judgement = (at: number) => {
    const line = judged[at] ?? null;
    return line === null || saved ? line : withoutSpans(line);
  };
  await set.database.write(async (transaction) => {
    await insertSession(transaction, {
      id,
      scenario_id: content.id,
      scenario_version: content.version,
      scenario_title: content.title,
      pack_id: content.pack_id,
      npc_id: content.npc.npc_id,
      flow_state: 'DebriefGenerating',
      state_vars,
      flags: [],
      engine_state: {},
      ending_type: 'success',
      ending_id: null,
      turn_count: 5,
      player_turn_count: 2,
      transcript_saved: saved,
      difficulty: 'standard',
      language: 'en',
      focus_dimension: null,
      forked_from_session: null,
      forked_from_turn: null,
      attempt: 'first',
      coaching: false,
      fence: 'k3j9x2',
      created_at: AT,
      started_at: AT,
      ended_at: AT,
      ...overrides,
    });
    await appendTurns(transaction, id, [
      { ...npc, turn_index: 1, text: text('You said you had news.'), raw_output: null, observations: null },
      { ...player, turn_index: 2, text: text(texts[0]), observations: null, judgement: judgement(0) },
      {
        ...npc,
        turn_index: 3,
        text: text('Two weeks?'),
        raw_output: text('{}'),
        observations: [{ dimension: 'clarity', delta: 8, note: note('said the news at once') }],
      },
      { ...player, turn_index: 4, text: text(texts[1]), observations: null, judgement: judgement(1) },
      {
        ...npc,
        turn_index: 5,
        text: text('That would help.'),
        raw_output: text('{}'),
        observations: [{ dimension: 'listening', delta: -4, note: note('asked nothing first') }],
      },
    ]);
    const npcTurn = { emotion: 'curious', state_delta: {}, event_flags: [], used_fallback: false };
    await appendEvents(
      transaction,
      id,
      [
        { kind: 'npc_opening', turn_index: 1, payload: { emotion: 'curious', state_delta: {}, event_flags: [] } },
        { kind: 'npc_turn', turn_index: 3, payload: npcTurn },
        {
          kind: 'state_delta',
          turn_index: 3,
          payload: { delta: { trust: 18 }, state_vars: { ...state_vars, trust: 68 } },
        },
        { kind: 'npc_turn', turn_index: 5, payload: npcTurn },
        { kind: 'state_delta', turn_index: 5, payload: { delta: {}, state_vars: { ...state_vars, trust: 68 } } },
        {
          kind: 'ending',
          turn_index: 5,
          payload: { state: 'Ended', state_vars, ending_type: 'success', ending_id: null },
        },
      ],
      AT,
    );
    await enqueueDebrief(transaction, id, AT);
  });
  return id;
}

/** Waits for DebriefReady and answers the stored debrief. */
export async function readyDebrief(set: WorkerSet, id: string): Promise<Debrief> {
  await waitUntil(
    `the debrief of ${id}`,
    async () => (await findSession(set.database, id))?.flow_state === 'DebriefReady',
  );
  return (await findDebrief(set.database, id)) as Debrief;
}

/** What a model answers that is of use. */
export const narrativeJson = (members: Record<string, unknown> = {}): string =>
  JSON.stringify({
    summary: 'Ask what she needs before you offer something (turn 4).',
    strengths: ['You gave the date at once (turn 2).'],
    improvements: ['Ask one question before the offer.'],
    replay_suggestions: [{ turn: 4, suggestion: 'Ask what stands still without the part.' }],
    ...members,
  });
