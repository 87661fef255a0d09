import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSkippedWithout, temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { bootEnvironment } from './boot-environment.cjs';
import { checkPaths, markOf, ownerOf, type Start } from './boot-entry.cjs';
import { launchAgent } from './launch-agent.cjs';
import { scheduledTask } from './scheduled-task.cjs';
import { systemdUnit } from './systemd-unit.cjs';

const describeWithSystemd =
  process.platform !== 'linux' ||
  isSkippedWithout(
    spawnSync('systemd-analyze', ['--version']).status === 0,
    'No systemd-analyze was found: whether systemd takes the unit is not tested. Install the package systemd.',
  )
    ? describe.skip
    : describe;

const startIn = (root: string, more: Partial<Start> = {}): Start => ({
  node: path.join(root, 'node'),
  startScript: path.join(root, 'scripts', 'start.cjs'),
  stopScript: path.join(root, 'scripts', 'stop.cjs'),
  root,
  environment: { PATH: '/usr/bin:/bin' },
  configFolder: '/home/ada/.config',
  home: '/home/ada',
  user: '501',
  dataDir: '/home/ada/.local/share/parley',
  logsDir: '/home/ada/.local/share/parley/logs',
  ...more,
});

describe('the systemd unit', () => {
  it('starts and stops by the absolute paths of Node and the checkout, with the environment', () => {
    const entry = systemdUnit(
      startIn('/opt/parley', { environment: { PATH: '/usr/bin', SIM_DATA_DIR: '/srv/talks' } }),
    );
    expect(entry.file).toBe('/home/ada/.config/systemd/user/parley.service');
    expect(entry.text).toContain('ExecStart="/opt/parley/node" "/opt/parley/scripts/start.cjs"\n');
    expect(entry.text).toContain('ExecStop="/opt/parley/node" "/opt/parley/scripts/stop.cjs"\n');
    expect(entry.text).toContain('Environment="PATH=/usr/bin"\nEnvironment="SIM_DATA_DIR=/srv/talks"\n');
    expect(entry.text).toContain('Type=oneshot\nRemainAfterExit=yes\n');
    expect(entry.text).toContain('WantedBy=default.target\n');
  });

  it('writes spaces, percent signs, quotes, backslashes and dollars so that systemd reads them as they are', () => {
    const { text } = systemdUnit(
      startIn('/a b/50%h', { startScript: `/a b/50%h/it's "$x"\\y`, environment: { PATH: '/p %u:/"q"' } }),
    );
    expect(text).toContain(`ExecStart="/a b/50%%h/node" "/a b/50%%h/it's \\"$$x\\"\\\\y"\n`);
    expect(text).toContain('Environment="PATH=/p %%u:/\\"q\\""\n');
  });

  it('lets a shell become a Node whose path systemd refuses as a program', () => {
    const { text } = systemdUnit(startIn('/opt/"mine"'));
    expect(text).toContain(
      'ExecStart=/bin/sh -c "exec \\"$$0\\" \\"$$@\\"" "/opt/\\"mine\\"/node" "/opt/\\"mine\\"/scripts/start.cjs"\n',
    );
  });

  it.each(['running', 'degraded', 'starting'])('takes a manager that is %s', (state) => {
    expect(systemdUnit(startIn('/opt/p')).whyUnusable({ code: 1, stdout: `${state}\n`, stderr: '' })).toBeNull();
  });

  it.each([
    [{ code: 1, stdout: 'offline\n', stderr: '' }, 'does not run here (offline)'],
    [{ code: 1, stdout: '', stderr: 'Failed to connect to bus: No medium found\n' }, 'No medium found'],
    [{ code: null, stdout: '', stderr: '' }, 'There is no systemd on this machine'],
  ])('says what to do without a manager: %j', (outcome, sentence) => {
    expect(systemdUnit(startIn('/opt/p')).whyUnusable(outcome)).toContain(sentence);
  });

  it('is active when systemd has it enabled and has started it', () => {
    const { isActive } = systemdUnit(startIn('/opt/p'));
    const says = (stdout: string): boolean => isActive({ code: 0, stdout, stderr: '' });
    expect(says('ActiveState=active\nUnitFileState=enabled\n')).toBe(true);
    expect(says('ActiveState=inactive\nUnitFileState=enabled\n')).toBe(false);
    expect(says('ActiveState=active\nUnitFileState=disabled\n')).toBe(false);
  });

  describeWithSystemd('as systemd-analyze reads it', () => {
    let folder: TemporaryFolder;
    beforeEach(() => {
      folder = temporaryFolder('unit');
    });
    afterEach(() => folder.remove());

    it.each(['plain', 'two words', '50%h 100%%', `a "quoted" it's $HOME back\\slash`, 'ümläut & <x>'])(
      'is in order for a checkout in %j',
      (name) => {
        const root = path.join(folder.path, name);
        mkdirSync(path.join(root, 'scripts'), { recursive: true });
        symlinkSync(process.execPath, path.join(root, 'node'));
        const start = startIn(root, { environment: { PATH: `/usr/bin:${root}`, SIM_DATA_DIR: root } });
        const file = path.join(folder.path, 'parley.service');
        writeFileSync(file, systemdUnit(start).text);
        const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', file], {
          encoding: 'utf8',
          env: { ...process.env, XDG_RUNTIME_DIR: folder.path },
        });
        expect(stderr.split('\n').filter((line) => line.includes('parley.service'))).toEqual([]);
        expect(status).toBe(0);
      },
    );
  });
});

