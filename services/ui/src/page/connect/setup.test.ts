import type { FoundProgram, ModelInstall, ModelServerState, Sidecar } from '@parley/shared/contracts';
import {
  carryOut,
  setupOfFile,
  setupOfFound,
  setupOfPull,
  setupOfStart,
  setupUnderWay,
  StepError,
  type Setup,
  type SetupPorts,
  type StepDetail,
  type StepName,
  type StepState,
} from './setup';

const MODEL = {
  name: 'Small 2B',
  pull: 'small:2b',
  gguf: { file: 'small.gguf', url: 'https://models.invalid/small.gguf', sha256: 'a'.repeat(64) },
};
const SERVER: ModelServerState = {
  installed: true,
  installing: null,
  message: null,
  size_bytes: 60_000_000,
  licence: 'MIT',
  command_found: 'bundled',
};
const INSTALLING: NonNullable<ModelServerState['installing']> = {
  started_at: '2026-01-01T00:00:00.000Z',
  packages_done: 1,
  packages_total: 10,
  line: 'unpacking',
};
const STOPPED: Sidecar = {
  status: 'stopped',
  pid: null,
  command: 'llama-server',
  port: 7356,
  model_id: null,
  started_at: null,
  last_exit: null,
};
const install = (members: Partial<ModelInstall> = {}): ModelInstall => ({
  id: 'one',
  model_id: 'small.gguf',
  status: 'queued',
  bytes_done: 0,
  bytes_total: null,
  message: null,
  ...members,
});

/** A service in which every pause brings what is under way one step further. */
class World implements SetupPorts {
  readonly calls: string[] = [];
  readonly reports: [StepName, StepState, StepDetail | undefined][] = [];
  server: ModelServerState | null = SERVER;
  installs: ModelInstall[] = [];
  sidecar: Sidecar = STOPPED;
  control = new AbortController();
  /** What each pause does, in order; nothing once they are used up. */
  readonly pauses: (() => void)[] = [];

  run(setup: Setup): Promise<void> {
    return carryOut(
      setup,
      this,
      (...report) => this.reports.push(report as (typeof this.reports)[number]),
      this.control.signal,
    );
  }

  states(step: StepName): StepState[] {
    return this.reports.filter(([name]) => name === step).map(([, state]) => state);
  }

  askServer = () => Promise.resolve(this.server);
  installServer = () => this.called('installServer', undefined);
  listInstalls = () => Promise.resolve(this.installs);
  install = (request: unknown) => {
    this.installs = [install()];
    return this.called(`install ${JSON.stringify(request)}`, install());
  };
  askSidecar = () => Promise.resolve(this.sidecar);
  startSidecar = (modelId: string | null) => {
    this.sidecar = { ...STOPPED, status: 'starting', model_id: modelId };
    return this.called(`start ${modelId}`, this.sidecar);
  };
  stopSidecar = () => {
    this.sidecar = STOPPED;
    return this.called('stop', this.sidecar);
  };
  choose = (choice: unknown) => this.called(`choose ${JSON.stringify(choice)}`, undefined);
  tryLine = () => this.called('try', { text: 'Good.', model_id: 'm', first_word_ms: 5, total_ms: 9 });
  pause = () => {
    const step = this.pauses.shift();
    if (step === undefined) return Promise.reject(new Error('it waits for something that never comes'));
    return Promise.resolve(step());
  };

  private called<T>(what: string, answer: T): Promise<T> {
    this.calls.push(what);
    return Promise.resolve(answer);
  }
}

const FILE = setupOfFile(MODEL) as Setup;
const REQUEST = `install ${JSON.stringify({ url: MODEL.gguf.url, sha256: MODEL.gguf.sha256 })}`;
const CHOOSE = 'choose {"runtime_id":"local_server"}';

