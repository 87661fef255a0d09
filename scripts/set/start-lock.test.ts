import { spawn } from 'node:child_process';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, isAlive } from '@parley/shared/process-identity';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { lockStart } from './start-lock.cjs';

describe('lockStart', () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder('lock');
    file = path.join(folder.path, 'start.lock');
  });
  afterEach(() => folder.remove());

  it('lets one start in, and the next one when it is given back', () => {
    const unlock = lockStart(folder.path);
    expect(() => lockStart(folder.path)).toThrow(`Another npm start (process ${process.pid}) is at work; wait for it.`);
    unlock();
    lockStart(folder.path)();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('takes over from a start that was killed, also when its number was given to another process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const identity = await waitUntil('the child', () => identityOf(child.pid ?? 0));
    writeFileSync(file, JSON.stringify(identity));
    expect(() => lockStart(folder.path)).toThrow(`process ${identity.pid}`);
    writeFileSync(file, JSON.stringify({ ...identity, started: '1' }));
    lockStart(folder.path)();
    writeFileSync(file, JSON.stringify(identity));
    child.kill('SIGKILL');
    await waitUntil('its end', () => !isAlive(identity));
    lockStart(folder.path)();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(['', '{"pid":1', '4711'])('takes over a lock that was never written whole: %j', (content) => {
    writeFileSync(file, content);
    // Somebody may be writing it at this moment.
    expect(() => lockStart(folder.path)).toThrow('Another npm start is at work');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    lockStart(folder.path)();
    expect(existsSync(file)).toBe(false);
  });

  it('says in one line that it cannot be written', () => {
    expect(() => lockStart(path.join(folder.path, 'nowhere'))).toThrow(/^.*start\.lock cannot be written: .*\.$/);
  });
});