describe('the launchd agent', () => {
  it('keeps what npm start leaves running, and logs for its owner alone', () => {
    const entry = launchAgent(startIn('/Users/ada/parley', { home: '/Users/ada' }));
    expect(entry.file).toBe('/Users/ada/Library/LaunchAgents/local.parley.plist');
    expect(entry.text).toContain('<key>AbandonProcessGroup</key><true/>');
    expect(entry.text).toContain('<key>RunAtLoad</key><true/>');
    expect(entry.text).toContain('<key>Umask</key><integer>63</integer>');
    expect(entry.enable).toEqual([{ program: 'launchctl', words: ['bootstrap', 'gui/501', entry.file] }]);
    expect(entry.disable(entry.text)[0]).toEqual({ program: 'launchctl', words: ['bootout', 'gui/501/local.parley'] });
  });

  it.each([undefined, `/srv/a & b/<"50%">--it's`])('stops the set that it starts, in %s', (dataDir) => {
    const environment: Start['environment'] = dataDir === undefined ? {} : { SIM_DATA_DIR: dataDir };
    const installed = launchAgent(startIn('/opt/p', { environment })).text;
    // Asked for by a shell that has another folder.
    const [, stop] = launchAgent(startIn('/opt/p', { environment: { SIM_DATA_DIR: '/other' } })).disable(installed);
    expect(stop?.words).toEqual([
      path.join('/opt/p', 'scripts', 'stop.cjs'),
      ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ]);
  });

  it('writes odd paths as XML has them, and needs nothing else escaped', () => {
    const { text } = launchAgent(startIn(`/Users/a & b/<"50%">--it's`));
    expect(text).toContain(`<string>/Users/a &amp; b/&lt;&quot;50%&quot;&gt;--it's/node</string>`);
    // Two dashes end a comment.
    expect(/<!--(.*?)-->/s.exec(text)?.[1]).not.toContain('--');
  });
});

