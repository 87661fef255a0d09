import { createServer } from 'node:http';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from '@parley/shared/testing';
import { PROCESSES, SupervisedSet, type Ended } from './set';

/** Each test starts and stops real processes, several times, perhaps on a busy machine. */
jest.setTimeout(180_000);

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What a person reads, but for the lines that say what is going on. */
const complaints = ({ stderr }: Ended): string[] =>
  stderr.split('\n').filter((line) => line.trim() !== '' && !line.endsWith('…'));

describe('npm start, status and stop', () => {
  let commands: SupervisedSet;
  let started: Ended;

  beforeAll(async () => {
    commands = await SupervisedSet.forNewSet();
    started = await commands.start();
  });
  afterAll(() => commands.end());

  it('starts all five, names the address of the page on stdout, and says who plays the character', async () => {
    expect([started.code, complaints(started)]).toEqual([0, [expect.stringContaining('demo voice')]]);
    expect(started.stdout).toBe(`Parley is ready: http://127.0.0.1:${commands.ports.SIM_UI_PORT}\n`);
    const page = await fetch(`http://127.0.0.1:${commands.ports.SIM_UI_PORT}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/<!doctype html>/i)]);
  });

  it('reports every process as answering', async () => {
    const { code, running, processes } = await commands.status();
    expect([code, running]).toEqual([0, true]);
    expect(processes.map(({ name, status, ready }) => [name, status, ready]).sort()).toEqual(
      PROCESSES.map((name) => [name, 'online', true]),
    );
  });

  it('leaves a running set alone when it is started again', async () => {
    const before = await commands.pids();
    const again = await commands.start();
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('running already')]);
    expect(await commands.pids()).toEqual(before);
  });

  it('brings a killed process back, healthy, and touches no other', async () => {
    const before = await commands.pids();
    process.kill(before['session-api'] ?? 0, 'SIGKILL');
    const after = await waitUntil('a new session-api that answers', async () => {
      const { processes } = await commands.status();
      const api = processes.find(({ name }) => name === 'session-api');
      return api?.ready && api.pid !== before['session-api'] ? processes : null;
    });
    for (const { name, pid } of after) if (name !== 'session-api') expect([name, pid]).toEqual([name, before[name]]);
    expect(after.find(({ name }) => name === 'session-api')?.restarts).toBe(1);
  });

  it('shows the log of one process, and only of that one', async () => {
    const { code, stdout } = await commands.run(['scripts/logs.cjs', 'session-api', '--no-follow', '--json']);
    const services = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { service: string }).service);
    expect([code, new Set(services)]).toEqual([0, new Set(['session_api'])]);
  });

  it('keeps logs to their owner, and lets the supervisor write none', () => {
    const logs = path.join(commands.dataDir, 'logs');
    for (const file of readdirSync(logs))
      expect([file, statSync(path.join(logs, file)).mode & 0o077]).toEqual([file, 0]);
    const home = path.join(commands.dataDir, 'supervisor');
    expect(statSync(home).mode & 0o077).toBe(0);
    expect(readdirSync(path.join(home, 'logs'))).toEqual([]);
    expect(existsSync(path.join(home, 'dump.pm2'))).toBe(false);
  });

  it('starts anew when a setting has changed', async () => {
    const before = await commands.pids();
    expect((await commands.start({ SIM_LOG_LEVEL: 'debug' })).code).toBe(0);
    const after = await commands.pids();
    for (const name of PROCESSES) expect(after[name]).not.toBe(before[name]);
  });

  /** What session-api stopped for last. Work in the background may still say after that what it has done. */
  const whyStopped = (): unknown =>
    readFileSync(path.join(commands.dataDir, 'logs', 'session-api.1.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; reason?: string })
      .findLast(({ msg }) => msg === 'stopping')?.reason;

  it('ends every process cleanly when the supervisor itself is killed, and starts again after that', async () => {
    const before = Object.values(await commands.pids()).map(Number);
    process.kill(Number(readFileSync(path.join(commands.dataDir, 'supervisor', 'pm2.pid'), 'utf8')), 'SIGKILL');
    await waitUntil('the end of all five', () => before.every((pid) => !lives(pid)));
    expect(whyStopped()).toBe('supervisor gone');
    expect((await commands.status()).code).toBe(3);
    expect((await commands.start()).code).toBe(0);
    expect((await commands.status()).code).toBe(0);
  });

  it('stops gracefully and leaves no process and no port; a second stop finds nothing to do', async () => {
    const pids = Object.values(await commands.pids()).map(Number);
    const supervisor = Number(readFileSync(path.join(commands.dataDir, 'supervisor', 'pm2.pid'), 'utf8'));
    expect((await commands.stop()).code).toBe(0);
    expect([...pids, supervisor].filter(lives)).toEqual([]);
    expect(await commands.answeringPorts()).toEqual([]);
    expect(whyStopped()).toBe('SIGINT');

    const again = await commands.stop();
    expect([again.code, again.stderr.trim()]).toEqual([0, 'Parley is not running.']);
    expect(await commands.status()).toMatchObject({ code: 3, running: false });
  });
});

describe('a start that only a person can mend', () => {
  let commands: SupervisedSet;

  beforeAll(async () => {
    commands = await SupervisedSet.forNewSet();
  });
  afterEach(async () => {
    expect(await commands.answeringPorts()).toEqual([]);
    const home = path.join(commands.dataDir, 'supervisor');
    expect(existsSync(path.join(home, 'pm2.pid'))).toBe(false);
  });
  afterAll(() => commands.end());

  it('says in one line which port is taken and which variable sets another', async () => {
    const port = commands.ports.SIM_GATEWAY_PORT;
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const result = await commands.start();
    await new Promise((resolve) => other.close(resolve));
    expect([result.code, complaints(result)]).toEqual([
      1,
      [`Port ${port} is taken by another program. Stop that program, or set SIM_GATEWAY_PORT to a free port.`],
    ]);
  });

  it.each([
    ['that all processes read', { SIM_LAN_ACCESS_ENABLED: 'maybe' }, 'SIM_LAN_ACCESS_ENABLED="maybe"'],
    ['that one process reads', { SIM_GATEWAY_SLOTS: 'many' }, 'SIM_GATEWAY_SLOTS="many"'],
    ['that the commands read', { SIM_UI_PORT: 'http' }, 'SIM_UI_PORT="http"'],
  ])('says in one line which variable %s is wrong', async (_which, settings, words) => {
    const result = await commands.start(settings as unknown as Record<string, string>);
    expect([result.code, complaints(result)]).toEqual([1, [expect.stringContaining(words)]]);
    expect(complaints(result)[0]).toContain('cannot be used: it must be');
  });

  it('says in one line what several session-apis need, before anything is started', async () => {
    const untouched = path.join(commands.folder.path, 'untouched');
    const settings = { SIM_API_INSTANCES: '2', SIM_INTERNAL_KEY: 'k'.repeat(40), SIM_DATA_DIR: untouched };
    const result = await commands.start(settings);
    expect([result.code, complaints(result)]).toEqual([
      1,
      [
        'SIM_API_INSTANCES="2" cannot be used: several session-apis share PostgreSQL and Redis: set ' +
          'SIM_DATABASE_URL=postgres://… and SIM_REDIS_URL as well, or take it out.',
      ],
    ]);
    expect(existsSync(untouched)).toBe(false);
    // Whoever stops needs none of it.
    expect((await commands.stop(settings)).code).toBe(0);
  });

  it('says in one line that the data folder cannot be written', async () => {
    // A file where a folder should be: no rights help, so it also fails for an administrator.
    const file = path.join(commands.folder.path, 'a-file');
    writeFileSync(file, '');
    const result = await commands.start({ SIM_DATA_DIR: path.join(file, 'data') });
    expect([result.code, complaints(result)]).toEqual([1, [expect.stringMatching(/cannot be written.*SIM_DATA_DIR/)]]);
  });

  it('says in one line how to get a compiler when the database driver must be built without one', async () => {
    const project = path.join(commands.folder.path, 'project');
    const driver = path.join(project, 'node_modules', 'better-sqlite3');
    mkdirSync(driver, { recursive: true });
    const packages = { 'node_modules/better-sqlite3': { version: '12.11.1' } };
    writeFileSync(path.join(project, 'package-lock.json'), JSON.stringify({ packages }));
    writeFileSync(path.join(project, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
    const npm = path.join(project, 'npm.cjs');
    writeFileSync(npm, `process.stderr.write('gyp ERR! not found: make\\n'); process.exit(1);`);
    const program = `
      const { installWhatIsMissing } = require('./scripts/setup/install-packages.cjs');
      const { runCommand } = require('./scripts/set/user-error.cjs');
      const project = ${JSON.stringify({ root: project, npmProgram: npm, environment: {} })};
      runCommand(() => installWhatIsMissing(project));`;
    const result = await commands.run(['-e', program], { PATH: project });
    expect([result.code, complaints(result)]).toEqual([
      1,
      [
        expect.stringMatching(
          /^The SQLite driver must be compiled, and there is no compiler\. Install .*npm start again\.$/,
        ),
      ],
    ]);
  });
});

describe('the network', () => {
  let commands: SupervisedSet;
  let record: string;

  beforeAll(async () => {
    commands = await SupervisedSet.forNewSet();
    // Loaded into every process of the set, the supervisor and its command line: writes down who calls out.
    record = path.join(commands.folder.path, 'calls.txt');
    const recorder = path.join(commands.folder.path, 'recorder.cjs');
    writeFileSync(
      recorder,
      `const { appendFileSync } = require('node:fs');
      const dns = require('node:dns');
      const net = require('node:net');
      const isLocal = (host) => /^(127\\.|::1$|localhost$|0\\.0\\.0\\.0$)/.test(host);
      const write = (host) => appendFileSync(${JSON.stringify(record)}, process.argv[1] + ' ' + host + '\\n');
      write('127.0.0.1 (the recorder runs)');
      const { lookup } = dns;
      dns.lookup = (host, ...rest) => {
        if (!isLocal(String(host))) write(host);
        return lookup(host, ...rest);
      };
      const { connect } = net.Socket.prototype;
      net.Socket.prototype.connect = function (...words) {
        const options = Array.isArray(words[0]) ? words[0][0] : words[0];
        const host = typeof options === 'object' ? options.host : words[1];
        if (typeof host === 'string' && !isLocal(host)) write(host);
        return connect.apply(this, words);
      };`,
    );
    commands.settings = { NODE_OPTIONS: `--require=${recorder}` };
  });
  afterAll(() => commands.end());

  const calls = (): { programs: Set<string>; outside: string[] } => {
    const lines = readFileSync(record, 'utf8').trim().split('\n');
    return {
      programs: new Set(lines.map((line) => path.basename(line.split(' ')[0] ?? ''))),
      outside: lines.filter((line) => !line.endsWith('(the recorder runs)')),
    };
  };

  it('is not called by npm start, the supervisor or any process, from start to stop', async () => {
    const started = await commands.start();
    expect([started.code, started.stderr]).toEqual([0, expect.stringContaining('demo voice')]);
    const api = `http://127.0.0.1:${commands.ports.SIM_API_PORT}`;
    for (const place of ['/api/health', '/api/models', '/api/scenarios', '/api/packs'])
      expect([place, (await fetch(api + place)).status]).toEqual([place, 200]);
    expect((await commands.stop()).code).toBe(0);
    expect(calls().outside).toEqual([]);
    // The recorder was there: in PM2's command line and daemon, and in each process.
    expect([...calls().programs]).toEqual(expect.arrayContaining(['pm2', 'Daemon.js', 'ProcessContainerFork.js']));
  });

  it('is not called by a plain `pm2 start ecosystem.config.js` either, in a home that PM2 has never seen', async () => {
    const home = path.join(commands.folder.path, 'home');
    mkdirSync(home);
    const pm2 = (words: string[]): Promise<Ended> =>
      commands.run([path.join('node_modules', 'pm2', 'bin', 'pm2'), ...words], { HOME: home, USERPROFILE: home });
    try {
      expect((await pm2(['start', 'ecosystem.config.js'])).code).toBe(0);
      expect((await commands.answeringPorts()).length).toBe(5);
      expect(readdirSync(path.join(home, '.pm2', 'logs'))).toEqual([]);
      const beside = await commands.start();
      expect([beside.code, complaints(beside)]).toEqual([1, [expect.stringMatching(/not under this supervisor/)]]);
    } finally {
      await pm2(['kill']);
    }
    expect(await commands.answeringPorts()).toEqual([]);
    expect(calls().outside).toEqual([]);
  });
});
