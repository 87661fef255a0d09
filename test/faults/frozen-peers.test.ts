import {
  Problem,
  type ErrorCode,
  type OperationName,
  type RouteShape,
  type ServiceName,
} from '@parley/shared/contracts';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import {
  createSession,
  debriefFor,
  endedSession,
  routesOfApi,
  filledPath,
  say,
  sessionOf,
  startParleySet,
  startedSession,
  writeSamplePack,
  type ParleySet,
  type Reply,
} from '../set';

/** Seconds that a read of another process may take here; imports get twelve times as much. */
const READ_SECONDS = 3;
/** What a turn waits for a gateway that says nothing: the runtime's own patience, and the five seconds of its callers. */
const CHAT_SECONDS = 1;
/** Far above every limit, for a machine that is busy with something else; without limits nothing ever answers. */
const BOUND_MS = 90_000;
const TEST_MS = 240_000;

const TALK = { scenario_id: 'talk', voice: 'demo', turns: [] };

interface Case {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One session for each operation that needs one, in the state that the operation wants. */
type Prepared = Readonly<Record<string, string>>;

describe('A peer that is frozen', () => {
  jest.setTimeout(TEST_MS);
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('frozen');
    set = await startParleySet({
      withUi: true,
      environment: {
        SIM_PEER_TIMEOUT: String(READ_SECONDS),
        // Either may be chosen while the set runs, so the longer one counts.
        SIM_LOCAL_SERVER_CHAT_TIMEOUT: String(CHAT_SECONDS),
        SIM_NATIVE_SERVER_CHAT_TIMEOUT: String(CHAT_SECONDS),
      },
    });
  });
  afterAll(async () => {
    await set.stop();
    folder.remove();
  });

  async function prepare(): Promise<Prepared> {
    const playing = async (): Promise<string> => {
      const { id } = await startedSession(set);
      expect((await say(set, id, 'Hello.')).status).toBe(200);
      return id;
    };
    const ready = await endedSession(set);
    await debriefFor(set, ready.id);
    const fork = await set.ask('forkSession', { params: { id: ready.id }, body: { turn: 3 } });
    await set.ask('endSession', { params: { id: fork.id } });
    await debriefFor(set, fork.id);
    return {
      startSession: (await createSession(set)).id,
      takeTurn: await playing(),
      hintTyping: await playing(),
      endSession: await playing(),
      cancelTurn: await playing(),
      forkSession: await playing(),
      getDebugPrompt: await playing(),
      createDebrief: (await endedSession(set)).id,
      rateSelf: (await endedSession(set)).id,
      compareSession: fork.id,
      deleteSession: await playing(),
      other: ready.id,
    };
  }

  function caseOf(route: RouteShape, prepared: Prepared): Case {
    const id = prepared[route.operation] ?? prepared['other'] ?? '';
    const cases: Partial<Record<OperationName, Case>> = {
      createSession: { body: { scenario_id: 'the_ask' } },
      takeTurn: { body: { text: 'And what do you think?' } },
      createDebrief: { headers: { prefer: 'respond-async' } },
      rateSelf: { body: { ratings: { evidence: 60 } } },
      forkSession: { body: { turn: 1 } },
      getDebugPrompt: { path: `${filledPath(route, { id })}?turn=2` },
      checkSafety: { body: { text: 'Hello.', scenario_id: 'the_ask' } },
      patchSettings: { body: { save_tts_cache: true } },
      importPack: { body: { path: writeSamplePack(folder.path) } },
      createPack: { body: { who: 'Marta', want: 'Fridays at home', need: 'that somebody is there' } },
      validatePack: { body: { path: writeSamplePack(folder.path) } },
      createDraft: { body: { copy_of: 'the_ask' } },
      saveDraftFile: { body: { text: 'a: 1', base_version: null } },
      talkInDraft: { body: TALK },
      recordDraftTalk: { body: { ...TALK, fixture_id: 'late', description: 'Asks late.' } },
      installModel: { body: { file: '/nowhere.gguf' } },
      startSidecar: { body: {} },
      getScenario: { path: filledPath(route, { id: 'the_ask' }) },
      listScenarioVersions: { path: filledPath(route, { id: 'the_ask' }) },
      clearPrivacy: { body: {} },
    };
    return { path: filledPath(route, { id }), ...cases[route.operation as OperationName] };
  }

  /** All public operations at once, and what each was answered; the one that deletes all sessions comes last. */
  async function askEverything(): Promise<Map<string, Reply>> {
    const prepared = await prepare();
    // What it knows of scenarios is gone: whatever needs one has to ask.
    await set.restart('session_api');
    return frozen(async () => {
      const answers = new Map<string, Reply>();
      const ask = async (route: RouteShape): Promise<void> => {
        const { path = '', body, headers } = caseOf(route, prepared);
        answers.set(
          route.operation,
          await inTime(route.operation, set.call(route.method, path, body, headers === undefined ? {} : { headers })),
        );
      };
      const [last, others] = [
        routesOfApi().filter((route) => route.operation === 'clearPrivacy'),
        routesOfApi().filter((route) => route.audience !== 'internal' && route.operation !== 'clearPrivacy'),
      ];
      await Promise.all(others.map(ask));
      await Promise.all(last.map(ask));
      return answers;
    });
  }