describe('the scheduled task', () => {
  const windows = (root: string, more: Partial<Start> = {}): Start => ({
    ...startIn(root),
    node: 'C:\\Program Files\\nodejs\\node.exe',
    startScript: `${root}\\scripts\\start.cjs`,
    stopScript: `${root}\\scripts\\stop.cjs`,
    user: 'DESK\\Ada & Bob',
    dataDir: 'C:\\Users\\Ada\\AppData\\Local\\Parley',
    environment: {},
    ...more,
  });

  it('runs at the login of this user, without an end and on battery too', () => {
    const entry = scheduledTask(windows('C:\\Users\\Ada\\my parley'));
    expect(entry.file).toBe('C:\\Users\\Ada\\AppData\\Local\\Parley\\parley-task.xml');
    expect(entry.encoding).toBe('utf16le');
    expect(entry.text.startsWith('\ufeff<?xml version="1.0" encoding="UTF-16"?>')).toBe(true);
    expect(entry.text).toContain('<LogonTrigger><UserId>DESK\\Ada &amp; Bob</UserId></LogonTrigger>');
    expect(entry.text).toContain('<Command>&quot;C:\\Program Files\\nodejs\\node.exe&quot;</Command>');
    expect(entry.text).toContain('<Arguments>&quot;C:\\Users\\Ada\\my parley\\scripts\\start.cjs&quot;</Arguments>');
    expect(entry.text).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
    expect(entry.enable[0]).toEqual({
      program: 'schtasks',
      words: ['/create', '/tn', 'Parley', '/xml', entry.file, '/f'],
    });
  });

  it('names the data folder as a word, also one that ends with a backslash', () => {
    const { text } = scheduledTask(windows('C:\\p', { environment: { SIM_DATA_DIR: 'D:\\' } }));
    expect(text).toContain(
      '<Arguments>&quot;C:\\p\\scripts\\start.cjs&quot; --data-dir &quot;D:\\\\&quot;</Arguments>',
    );
  });

  it.each([undefined, 'D:\\', 'D:\\my talks\\a & b'])('stops the set that it starts, in %s', (dataDir) => {
    const environment: Start['environment'] = dataDir === undefined ? {} : { SIM_DATA_DIR: dataDir };
    const installed = scheduledTask(windows('C:\\p', { environment })).text;
    const [, stop] = scheduledTask(windows('C:\\p', { environment: { SIM_DATA_DIR: 'E:\\' } })).disable(installed);
    expect(stop?.words).toEqual([
      'C:\\p\\scripts\\stop.cjs',
      ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ]);
  });

  it.each(['C:\\a%TEMP%b', 'C:\\$(Arg0)'])('refuses a path that the scheduler would change: %s', (root) => {
    expect(() => scheduledTask(windows(root))).toThrow('A scheduled task would read a variable in');
  });

  it('takes one percent sign', () => {
    expect(scheduledTask(windows('C:\\50% more')).text).toContain('C:\\50% more\\scripts');
  });
});

describe('what an entry is made of', () => {
  it('is refused with a line break in a path', () => {
    expect(() => checkPaths(startIn('/a\nExecStartPre=x'))).toThrow('"/a\\nExecStartPre=x/node" has a line break');
    expect(() => checkPaths(startIn('/a'))).not.toThrow();
  });

  it.each([systemdUnit, launchAgent, scheduledTask])('says whose it is: %#', (entryFor) => {
    const { text } = entryFor(startIn('/opt/parley'));
    expect(ownerOf(text, '/opt/parley')).toBe('ours');
    expect(ownerOf(text, '/opt/other')).toBe('another checkout');
    expect(markOf('/opt/parley')).not.toContain('/opt');
  });

  it('is nobody of ours without the mark', () => {
    expect(ownerOf('[Service]\nExecStart=/usr/bin/npm start\n', '/opt/parley')).toBe('somebody else');
  });

  it('keeps the folders of programs without npm’s own, and where the data lies', () => {
    const given = {
      environment: {
        PATH: [
          '/opt/parley/node_modules/.bin',
          '/n/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
          '/usr/bin',
          '.',
          '/usr/bin',
          '/bin',
        ].join(path.delimiter),
        XDG_DATA_HOME: '/elsewhere',
        SIM_RUNTIME_ID: 'fake',
      },
      dataDir: '/srv/talks',
      dataDirFrom: 'SIM_DATA_DIR' as const,
      shellSettings: ['SIM_DATA_DIR', 'SIM_RUNTIME_ID'],
    };
    const PATH = ['/usr/bin', '/bin'].join(path.delimiter);
    expect(bootEnvironment(given)).toEqual({ PATH, SIM_DATA_DIR: '/srv/talks' });
    // From .env, which every start reads by itself.
    expect(bootEnvironment({ ...given, shellSettings: [] })).toEqual({ PATH });
    expect(bootEnvironment({ ...given, dataDirFrom: 'platform', shellSettings: [] })).toEqual({
      PATH,
      XDG_DATA_HOME: '/elsewhere',
    });
  });
});