describe('setting a model up', () => {
  it('fetches it, starts it, has it play and say a line', async () => {
    const world = new World();
    world.pauses.push(
      () => (world.installs = [install({ status: 'downloading', bytes_done: 1, bytes_total: 2 })]),
      () => (world.installs = [install({ status: 'verifying' })]),
      () => (world.installs = [install({ status: 'installed' })]),
      () => (world.sidecar = { ...world.sidecar, status: 'running' }),
    );
    await world.run(FILE);
    expect(world.calls).toEqual([REQUEST, 'start small.gguf', CHOOSE, 'try']);
    for (const step of FILE.steps) expect(world.states(step).at(-1)).toBe('done');
    expect(world.reports.at(-1)?.[2]).toMatchObject({ trial: { text: 'Good.' } });
  });

  it('installs the program that runs it first, while the model is being fetched already', async () => {
    const world = new World();
    world.server = { ...SERVER, installed: false, command_found: null };
    world.sidecar = { ...STOPPED, status: 'running', model_id: 'small.gguf' };
    world.installServer = () => {
      world.calls.push('installServer');
      world.server = { ...SERVER, installed: false, command_found: null, installing: INSTALLING };
      return Promise.resolve(undefined);
    };
    world.pauses.push(
      () => (world.server = SERVER),
      () => (world.installs = [install({ status: 'installed' })]),
    );
    await world.run(FILE);
    expect(world.calls).toEqual([REQUEST, 'installServer', CHOOSE, 'try']);
    expect(world.reports).toContainEqual(['server', 'running', { line: 'unpacking' }]);
    expect(world.reports).toContainEqual(['download', 'waiting', { install: install() }]);
  });

  it('goes on without a program of its own where the service can install none', async () => {
    const world = new World();
    world.server = null;
    world.pauses.push(
      () => (world.installs = [install({ status: 'installed' })]),
      () =>
        (world.sidecar = {
          ...STOPPED,
          status: 'failed',
          last_exit: { code: null, signal: null, at: '', message: 'Install llama.cpp.' },
        }),
    );
    await expect(world.run(FILE)).rejects.toEqual(new StepError('start', 'Install llama.cpp.'));
    expect(world.states('server').at(-1)).toBe('skipped');
    expect(world.states('start').at(-1)).toBe('failed');
    expect(world.calls).not.toContain(CHOOSE);
  });

  it.each<[string, StepName, (world: World) => void]>([
    [
      'the program',
      'server',
      (world) => (world.server = { ...SERVER, installed: false, command_found: null, message: 'No room.' }),
    ],
    [
      'the model',
      'download',
      (world) => world.pauses.push(() => (world.installs = [install({ status: 'failed', message: 'No room.' })])),
    ],
  ])('says why %s could not be had', async (_what, step, prepare) => {
    const world = new World();
    prepare(world);
    await expect(world.run(FILE)).rejects.toEqual(new StepError(step, 'No room.'));
    expect(world.calls).not.toContain('try');
  });

  it('goes on with an install that is under way instead of beginning another', async () => {
    const world = new World();
    world.installs = [install({ status: 'downloading' })];
    world.pauses.push(
      () => (world.installs = [install({ status: 'installed' })]),
      () => (world.sidecar = { ...world.sidecar, status: 'running' }),
    );
    await world.run(FILE);
    expect(world.calls[0]).toBe('start small.gguf');
  });

  it('stops a server that has another model loaded', async () => {
    const world = new World();
    world.sidecar = { ...STOPPED, status: 'running', model_id: 'other.gguf' };
    world.pauses.push(
      () => (world.installs = [install({ status: 'installed' })]),
      () => (world.sidecar = { ...world.sidecar, status: 'running' }),
    );
    await world.run(FILE);
    expect(world.calls).toEqual([REQUEST, 'stop', 'start small.gguf', CHOOSE, 'try']);
  });

  it('does nothing more once it is cancelled', async () => {
    const world = new World();
    world.pauses.push(() => world.control.abort());
    await expect(world.run(FILE)).rejects.toThrow();
    expect(world.calls).toEqual([REQUEST]);
    expect(world.reports.map(([, state]) => state)).not.toContain('failed');
  });

  it('has Ollama fetch a model once it plays, since nobody else can tell it to', async () => {
    const world = new World();
    world.pauses.push(() => (world.installs = [install({ status: 'installed' })]));
    await world.run(setupOfPull(MODEL, 'http://127.0.0.1:11434'));
    const choice = { runtime_id: 'local_native', base_url: 'http://127.0.0.1:11434', model_id: 'small:2b' };
    expect(world.calls).toEqual([`choose ${JSON.stringify(choice)}`, 'install {"pull":"small:2b"}', 'try']);
  });

  it('starts what is here again after the machine was off', async () => {
    const world = new World();
    world.pauses.push(() => (world.sidecar = { ...world.sidecar, status: 'running' }));
    await world.run(setupOfStart('the server'));
    expect(world.calls).toEqual(['start null', 'try']);
  });
});

describe('what a setup chooses', () => {
  const found = (members: Partial<FoundProgram>): FoundProgram => ({
    product: 'llama_server',
    runtime_id: 'local_server',
    base_url: 'http://127.0.0.1:8080',
    models: ['a'],
    problem: null,
    ...members,
  });

  it('names the model where there are several, and always to Ollama', () => {
    expect(setupOfFound(found({}), 'x', 'a').choice).not.toHaveProperty('model_id');
    expect(setupOfFound(found({ models: ['a', 'b'] }), 'x', 'b').choice.model_id).toBe('b');
    expect(setupOfFound(found({ runtime_id: 'local_native' }), 'x', 'a').choice.model_id).toBe('a');
  });

  it('is nothing for a model without a file', () => {
    expect(setupOfFile({ ...MODEL, gguf: null })).toBeNull();
  });

  it('is found again after a reload by what is being fetched or started', () => {
    const busy = { fetching: [], starting: null, ollama: null };
    expect(setupUnderWay([MODEL], busy)).toBeNull();
    expect(setupUnderWay([MODEL], { ...busy, fetching: ['small.gguf'] })).toEqual(FILE);
    expect(setupUnderWay([MODEL], { ...busy, starting: 'small.gguf' })).toEqual(FILE);
    expect(setupUnderWay([MODEL], { ...busy, fetching: ['small:2b'] })).toBeNull();
    expect(setupUnderWay([MODEL], { ...busy, fetching: ['small:2b'], ollama: 'http://127.0.0.1:1' })?.choice).toEqual({
      runtime_id: 'local_native',
      base_url: 'http://127.0.0.1:1',
      model_id: 'small:2b',
    });
  });
});