  let victim: ServiceName = 'pack_service';
  /** Stops the victim, by its own id, for as long as the work takes. */
  async function frozen<T>(work: () => Promise<T>): Promise<T> {
    const one = set.processes.get(victim);
    one?.kill('SIGSTOP');
    try {
      return await work();
    } finally {
      one?.kill('SIGCONT');
    }
  }

  async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${what} gave no answer in ${BOUND_MS} ms`)), BOUND_MS);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  /** The operations that failed, with code and the process that is named. */
  function failures(answers: ReadonlyMap<string, Reply>): Record<string, [ErrorCode, unknown]> {
    const failed = [...answers].filter(([, reply]) => reply.status >= 500 && reply.status !== 501);
    return Object.fromEntries(
      failed.map(([operation, reply]) => {
        const problem = Problem.parse(reply.body);
        expect([operation, problem.retryable]).toEqual([operation, true]);
        return [operation, [problem.code, problem.details?.['service']]];
      }),
    );
  }

  const ownedBy = (service: ServiceName): string[] =>
    routesOfApi()
      .filter((route) => route.service === service)
      .map((route) => route.operation);
  const all = (operations: readonly string[], value: [ErrorCode, unknown]): Record<string, [ErrorCode, unknown]> =>
    Object.fromEntries(operations.map((operation) => [operation, value]));

  /** Everything is as it was once the victim goes on. */
  async function works(): Promise<void> {
    await waitUntil('the set to be well again', async () => (await set.ask('getHealth', {})).status === 'ok');
    const { id } = await startedSession(set);
    expect((await say(set, id, 'Hello again.')).status).toBe(200);
    expect((await set.ask('listPacks', {})).packs.length).toBeGreaterThan(0);
    expect((await set.call('GET', '/api/models')).status).toBe(200);
  }

  it('as pack-service makes what needs it 503 SERVICE_UNAVAILABLE and nothing else', async () => {
    victim = 'pack_service';
    const failed = failures(await askEverything());
    const needScenario = [
      'createSession',
      'startSession',
      'takeTurn',
      'forkSession',
      'getDebugPrompt',
      'rateSelf',
      'checkSafety',
      'rescoreSession',
    ];
    expect(failed).toEqual(all([...ownedBy('pack_service'), ...needScenario], ['SERVICE_UNAVAILABLE', 'pack_service']));
    await works();
  });

  it('as the gateway makes what needs it 503, a turn 504, and nothing else', async () => {
    victim = 'runtime_gateway';
    const answers = await askEverything();
    expect(failures(answers)).toEqual({
      ...all(ownedBy('runtime_gateway'), ['SERVICE_UNAVAILABLE', 'runtime_gateway']),
      getRuntimeChoice: ['SERVICE_UNAVAILABLE', 'runtime_gateway'],
      listModels: ['RUNTIME_UNAVAILABLE', undefined],
      takeTurn: ['TURN_TIMEOUT', undefined],
      tryRuntime: ['TURN_TIMEOUT', undefined],
    });
    expect(answers.get('getHealth')?.body).toMatchObject({
      status: 'degraded',
      runtime: { status: 'UNAVAILABLE' },
      services: { runtime_gateway: { status: 'unavailable' }, pack_service: { status: 'ok' } },
    });
    await works();
  });

  it('as the worker makes scoring again 503, the debrief wait, and nothing else', async () => {
    victim = 'debrief_worker';
    const answers = await askEverything();
    expect(failures(answers)).toEqual({ rescoreSession: ['SERVICE_UNAVAILABLE', 'debrief_worker'] });
    expect(answers.get('createDebrief')?.status).toBe(202);
    await works();
    const { id } = await endedSession(set);
    const waiting = await frozen(async () => {
      const debrief = debriefFor(set, id);
      await waitUntil(
        'the debrief to be asked for',
        async () => (await sessionOf(set, id)).flow_state === 'DebriefGenerating',
      );
      return { debrief };
    });
    expect((await inTime('the debrief', waiting.debrief)).session_id).toBe(id);
  });

  it('as the page makes nothing fail', async () => {
    victim = 'ui';
    expect(failures(await askEverything())).toEqual({});
    await works();
  });

  it('as session-api makes pack-service refuse to uninstall what may be in use', async () => {
    const imported = await set.call('POST', '/api/packs/import', { path: writeSamplePack(folder.path) });
    expect([201, 409]).toContain(imported.status);
    victim = 'session_api';
    const reply = await frozen(() =>
      inTime('deletePack', set.call('DELETE', '/api/packs/long_talk', undefined, { service: 'pack_service' })),
    );
    expect(failures(new Map([['deletePack', reply]]))).toEqual({ deletePack: ['SERVICE_UNAVAILABLE', 'session_api'] });
    await works();
  });
});
