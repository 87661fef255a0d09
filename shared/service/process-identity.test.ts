import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  identityOf,
  isAlive,
  readIdentity,
  ownPortOf,
  readRunRecords,
  signalProcess,
  writeIdentity,
  writeRunRecord,
  type ProcessIdentity,
} from '@parley/shared/process-identity';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';

describe('the identity of a process', () => {
  let folder: TemporaryFolder;
  let child: ChildProcess;
  let identity: ProcessIdentity;

  beforeEach(async () => {
    folder = temporaryFolder('identity');
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    identity = await waitUntil('the child', () => identityOf(child.pid ?? 0));
  });
  afterEach(() => {
    child.kill('SIGKILL');
    folder.remove();
  });

  it('stays the same while the process lives, and is another for each', () => {
    expect(identityOf(identity.pid)).toEqual(identity);
    expect(isAlive(identity)).toBe(true);
    expect(identityOf(process.pid)).not.toMatchObject({ started: identity.started });
  });

  it('is gone with the process, also before its parent has asked how it ended', async () => {
    process.kill(identity.pid, 'SIGKILL');
    await waitUntil('its end', () => !isAlive(identity));
    expect(identityOf(identity.pid)).toBe(null);
    expect([identityOf(0), identityOf(-1), identityOf(1.5), identityOf(2 ** 30)]).toEqual([null, null, null, null]);
  });

  it.each([
    ['started at another time', { started: '1' }],
    ['belongs to another run of the machine', { boot: 'another' }],
  ])('lets nobody signal a process that %s', (_what, difference) => {
    expect(signalProcess({ ...identity, ...difference }, 'SIGKILL')).toBe(false);
    expect(isAlive(identity)).toBe(true);
  });

  it('lets the very process be signalled', async () => {
    expect(signalProcess(identity, 'SIGKILL')).toBe(true);
    await waitUntil('its end', () => !isAlive(identity));
    expect(signalProcess(identity, 'SIGKILL')).toBe(false);
  });

  it('is read from a file only whole, which its owner alone can read', () => {
    const file = path.join(folder.path, 'one.json');
    expect(readIdentity(file)).toBe(null);
    writeIdentity(file, { ...identity, more: 'words' });
    expect(readIdentity(file)).toEqual({ ...identity, more: 'words' });
    expect([statSync(file).mode & 0o077, readdirSync(folder.path)]).toEqual([0, ['one.json']]);
    const whole = readFileSync(file, 'utf8');
    for (const broken of ['', whole.slice(0, -5), String(identity.pid), 'null', '{"pid":0,"started":"1","boot":""}']) {
      writeFileSync(file, broken);
      expect([broken, readIdentity(file)]).toEqual([broken, null]);
    }
  });

  it('leaves nothing half written behind', () => {
    const taken = path.join(folder.path, 'taken');
    mkdirSync(path.join(taken, 'x'), { recursive: true });
    expect(() => writeIdentity(taken, identity)).toThrow();
    expect(readdirSync(folder.path)).toEqual(['taken']);
  });

  it('is what a process says of itself while it runs, and takes away unless another one has taken over', () => {
    const details = { service: 'ui', port: 1234, supervisor: null, debugged: false };
    const remove = writeRunRecord(folder.path, details);
    expect(readRunRecords(folder.path, 'ui')).toEqual([{ ...identityOf(process.pid), ...details }]);
    expect(readRunRecords(folder.path, 'session_api')).toEqual([]);
    writeIdentity(path.join(folder.path, 'run', 'ui.json'), { ...identity, ...details });
    remove();
    expect(readRunRecords(folder.path, 'ui')).toMatchObject([{ pid: identity.pid }]);
    writeRunRecord(folder.path, details)();
    expect(readRunRecords(folder.path, 'ui')).toEqual([]);
  });

  it('is one for each of several processes at a port, without those that were killed', () => {
    const details = { service: 'session_api', port: 1234, supervisor: '/home', debugged: false };
    const run = (name: string): string => path.join(folder.path, 'run', name);
    writeRunRecord(folder.path, { ...details, service: 'ui' });
    const killed = { ...identity, started: '1', ...details, instance: 0, own_port: 4000 };
    for (const name of ['session_api-1.json', 'session_api.json']) writeIdentity(run(name), killed);
    writeFileSync(run('session_api-2.json'), '');
    const other = { ...identityOf(process.ppid), ...details, instance: 0, own_port: 4001 } as typeof killed;
    writeIdentity(run('session_api-3.json'), other);
    expect(readRunRecords(folder.path, 'session_api')).toHaveLength(3);

    writeRunRecord(folder.path, { ...details, instance: 1 });
    const remove = writeRunRecord(folder.path, { ...details, instance: 1, own_port: 4002 });
    const own = { ...identityOf(process.pid), ...details, instance: 1, own_port: 4002 };
    const records = readRunRecords(folder.path, 'session_api');
    expect(records.sort((a, b) => (a.instance ?? 0) - (b.instance ?? 0))).toEqual([other, own]);
    expect([...records, details, { ...details, instance: 2 }].map(ownPortOf)).toEqual([4001, 4002, 1234, null]);
    remove();
    expect(readRunRecords(folder.path, 'session_api')).toEqual([other]);
    expect(readRunRecords(folder.path, 'ui')).toHaveLength(1);
  });
});
