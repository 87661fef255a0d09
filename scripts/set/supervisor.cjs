/** PM2 as a program: it is spawned, never imported, in a home of this set's own, and it calls nobody. */
const { existsSync, readFileSync, rmSync } = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const {
  identityOf,
  isAlive,
  readIdentity,
  readRunRecords,
  signalProcess,
  writeIdentity,
} = require('../../shared/process-identity/index.cjs');
const { DeadlineError, runProgram } = require('./run-program.cjs');
const { UserError } = require('./user-error.cjs');

/** @typedef {import('./project.cjs').Project} Project */
/** @typedef {import('./project.cjs').Service} Service */
/** @typedef {import('../../shared/process-identity/index.cjs').ProcessIdentity} ProcessIdentity */
/** @typedef {import('../../shared/process-identity/index.cjs').RunRecord} RunRecord */

/**
 * @typedef {object} SupervisedApp
 * @property {string} name
 * @property {number | null} instance which one of several of that name; null where there is one
 * @property {number | null} pid
 * @property {string} status as PM2 says it: online, stopped, waiting restart, …
 * @property {number} restarts
 * @property {number | null} memoryBytes
 * @property {number | null} startedAt epoch milliseconds
 */

/** How a process exits when only a person can mend why it does not start. */
const EXIT_CONFIGURATION = 78;
/** PM2 waits up to a minute for a process to say that it is ready. */
const START_DEADLINE_MS = 90_000;
/** Several of one name are started one after the other, each when the one before is ready. */
const NEXT_INSTANCE_MS = 10_000;
/** The kill timeout of an app is 14 s, and all are stopped at once. */
const STOP_DEADLINE_MS = 20_000;
const LIST_DEADLINE_MS = 10_000;
/** What a process takes to stop by itself once it is told to. */
const GRACE_MS = 14_000;

/** @param {number} milliseconds */
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @param {Project} project */
const identityFile = (project) => path.join(project.supervisorHome, 'supervisor.json');

