import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { identityOf } from '@parley/shared/process-identity';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { PROCESSES, PROJECT_ROOT, smallDisk, SupervisedSet, type Ended, type StatusAnswer } from '../set';

/** Each test starts and stops real processes, several times, perhaps on a busy machine. */
jest.setTimeout(240_000);

/** Long enough for a busy machine not to be taken for a hung process, short enough to wait for. */
const HUNG_AFTER = { SIM_HUNG_AFTER_SECONDS: '9' };
const PATIENT = { timeoutMs: 120_000, intervalMs: 200 };

const lives = (pid: number): boolean => identityOf(pid) !== null;
const complaints = ({ stderr }: Ended): string[] =>
  stderr.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('…'));
const supervisorOf = (set: SupervisedSet): number =>
  Number(readFileSync(path.join(set.dataDir, 'supervisor', 'pm2.pid'), 'utf8'));
const processOf = (status: StatusAnswer, name: string): StatusAnswer['processes'][number] | undefined =>
  status.processes.find((one) => one.name === name);

/** Signals that processes of the set understand, loaded into each: a circle without end. */
function looper(folder: TemporaryFolder): Record<string, string> {
  const file = path.join(folder.path, 'looper.cjs');
  writeFileSync(
    file,
    `if (/service\\.cjs$/.test(process.env.pm_exec_path ?? '')) process.on('SIGUSR2', () => { for (;;); });`,
  );
  return { NODE_OPTIONS: `--require=${file}` };
}

describe('a checkout in a folder whose name has blanks and other odd characters', () => {
  it('starts, answers and stops', async () => {
    const folder = temporaryFolder('odd');
    const root = path.join(folder.path, `my "Parley's" $HOME & (copy) #1; ü 100%`);
    mkdirSync(root);
    for (const one of ['package.json', 'package-lock.json', 'ecosystem.config.js', 'scripts', 'packs'])
      cpSync(path.join(PROJECT_ROOT, one), path.join(root, one), { recursive: true });
    const plain = ['api-instances', 'data-folder', 'process-identity', 'package.json'].map((one) => `shared/${one}`);
    for (const one of ['services', ...plain])
      cpSync(path.join(PROJECT_ROOT, one), path.join(root, one), {
        recursive: true,
        filter: (file) => !/[\\/](node_modules|src|test)$|\.(map|d\.ts)$/.test(file),
      });
    symlinkSync(path.join(PROJECT_ROOT, 'node_modules'), path.join(root, 'node_modules'));
    const set = await SupervisedSet.forNewSet(root);
    const xdg = path.join(folder.path, 'share');
    set.settings = { SIM_DATA_DIR: '', XDG_DATA_HOME: xdg };
    try {
      const started = await set.start();
      expect([started.code, complaints(started)]).toEqual([
        0,
        [`Everything is kept in ${path.join(xdg, 'parley')}.`, expect.stringContaining('demo voice')],
      ]);
      expect(existsSync(path.join(xdg, 'parley', 'parley.sqlite'))).toBe(true);
      expect(existsSync(path.join(root, 'data'))).toBe(false);
      expect((await fetch(`http://127.0.0.1:${set.ports.SIM_UI_PORT}/`)).status).toBe(200);
      const scenarios = (await (await fetch(`${set.url}/api/scenarios`)).json()) as { scenarios: unknown[] };
      expect(scenarios.scenarios.length).toBeGreaterThan(0);
    } finally {
      expect((await set.stop()).code).toBe(0);
      expect(await set.answeringPorts()).toEqual([]);
      await set.end();
      folder.remove();
    }
  });
});

