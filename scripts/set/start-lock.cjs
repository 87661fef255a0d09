/**
 * One `npm start` at a time. A library would keep such a lock, but none is there yet: the first `npm start` installs them,
 * and the lock must hold meanwhile.
 */
const { closeSync, openSync, renameSync, rmSync, statSync, writeSync } = require('node:fs');
const path = require('node:path');
const { identityOf, isAlive, readIdentity } = require('../../shared/process-identity/index.cjs');
const { UserError } = require('./user-error.cjs');

/** Who takes the lock has written its name well within this time. */
const WRITING_MS = 5_000;

/** @param {string} file */
function takeLock(file) {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, JSON.stringify(identityOf(process.pid) ?? { pid: process.pid }));
  } catch (error) {
    // A full disk: an empty lock must not stay behind.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** @param {string} file @returns {boolean} whether the lock was left behind by a process that has ended */
function isLeftBehind(file) {
  const holder = readIdentity(file);
  if (holder !== null) return !isAlive(holder);
  // Not whole: somebody writes it at this moment, or never finished.
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined || Math.abs(Date.now() - mtimeMs) > WRITING_MS;
}

/**
 * @param {string} folder that can be written
 * @returns {() => void} gives the lock back
 * @throws {UserError} when another start holds it, or the disk is full
 */
function lockStart(folder) {
  const file = path.join(folder, 'start.lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      takeLock(file);
      return () => rmSync(file, { force: true });
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'ENOSPC' || code === 'EDQUOT')
        throw new UserError(`The disk with ${folder} is full. Make room there, then run npm start again.`);
      if (code !== 'EEXIST') throw new UserError(`${file} cannot be written: ${/** @type {Error} */ (error).message}.`);
    }
    if (attempt > 3 || !isLeftBehind(file)) {
      const holder = readIdentity(file);
      throw new UserError(
        `Another npm start${holder === null ? '' : ` (process ${holder.pid})`} is at work; wait for it.`,
      );
    }
    // Moved away first: should another start have taken the lock meanwhile, it is that one's, and goes back.
    const old = `${file}.${process.pid}.old`;
    try {
      renameSync(file, old);
    } catch {
      continue;
    }
    if (isLeftBehind(old)) rmSync(old, { force: true });
    else renameSync(old, file);
  }
}

module.exports = { lockStart };
