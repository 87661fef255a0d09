/**
 * Which process a number means. The system gives the numbers of ended processes away again, so a number in a file proves
 * nothing: with it stands when that process started and in which run of the machine. Plain JavaScript, since `npm start`
 * and `npm stop` need it before anything is installed or built.
 */
const { spawnSync } = require('node:child_process');
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/**
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} started when the process started, in the system's own words: only good for comparing
 * @property {string} boot which run of the machine; empty where `started` says it
 */

/**
 * @typedef {object} RunDetails what a process says of itself while it runs, beside who it is
 * @property {string} service
 * @property {number} port
 * @property {string | null} supervisor home of the supervisor that started it; null when it was started by hand
 * @property {boolean} debugged a debugger may stop it for hours, and it does not hang
 * @property {number} [instance] which one of several processes of the service on that port
 * @property {number} [own_port] where such a one answers alone, as soon as it listens
 */

/** For the system's own programs, which answer at once or not at all. */
const PATIENCE_MS = 5_000;

/**
 * @param {string} program
 * @param {string[]} words
 * @param {Record<string, string>} [environment] its own where none is given
 * @returns {string | null} what it wrote, without blanks around
 */
function ask(program, words, environment) {
  const { status, stdout } = spawnSync(program, words, {
    encoding: 'utf8',
    ...(environment === undefined ? {} : { env: environment }),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
    windowsHide: true,
  });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process lives, or the system does not tell.
 */
function onLinux(pid) {
  // Fields after the name, which stands in brackets and may hold anything: state is the 3rd, start time the 22nd.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const [state = '', started = ''] = [fields[0], fields[19]];
  if (/^[ZXx]/.test(state) || !/^\d+$/.test(started)) return null;
  return { pid, started, boot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() };
}

/** @param {number} pid @returns {ProcessIdentity | null} */
function onWindows(pid) {
  const command = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
  const started = ask('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]);
  return started === null ? null : { pid, started, boot: '' };
}

/** @param {number} pid @returns {ProcessIdentity | null} */
function onOtherUnix(pid) {
  // The same words whatever the language and the place of whoever asks.
  const answer = ask('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { LC_ALL: 'C', TZ: 'UTC' });
  const [state = '', ...started] = answer?.split(/\s+/) ?? [];
  if (started.length === 0 || state.startsWith('Z')) return null;
  return { pid, started: started.join(' '), boot: '' };
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process lives, or the system does not tell.
 */
function identityOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    if (process.platform === 'linux') return onLinux(pid);
    return process.platform === 'win32' ? onWindows(pid) : onOtherUnix(pid);
  } catch {
    return null;
  }
}

/** @param {ProcessIdentity} identity @returns {boolean} whether that very process still lives */
function isAlive(identity) {
  const now = identityOf(identity.pid);
  return now !== null && now.started === identity.started && now.boot === identity.boot;
}

/**
 * Signals that very process, and nothing when it is gone or its number is another's now.
 * @param {ProcessIdentity} identity
 * @param {NodeJS.Signals} signal
 * @returns {boolean} whether the signal was sent
 */
function signalProcess(identity, signal) {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes an identity, with what else belongs to it, to a file that only its owner can read: whole or not at all.
 * @template {object} T
 * @param {string} file
 * @param {ProcessIdentity & T} identity
 * @throws what the file system says, for example that the disk is full
 */
function writeIdentity(file, identity) {
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify(identity)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {(ProcessIdentity & Record<string, unknown>) | null} null when there is none, or it is not whole.
 */
function readIdentity(file) {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8'));
    const isWhole =
      Number.isInteger(content.pid) &&
      content.pid > 0 &&
      typeof content.started === 'string' &&
      content.started !== '' &&
      typeof content.boot === 'string';
    return isWhole ? content : null;
  } catch {
    return null;
  }
}

/** @param {string} dataDir */
const runFolder = (dataDir) => path.join(dataDir, 'run');

/**
 * The records of a service: one, or one for each of several processes at one port. Those have the process's number in their
 * name, since one may be starting in the place of another that is still stopping.
 * @param {string} dataDir
 * @param {string} service
 * @returns {string[]} files
 */
function runRecordFiles(dataDir, service) {
  try {
    return readdirSync(runFolder(dataDir))
      .filter((name) => name.startsWith(service) && /^(-\d+)?\.json$/.test(name.slice(service.length)))
      .map((name) => path.join(runFolder(dataDir), name));
  } catch {
    return [];
  }
}

/**
 * Writes what this process says of itself: whoever finds it hanging can then prove which process it is. What processes of the
 * service left that were killed is taken away.
 * @param {string} dataDir
 * @param {RunDetails} details
 * @returns {() => void} takes it away again
 * @throws what the file system says, for example that the disk is full
 */
function writeRunRecord(dataDir, details) {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('the system does not tell when this process started');
  mkdirSync(runFolder(dataDir), { recursive: true, mode: 0o700 });
  for (const left of runRecordFiles(dataDir, details.service)) {
    const other = readIdentity(left);
    if (other === null || !isAlive(other)) rmSync(left, { force: true });
  }
  const suffix = details.instance === undefined ? '' : `-${process.pid}`;
  const file = path.join(runFolder(dataDir), `${details.service}${suffix}.json`);
  writeIdentity(file, { ...identity, ...details });
  return () => {
    // Another one may have taken over already.
    if (readIdentity(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/**
 * @param {string} dataDir
 * @param {string} service
 * @returns {(ProcessIdentity & RunDetails)[]} those that are whole; each may be of a process that has ended.
 */
function readRunRecords(dataDir, service) {
  return runRecordFiles(dataDir, service).flatMap((file) => {
    const record = readIdentity(file);
    const isWhole = record?.service === service && Number.isInteger(record.port) && record.supervisor !== undefined;
    return isWhole ? [/** @type {any} */ (record)] : [];
  });
}

/**
 * @param {RunDetails} record
 * @returns {number | null} the port at which this very process answers; null when it has none yet.
 */
const ownPortOf = (record) => (record.instance === undefined ? record.port : (record.own_port ?? null));

module.exports = {
  identityOf,
  isAlive,
  ownPortOf,
  readIdentity,
  readRunRecords,
  signalProcess,
  writeIdentity,
  writeRunRecord,
};
