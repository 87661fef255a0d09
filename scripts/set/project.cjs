/** What the commands know of this checkout and its configuration. The only place where they read the environment. */
const { createHash } = require('node:crypto');
const { accessSync, constants, existsSync, mkdirSync, statSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { apiInstancesOf } = require('../../shared/api-instances/index.cjs');
const { dataFolderOf } = require('../../shared/data-folder/index.cjs');
const { UserError } = require('./user-error.cjs');

const ROOT = path.resolve(__dirname, '../..');

/** Which variable sets the port of which process, and its default: docs/interface.md, Processes and ports. */
const PORTS = {
  'pack-service': ['SIM_PACKS_PORT', 7359],
  'runtime-gateway': ['SIM_GATEWAY_PORT', 7360],
  'session-api': ['SIM_API_PORT', 7355],
  'debrief-worker': ['SIM_WORKER_PORT', 7361],
  ui: ['SIM_UI_PORT', 7354],
};

/** A Unix socket's path holds about 104 bytes on macOS and 108 on Linux; PM2 puts `/rpc.sock` below its home. */
const LONGEST_HOME = 90;

/**
 * @typedef {object} Service
 * @property {string} name as in services/ and under PM2
 * @property {string} variable that sets its port
 * @property {number} port
 * @property {string} script the program that the supervisor runs
 * @property {number} [instances] how many processes of it answer at that port, where it is not one
 * @property {string} [internalKey]
 */

/**
 * @typedef {object} Project
 * @property {string} root
 * @property {Service[]} services
 * @property {string} dataDir
 * @property {'SIM_DATA_DIR' | 'checkout' | 'platform'} dataDirFrom who says where it is
 * @property {string} logsDir
 * @property {string} supervisorHome PM2_HOME of this set
 * @property {string | undefined} npmProgram npm's own script, when npm runs us
 * @property {string} callerFolder where the person typed the command
 * @property {boolean} isCi
 * @property {string} [internalKey] which the processes ask for, where it is set
 * @property {string | null} instancesRefusal why SIM_API_INSTANCES cannot be used: said by who starts; whoever stops can do without
 * @property {string[]} shellSettings names of the SIM_ variables that the shell has set, not `.env`
 * @property {NodeJS.ProcessEnv} environment for child processes
 */

/**
 * @param {string} variable
 * @param {number} fallback
 */
function readPort(variable, fallback) {
  const value = process.env[variable]?.trim();
  if (value === undefined || value === '') return fallback;
  if (!/^\d+$/.test(value) || Number(value) < 1 || Number(value) > 65535)
    throw new UserError(
      `${variable}=${JSON.stringify(value)} cannot be used: it must be a whole number from 1 to 65535.`,
    );
  return Number(value);
}

/** @param {string} dataDir @param {boolean} isDefault */
function supervisorHomeOf(dataDir, isDefault) {
  const home = isDefault ? path.join(ROOT, '.pm2') : path.join(dataDir, 'supervisor');
  if (Buffer.byteLength(home) <= LONGEST_HOME || process.platform === 'win32') return home;
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `parley-${process.getuid?.() ?? 0}-${name}`);
}

/**
 * Reads the configuration; variables of `.env` count where the environment does not have them.
 * @param {{ dataDir?: string | undefined }} given by the command's own words, which win
 * @returns {Project}
 * @throws {UserError} naming a variable that cannot be used
 */
function readProject({ dataDir: givenDataDir } = {}) {
  if (givenDataDir !== undefined) process.env['SIM_DATA_DIR'] = givenDataDir;
  const shellSettings = Object.keys(process.env).filter((name) => name.startsWith('SIM_'));
  const environmentFile = path.join(ROOT, '.env');
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  const { folder: dataDir, from: dataDirFrom } = dataFolderOf(process.env, ROOT);
  const answer = apiInstancesOf(process.env);
  const internalKey = process.env['SIM_INTERNAL_KEY']?.trim() || undefined;
  const environment = Object.fromEntries(
    // npm's own variables mean nothing to the processes, and some of them change how node and npm behave.
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== 'PM2_HOME'),
  );
  return {
    root: ROOT,
    services: Object.entries(PORTS).map(([name, [variable, fallback]]) => ({
      name,
      variable: String(variable),
      port: readPort(String(variable), Number(fallback)),
      script: path.join(ROOT, 'services', name, 'dist', 'service.cjs'),
      ...(name === 'session-api' && 'instances' in answer ? { instances: answer.instances } : {}),
      internalKey,
    })),
    dataDir,
    dataDirFrom,
    logsDir: path.join(dataDir, 'logs'),
    supervisorHome: supervisorHomeOf(dataDir, dataDirFrom !== 'SIM_DATA_DIR'),
    npmProgram: process.env['npm_execpath'],
    callerFolder: process.env['INIT_CWD'] ?? process.cwd(),
    isCi: process.env['CI'] === 'true' || process.env['CI'] === '1',
    internalKey,
    instancesRefusal:
      'allowed' in answer
        ? `SIM_API_INSTANCES=${JSON.stringify(answer.value)} cannot be used: ${answer.allowed}.`
        : null,
    shellSettings,
    environment,
  };
}

/**
 * Makes the data folder and the supervisor's folder, readable by their owner alone.
 * @param {Project} project
 * @throws {UserError} when one cannot be written
 */
function openFolders(project) {
  for (const folder of [project.dataDir, project.supervisorHome]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK | constants.R_OK);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'ENOSPC' || code === 'EDQUOT')
        throw new UserError(`The disk with ${folder} is full. Make room there, then run npm start again.`);
      throw new UserError(
        `The data folder ${folder} cannot be written. Give this user the right to, or set SIM_DATA_DIR to another folder.`,
      );
    }
  }
  const owner = statSync(project.supervisorHome).uid;
  if (process.getuid !== undefined && owner !== process.getuid())
    throw new UserError(
      `The folder ${project.supervisorHome} belongs to another user. Set SIM_DATA_DIR to another folder.`,
    );
}

module.exports = { ROOT, readProject, openFolders };
