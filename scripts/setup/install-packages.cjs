/** Installs the packages when they are missing or the lockfile has changed. Runs before anything is installed. */
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { UserError } = require('../set/user-error.cjs');
const { findCompiler, howToGetACompiler } = require('./compiler.cjs');
const { runWithProgress } = require('./run-with-progress.cjs');

/** @typedef {import('../set/project.cjs').Project} Project */

/** @param {string} file @returns {any} */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Compares the lockfile with the list that npm keeps of what it has installed.
 * @param {Project} project
 */
function isInstalled(project) {
  const wanted = readJson(path.join(project.root, 'package-lock.json'))?.packages;
  const present = readJson(path.join(project.root, 'node_modules', '.package-lock.json'))?.packages;
  if (wanted === undefined || present === undefined || present === null) return false;
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.includes('node_modules/') || entry.link || entry.optional || entry.devOptional || entry.peer)
      return true;
    return present[place]?.version === entry.version;
  });
}

/** Whether the SQLite driver loads: it is compiled for one version of Node. @param {Project} project */
function driverLoads(project) {
  try {
    const driver = path.join(project.root, 'node_modules', 'better-sqlite3');
    execFileSync(process.execPath, ['-e', `new (require(${JSON.stringify(driver)}))(':memory:').close()`], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const BINARY = path.join('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
/** Only what is compiled with the headers of Node 24.19 or newer calls it. */
const ABORTING = 'RemoveEnvironmentCleanupHook';

/**
 * Whether the driver would end processes in the middle of their work: in the headers of Node 24.19 and newer every object of an
 * addon takes a hook back when it is collected, and Node aborts when no code runs at that moment. docs/decisions, 0039.
 * @param {Project} project
 */
function driverAborts(project) {
  const file = path.join(project.root, BINARY);
  return existsSync(file) && readFileSync(file).includes(ABORTING);
}

const ABORTS = `The SQLite driver was compiled with the headers of Node.js ${process.versions.node}, and ends processes in the middle of their work. Use Node.js 22, or 20.19 or a later 20, then run npm start again.`;

/** @param {Project} project @param {string[]} words @param {string} title */
async function runNpm(project, words, title) {
  const isScript = project.npmProgram !== undefined && /\.c?js$/.test(project.npmProgram);
  const result = await runWithProgress({
    title,
    command: isScript ? process.execPath : 'npm',
    words: isScript && project.npmProgram !== undefined ? [project.npmProgram, ...words] : words,
    // npm is a .cmd file on Windows, which only a shell can run.
    shell: !isScript && process.platform === 'win32',
    cwd: project.root,
    environment: project.environment,
  });
  if (result.code === 0) return;
  const log = path.join(os.tmpdir(), `parley-install-${process.pid}.log`);
  writeFileSync(log, result.output, { mode: 0o600 });
  if (/gyp ERR|node-gyp|prebuild-install/.test(result.output) && findCompiler() === null)
    throw new UserError(`The SQLite driver must be compiled, and there is no compiler. ${howToGetACompiler()}`);
  throw new UserError(`The packages could not be installed (npm ${words.join(' ')}); what npm said is in ${log}.`);
}

/**
 * @param {Project} project
 * @throws {UserError} when npm fails, and with a missing compiler it says how to get one; when the driver cannot be used
 */
async function installWhatIsMissing(project) {
  const lines = ['--no-audit', '--no-fund'];
  if (!isInstalled(project))
    await runNpm(project, ['ci', ...lines], 'Installing packages (compiling the SQLite driver can take some minutes)');
  if (!existsSync(path.join(project.root, 'node_modules', 'better-sqlite3'))) return;
  if (!driverLoads(project))
    await runNpm(
      project,
      ['rebuild', 'better-sqlite3'],
      `Compiling the SQLite driver for Node.js ${process.versions.node}`,
    );
  if (!driverLoads(project)) {
    const reason = findCompiler() === null ? howToGetACompiler() : 'Run npm rebuild better-sqlite3 to see why.';
    throw new UserError(`The SQLite driver does not load. ${reason}`);
  }
  if (driverAborts(project)) throw new UserError(ABORTS);
}

module.exports = { ABORTS, driverAborts, driverLoads, installWhatIsMissing, isInstalled };
