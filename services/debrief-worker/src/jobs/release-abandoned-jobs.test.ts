import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { isGone } from './release-abandoned-jobs';

describe('isGone', () => {
  const self = `${hostname()}/${process.pid}/abc`;
  const dead = spawnSync(process.execPath, ['-e', '']).pid;

  it('is true for a process of this machine that no longer runs', () => {
    expect(isGone(`${hostname()}/${dead}/xyz`, self)).toBe(true);
  });

  it('is true for an earlier process that had our own process id', () => {
    expect(isGone(`${hostname()}/${process.pid}/xyz`, self)).toBe(true);
  });

  it.each([
    ['ourselves', self],
    ['a process that runs', `${hostname()}/${process.ppid}/xyz`],
    ['a process of another machine', `elsewhere/${dead}/xyz`],
    ['an owner that names no process', 'somebody'],
    ['a process id that is no number', `${hostname()}/0/xyz`],
    ['nobody', null],
  ])('is false for %s', (_name, owner) => {
    expect(isGone(owner, self)).toBe(false);
  });
});