/** The pid that PM2 wrote down for itself: a claim, not a proof. @param {Project} project @returns {number | null} */
function claimedPid(project) {
  try {
    const pid = Number(readFileSync(path.join(project.supervisorHome, 'pm2.pid'), 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Whether somebody listens where this set's supervisor would. @param {Project} project @returns {Promise<boolean>} */
function isListening(project) {
  // On Windows all of PM2's homes share one name.
  if (process.platform === 'win32') return Promise.resolve(identityOf(claimedPid(project) ?? 0) !== null);
  const address = path.join(project.supervisorHome, 'rpc.sock');
  if (!existsSync(address)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = net.connect(address);
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(2_000, () => end(true));
  });
}

/**
 * The supervisor of this set, if it runs. Its identity is null when it was started another way than by `npm start`, or its
 * record was lost: it may be asked to stop, but never be ended.
 * @param {Project} project
 * @returns {Promise<{ identity: ProcessIdentity | null } | null>}
 */
async function findSupervisor(project) {
  const identity = readIdentity(identityFile(project));
  if (identity !== null && isAlive(identity)) return { identity };
  return (await isListening(project)) ? { identity: null } : null;
}

/** The processes of this set that live, as they have written down themselves. @param {Project} project @returns {RunRecord[]} */
function livingProcesses(project) {
  return project.services
    .flatMap((service) => recordsOf(project, service))
    .filter((record) => record.supervisor === project.supervisorHome);
}

/**
 * What the living processes of a service wrote down, whoever started them.
 * @param {Project} project
 * @param {Service} service
 * @returns {RunRecord[]}
 */
function recordsOf(project, service) {
  const records = readRunRecords(project.dataDir, service.name.replaceAll('-', '_')).filter(isAlive);
  return records.sort((one, other) => (one.instance ?? 0) - (other.instance ?? 0));
}

/** @param {Project} project how many processes it has */
const processCount = ({ services }) => services.reduce((sum, { instances = 1 }) => sum + instances, 0);

/**
 * @param {Project} project
 * @param {string[]} words of the PM2 command line
 * @param {number} deadlineMs
 * @throws {DeadlineError}
 */
function runPm2(project, words, deadlineMs) {
  return runProgram({
    words: [path.join(project.root, 'node_modules', 'pm2', 'bin', 'pm2'), ...words],
    cwd: project.root,
    environment: {
      ...project.environment,
      PM2_HOME: project.supervisorHome,
      PM2_DISABLE_VERSION_CHECK: '1',
      PM2_DISCRETE_MODE: 'true',
      // All at once: none waits for another.
      PM2_CONCURRENT_ACTIONS: String(processCount(project)),
      // Several processes at one port take their connections themselves: one that hangs takes none, and none waits for PM2.
      NODE_CLUSTER_SCHED_POLICY: 'none',
    },
    deadlineMs,
  });
}

/**
 * Writes down who the supervisor is as soon as PM2 has started it: what is found in a stale file later proves nothing.
 * @param {Project} project
 */
function recordSupervisor(project) {
  const identity = identityOf(claimedPid(project) ?? 0);
  if (identity === null) return;
  if (readIdentity(identityFile(project))?.started === identity.started) return;
  try {
    writeIdentity(identityFile(project), identity);
  } catch {
    // A full disk. The supervisor works without; only, should it hang, nobody can prove that it may be ended.
  }
}

/**
 * Starts all apps and waits until each is ready or has given up. Whatever an earlier supervisor left must be cleared away.
 * @param {Project} project
 * @throws {DeadlineError}
 */
async function startApps(project) {
  const timer = setInterval(() => recordSupervisor(project), 100);
  try {
    const more = NEXT_INSTANCE_MS * (processCount(project) - project.services.length);
    await runPm2(project, ['start', 'ecosystem.config.js', '--silent'], START_DEADLINE_MS + more);
    recordSupervisor(project);
  } finally {
    clearInterval(timer);
  }
}

/**
 * What the supervisor knows of its apps; none when it does not run.
 * @param {Project} project
 * @returns {Promise<SupervisedApp[]>}
 * @throws {DeadlineError} when the supervisor does not answer
 */
async function listApps(project) {
  if ((await findSupervisor(project)) === null) return [];
  const { stdout } = await runPm2(project, ['jlist'], LIST_DEADLINE_MS);
  const start = stdout.indexOf('[{'); // PM2 may talk before it answers.
  if (start < 0) return [];
  const several = new Set(project.services.filter(({ instances = 1 }) => instances > 1).map(({ name }) => name));
  return JSON.parse(stdout.slice(start)).map((/** @type {any} */ one) => ({
    name: one.name,
    instance: several.has(one.name) ? Number(one.pm2_env.NODE_APP_INSTANCE) : null,
    pid: one.pid || null,
    // PM2 goes on saying "waiting restart" of a process that it has decided to leave alone.
    status: !one.pid && one.pm2_env.exit_code === EXIT_CONFIGURATION ? 'stopped' : one.pm2_env.status,
    restarts: one.pm2_env.restart_time,
    memoryBytes: one.pid ? one.monit.memory : null,
    startedAt: one.pid ? one.pm2_env.pm_uptime : null,
  }));
}

/** @param {ProcessIdentity[]} processes @param {number} milliseconds @returns {Promise<ProcessIdentity[]>} those that still live */
async function awaitEnd(processes, milliseconds) {
  const deadline = Date.now() + milliseconds;
  let left = processes.filter(isAlive);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50);
    left = left.filter(isAlive);
  }
  return left;
}

/** Their numbers stay in use until the system has noted their ends: whoever looks at numbers shall find none. @param {number[]} pids */
async function awaitFreeNumbers(pids) {
  const isInUse = (/** @type {number} */ pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  for (let tries = 0; tries < 40 && pids.some(isInUse); tries += 1) await sleep(50);
}

/** @param {Project} project @param {{ identity: ProcessIdentity | null }} supervisor */
async function stopSupervisor(project, { identity }) {
  try {
    await runPm2(project, ['kill'], STOP_DEADLINE_MS);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    if (identity === null)
      throw new UserError(
        `The supervisor in ${project.supervisorHome} does not answer, and nothing proves which process it is ` +
          `(pm2.pid names ${claimedPid(project) ?? 'none'}). End it yourself, then run npm stop again.`,
      );
  }
  if (identity === null) {
    for (let tries = 0; tries < 40 && (await isListening(project)); tries += 1) await sleep(50);
    return;
  }
  // Its processes notice that the line to it is cut, and stop in order.
  for (const left of await awaitEnd([identity], 2_000)) signalProcess(left, 'SIGKILL');
}

/**
 * Stops all apps gracefully, then the supervisor itself; resolves when none of them lives any more. Who does not stop is
 * ended, but only who is proven to be ours.
 * @param {Project} project
 * @returns {Promise<boolean>} whether anything ran
 * @throws {UserError} when something cannot be stopped
 */
async function stopAll(project) {
  const processes = livingProcesses(project);
  const supervisor = await findSupervisor(project);
  if (supervisor !== null) await stopSupervisor(project, supervisor);
  for (const left of processes) signalProcess(left, 'SIGTERM');
  for (const left of await awaitEnd(processes, GRACE_MS)) signalProcess(left, 'SIGKILL');
  const immortal = await awaitEnd(processes, 5_000);
  if (immortal.length > 0)
    throw new UserError(
      `Process ${immortal.map((one) => one.pid).join(', ')} of Parley cannot be ended: it waits for a disk that does not ` +
        'answer. Look at that disk, or restart the machine.',
    );
  const ended = supervisor?.identity ? [...processes, supervisor.identity] : processes;
  await awaitFreeNumbers(ended.map((one) => one.pid));
  forgetSupervisor(project);
  return supervisor !== null || processes.length > 0;
}

/** Takes away what a supervisor that has ended left in its home. @param {Project} project */
function forgetSupervisor(project) {
  for (const left of ['pm2.pid', 'rpc.sock', 'pub.sock', 'pids', 'supervisor.json'])
    try {
      rmSync(path.join(project.supervisorHome, left), { recursive: true, force: true });
    } catch {
      // A disk that cannot be written. Nothing is believed of what stays there.
    }
}

module.exports = { findSupervisor, listApps, livingProcesses, recordsOf, sleep, startApps, stopAll };
