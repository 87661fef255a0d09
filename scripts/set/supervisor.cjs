/** PM2 as a program: it is spawned, never imported, in a home of this set's own, and it calls nobody. */
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readFileSync, readdirSync, rmSync } = require('node:fs');
const path = require('node:path');

/** @typedef {import('./project.cjs').Project} Project */

/**
 * @typedef {object} SupervisedApp
 * @property {string} name
 * @property {number | null} pid
 * @property {string} status as PM2 says it: online, stopped, waiting restart, …
 * @property {number} restarts
 * @property {number | null} memoryBytes
 * @property {number | null} startedAt epoch milliseconds
 */

/** How a process exits when only a person can mend why it does not start. */
const EXIT_CONFIGURATION = 78;
/** Longer than the kill timeout of an app. */
const STOP_DEADLINE_MS = 20_000;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} file @returns {number | null} */
function readPid(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Whether a pid of an earlier supervisor's notes is still that process: the system may have given the number away.
 * @param {number} pid
 * @param {string} name
 */
function isStill(pid, name) {
  let command;
  try {
    command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    command = process.platform === 'win32' ? '' : spawnSync('ps', ['-p', String(pid), '-o', 'args=']).stdout.toString();
  }
  return command.includes(path.join('services', name, 'dist', 'main.js')) || command.includes('ProcessContainerFork');
}

/** The supervisor's pid, or null when it does not run. @param {Project} project */
function supervisorPid(project) {
  const pid = readPid(path.join(project.supervisorHome, 'pm2.pid'));
  return pid !== null && isAlive(pid) ? pid : null;
}

/** Pids of the processes that the supervisor runs, by name. @param {Project} project @returns {Map<string, number>} */
function appPids(project) {
  const folder = path.join(project.supervisorHome, 'pids');
  const pids = new Map();
  if (!existsSync(folder)) return pids;
  for (const file of readdirSync(folder)) {
    const name = /^(.+)-\d+\.pid$/.exec(file)?.[1];
    const pid = readPid(path.join(folder, file));
    if (name !== undefined && pid !== null && isAlive(pid)) pids.set(name, pid);
  }
  return pids;
}

/**
 * @param {Project} project
 * @param {string[]} words of the PM2 command line
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function runPm2(project, words) {
  const program = path.join(project.root, 'node_modules', 'pm2', 'bin', 'pm2');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: project.root,
      env: {
        ...project.environment,
        PM2_HOME: project.supervisorHome,
        PM2_DISABLE_VERSION_CHECK: '1',
        PM2_DISCRETE_MODE: 'true',
        // All five at once: none waits for another.
        PM2_CONCURRENT_ACTIONS: '5',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.once('error', reject);
    // The supervisor inherits nothing of these pipes, so they close when the command is done.
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}

/** Starts all apps and waits until each is ready or has given up. @param {Project} project */
const startApps = (project) => runPm2(project, ['start', 'ecosystem.config.js', '--silent']);

/**
 * What the supervisor knows of its apps; none when it does not run.
 * @param {Project} project
 * @returns {Promise<SupervisedApp[]>}
 */
async function listApps(project) {
  if (supervisorPid(project) === null) return [];
  const { stdout } = await runPm2(project, ['jlist']);
  const start = stdout.indexOf('[{'); // PM2 may talk before it answers.
  if (start < 0) return [];
  return JSON.parse(stdout.slice(start)).map((/** @type {any} */ one) => ({
    name: one.name,
    pid: one.pid || null,
    // PM2 goes on saying "waiting restart" of a process that it has decided to leave alone.
    status: !one.pid && one.pm2_env.exit_code === EXIT_CONFIGURATION ? 'stopped' : one.pm2_env.status,
    restarts: one.pm2_env.restart_time,
    memoryBytes: one.pid ? one.monit.memory : null,
    startedAt: one.pid ? one.pm2_env.pm_uptime : null,
  }));
}

/** @param {number} milliseconds */
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Stops all apps gracefully, then the supervisor itself; resolves when none of them lives any more.
 * @param {Project} project
 * @returns {Promise<boolean>} whether anything ran
 */
async function stopAll(project) {
  const daemon = supervisorPid(project);
  const apps = [...appPids(project)];
  // Without a supervisor its notes may be old: only what is certainly ours is stopped.
  const orphans = daemon === null ? apps.filter(([name, pid]) => isStill(pid, name)).map(([, pid]) => pid) : [];
  const pids = daemon === null ? orphans : [...apps.map(([, pid]) => pid), daemon];
  if (daemon !== null) await runPm2(project, ['kill']);
  for (const pid of orphans) process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_DEADLINE_MS;
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(50);
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
  for (const left of ['pm2.pid', 'rpc.sock', 'pub.sock', 'pids'])
    rmSync(path.join(project.supervisorHome, left), { recursive: true, force: true });
  return pids.length > 0;
}

module.exports = { appPids, listApps, sleep, startApps, stopAll, supervisorPid };