describe('a stranger whose number stands in a stale file', () => {
  let set: SupervisedSet;
  let stranger: ChildProcess;

  beforeEach(async () => {
    set = await SupervisedSet.forNewSet();
    stranger = spawn(process.execPath, ['-e', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`], {
      stdio: 'ignore',
    });
    const pid = stranger.pid ?? 0;
    const identity = await waitUntil('the stranger', () => identityOf(pid));
    const home = path.join(set.dataDir, 'supervisor');
    mkdirSync(path.join(home, 'pids'), { recursive: true, mode: 0o700 });
    mkdirSync(path.join(set.dataDir, 'run'), { recursive: true, mode: 0o700 });
    // As a power cut leaves them: the machine has started anew since, and given the numbers to others.
    const stale = { ...identity, boot: '00000000-0000-0000-0000-000000000000' };
    const write = (file: string, content: object): void => writeFileSync(file, JSON.stringify(content));
    writeFileSync(path.join(home, 'pm2.pid'), String(pid));
    writeFileSync(path.join(home, 'start.lock'), JSON.stringify(stale));
    write(path.join(home, 'supervisor.json'), stale);
    for (const name of PROCESSES) {
      writeFileSync(path.join(home, 'pids', `${name}-0.pid`), String(pid));
      const service = name.replaceAll('-', '_');
      const details = { service, port: 1, supervisor: home, debugged: false };
      write(path.join(set.dataDir, 'run', `${service}.json`), { ...stale, started: '1', ...details });
    }
  });
  afterEach(async () => {
    stranger.kill('SIGKILL');
    await set.end();
  });

  it('is not ended by npm stop', async () => {
    const stopped = await set.stop();
    expect([stopped.code, stopped.stderr.trim()]).toEqual([0, 'Parley is not running.']);
    expect(lives(stranger.pid ?? 0)).toBe(true);
  });

  it('is not ended by npm start, which starts, nor by the stop after it', async () => {
    const started = await set.start();
    expect([started.code, complaints(started)]).toEqual([0, [expect.stringContaining('demo voice')]]);
    expect((await set.stop()).code).toBe(0);
    expect(lives(stranger.pid ?? 0)).toBe(true);
  });
});

describe('a first start on a full disk', () => {
  it('says so in one line and locks out no later start', async () => {
    const disk = smallDisk();
    const set = await SupervisedSet.forNewSet();
    set.settings = disk.environment;
    mkdirSync(set.dataDir);
    try {
      disk.leave(set.dataDir, 0);
      const refused = await set.start();
      expect([refused.code, complaints(refused)]).toEqual([1, [expect.stringMatching(/^The disk with .* is full\. /)]]);
      disk.makeRoom();
      expect((await set.start()).code).toBe(0);
    } finally {
      disk.makeRoom();
      await set.end();
      disk.remove();
    }
  });

  it.each(['', '{"pid":1'])('a lock that an earlier version left as %j locks out no start', async (content) => {
    const set = await SupervisedSet.forNewSet();
    const home = path.join(set.dataDir, 'supervisor');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(home, 'start.lock'), content);
    await waitUntil('the first start that is let in', async () => (await set.start()).code === 0, PATIENT);
    await set.end();
  });
});

describe('a supervisor that hangs', () => {
  let set: SupervisedSet;
  let supervisor: number;

  beforeEach(async () => {
    set = await SupervisedSet.forNewSet();
    expect((await set.start()).code).toBe(0);
    supervisor = supervisorOf(set);
    process.kill(supervisor, 'SIGSTOP');
  });
  afterEach(() => set.end());

  it('is named by npm run status, and ended by npm stop with all that it ran', async () => {
    const status = await set.status();
    expect([status.code, status.supervisor]).toEqual([1, 'hung']);
    const pids = status.processes.map(({ pid }) => Number(pid));
    expect(pids.filter(lives).length).toBe(5);
    expect((await set.stop()).code).toBe(0);
    expect([supervisor, ...pids].filter(lives)).toEqual([]);
    expect(await set.answeringPorts()).toEqual([]);
  });

  it('is ended by npm start, which starts anew and says why', async () => {
    const again = await set.start();
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('since its supervisor hangs…')]);
    expect(lives(supervisor)).toBe(false);
    expect((await set.status()).code).toBe(0);
  });
});

describe('a process that hangs', () => {
  let set: SupervisedSet;

  beforeEach(async () => {
    set = await SupervisedSet.forNewSet();
  });
  afterEach(() => set.end());

  /** Waits until another process answers in the place of one that hangs. */
  const replaced = (name: string, pid: number): Promise<StatusAnswer> =>
    waitUntil(
      `another ${name}`,
      async () => {
        const status = await set.status();
        const one = processOf(status, name);
        return one?.ready === true && one.pid !== pid ? status : null;
      },
      PATIENT,
    );

  it('is noticed from outside and started again, whether it is stopped or runs in a circle, whichever it is', async () => {
    set.settings = { ...HUNG_AFTER, ...looper(set.folder) };
    expect((await set.start()).code).toBe(0);
    for (const [name, signal] of [
      ['session-api', 'SIGSTOP'],
      ['debrief-worker', 'SIGSTOP'],
      ['ui', 'SIGUSR2'],
      ['runtime-gateway', 'SIGUSR2'],
    ] as const) {
      const pid = Number((await set.pids())[name]);
      process.kill(pid, signal);
      await replaced(name, pid);
      expect(lives(pid)).toBe(false);
    }
    const logs = readdirSync(path.join(set.dataDir, 'logs'))
      .map((file) => readFileSync(path.join(set.dataDir, 'logs', file), 'utf8'))
      .join('');
    expect(logs).toContain('peer did not answer and was ended');
  });

  it('is told by health, status and doctor, and ended at once by npm start', async () => {
    set.settings = { SIM_HUNG_AFTER_SECONDS: '0' };
    expect((await set.start()).code).toBe(0);
    const pid = Number((await set.pids())['debrief-worker']);
    process.kill(pid, 'SIGSTOP');
    const health = await waitUntil('a degraded health', async () => {
      const answer = (await (await fetch(`${set.url}/api/health`)).json()) as Record<string, unknown>;
      return answer['status'] === 'degraded' ? answer : null;
    });
    expect(health).toMatchObject({ services: { debrief_worker: { status: 'unavailable', latency_ms: null } } });
    const status = await set.status();
    expect([status.code, processOf(status, 'debrief-worker')]).toEqual([
      1,
      expect.objectContaining({ pid, ready: false, hung: true }),
    ]);
    const doctor = await set.run(['scripts/doctor.cjs']);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`debrief-worker (process ${pid}) hangs`)]);
    expect(doctor.stdout).not.toContain('another program');
    const again = await set.start();
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('since debrief-worker hangs…')]);
    expect(lives(pid)).toBe(false);
  });

  it('is not called another program when its supervisor is gone, but ended by the next start', async () => {
    set.settings = { SIM_HUNG_AFTER_SECONDS: '0' };
    expect((await set.start()).code).toBe(0);
    const pid = Number((await set.pids())['session-api']);
    process.kill(pid, 'SIGSTOP');
    process.kill(supervisorOf(set), 'SIGKILL');
    const again = await set.start();
    expect([again.code, complaints(again)]).toEqual([0, [expect.stringContaining('demo voice')]]);
    expect(lives(pid)).toBe(false);
  });
});

describe('what keeps a process from starting again for a moment', () => {
  it('does not keep it away for good: it is tried again', async () => {
    const set = await SupervisedSet.forNewSet();
    set.settings = { SIM_HUNG_AFTER_SECONDS: '0' };
    try {
      expect((await set.start()).code).toBe(0);
      const pid = Number((await set.pids())['session-api']);
      // Somebody else is faster than the supervisor and takes the port.
      let other = createServer();
      process.kill(pid, 'SIGKILL');
      await waitUntil(
        'the taken port',
        () =>
          new Promise<boolean>((resolve) => {
            other = createServer((socket) => socket.destroy());
            other.once('error', () => resolve(false));
            other.listen(set.ports.SIM_API_PORT, '127.0.0.1', () => resolve(true));
          }),
        { timeoutMs: 30_000, intervalMs: 1 },
      );
      const log = (): string => readFileSync(path.join(set.dataDir, 'logs', 'session-api.1.log'), 'utf8');
      await waitUntil('a start in vain', () => log().includes('cannot start'), PATIENT);
      await new Promise((resolve) => other.close(resolve));
      await waitUntil('its return', async () => processOf(await set.status(), 'session-api')?.ready, PATIENT);
    } finally {
      await set.end();
    }
  });
});
