/** What `npm run doctor` looks at, one function each. */
const { accessSync, constants, existsSync, readFileSync, statfsSync } = require('node:fs');
const path = require('node:path');
const { databaseAddressOf } = require('../../shared/data-folder/index.cjs');
const { ownPortOf, readRunRecords } = require('../../shared/process-identity/index.cjs');
const { diagnoseRedis } = require('./diagnose-redis.cjs');
const { diagnoseRuntime } = require('./diagnose-runtime.cjs');
const { askLocally, isPortFree, lookAt } = require('../set/readiness.cjs');
const { recordsOf } = require('../set/supervisor.cjs');
const { findCompiler, howToGetACompiler } = require('../setup/compiler.cjs');
const { ABORTS, driverAborts, driverLoads, isInstalled } = require('../setup/install-packages.cjs');
const { nodeVersion } = require('../setup/node-version.cjs');

/** @typedef {import('../set/project.cjs').Project} Project */
/** @typedef {{ status: 'ok' | 'note' | 'failed', message: string }} Diagnosis */

const ok = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'ok', message });
const note = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'note', message });
const failed = (/** @type {string} */ message) => /** @type {Diagnosis} */ ({ status: 'failed', message });

/** Below this many bytes a model, and soon the database, will not fit. */
const LITTLE_DISK = 2e9;
const NO_DISK = 2e8;

const DATA_DIR_FROM = {
  SIM_DATA_DIR: ', as SIM_DATA_DIR says',
  checkout: ', which is in this checkout and is therefore used; SIM_DATA_DIR may name another',
  platform: '',
};

const BROWSERS = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const HELP = 'Restore a backup with npm run restore -- FILE, or begin anew with npm start -- --new.';

/**
 * @param {Project} project
 * @param {{ url: string, label: string }} place
 * @returns {Promise<Diagnosis>} whether a session-api could work with the server
 */
async function askPostgres(project, { url, label }) {
  if (!isInstalled(project)) return note('not looked at: the packages are not installed.');
  const { Client } = require('pg');
  const client = new Client({ connectionString: url, application_name: 'parley', connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as named, pg_is_in_recovery() as standby",
    );
    const { number, named, standby } = rows[0];
    if (number < 150_000) return failed(`${label} is on PostgreSQL ${named}, and Parley needs 15 or later.`);
    if (standby) return failed(`${label} is a standby, which takes no changes: name its primary in SIM_DATABASE_URL.`);
    return ok(`${label} answers, PostgreSQL ${named}`);
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error);
    const what = /^[\dA-Z]{5}$/.test(code ?? '') ? message : (code ?? message);
    return failed(`${label} cannot be used (${what}): see that PostgreSQL runs and what SIM_DATABASE_URL says.`);
  } finally {
    client.end().catch(() => undefined);
  }
}

/** @param {string} folder the nearest folder above that exists */
function existing(folder) {
  let place = folder;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  return place;
}

/**
 * What the processes have noted about the database when they opened it.
 * @param {Project} project
 * @returns {{ found_at: string, log_removed: boolean, check: string | null } | null}
 */
function readFindings(project) {
  try {
    return JSON.parse(readFileSync(path.join(project.dataDir, 'storage-findings.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Project} project @param {string} name */
const setting = (project, name) => project.environment[name]?.trim() || undefined;

/** @type {Record<string, (project: Project) => Diagnosis | Promise<Diagnosis>>} */
const diagnoses = {
  node() {
    const { ok: fits, needed } = nodeVersion();
    return fits ? ok(process.versions.node) : failed(`${process.versions.node}; ${needed} or newer is needed.`);
  },

  packages(project) {
    if (!isInstalled(project)) return note('not installed, or not as the lockfile says; npm start installs them.');
    if (driverAborts(project)) return failed(ABORTS);
    return driverLoads(project)
      ? ok('installed, and the SQLite driver loads')
      : note(`the SQLite driver does not load in Node.js ${process.versions.node}; npm start compiles it again.`);
  },

  compiler(project) {
    const compiler = findCompiler();
    if (compiler !== null) return ok(compiler);
    return isInstalled(project) && driverLoads(project)
      ? note('none, and none is needed now: the SQLite driver is compiled.')
      : failed(`none, and the SQLite driver must be compiled. ${howToGetACompiler()}`);
  },

  async ports(project) {
    const faults = [];
    for (const service of project.services) {
      if (await isPortFree(service.port)) continue;
      const { state } = await lookAt(service);
      const [record] = recordsOf(project, service);
      if (state === 'ready' || state === 'not ready') continue;
      faults.push(
        record?.port === service.port
          ? `${service.port} is held by ${service.name} (process ${record.pid}), which hangs; npm start ends it and starts anew.`
          : `${service.port} is taken by another program; set ${service.variable} to a free port.`,
      );
    }
    return faults.length === 0
      ? ok(project.services.map((service) => service.port).join(', '))
      : failed(faults.join(' '));
  },

  async processes(project) {
    const faults = [];
    const stale = [];
    let running = 0;
    for (const service of project.services) {
      const records = recordsOf(project, service);
      running += records.length;
      if (readRunRecords(project.dataDir, service.name.replaceAll('-', '_')).length > records.length)
        stale.push(service.name);
      for (const record of records) {
        const port = ownPortOf(record);
        if (port !== null && (await lookAt({ ...service, port })).state === 'silent')
          faults.push(`${service.name} (process ${record.pid}) hangs.`);
      }
    }
    if (faults.length > 0) return failed(`${faults.join(' ')} npm start ends what hangs and starts anew.`);
    if (stale.length > 0)
      return note(
        `${stale.join(', ')} ended without taking the record of the run away, as after a power cut; the next start does.`,
      );
    return ok(running === 0 ? 'none runs' : `${running} run, and none hangs`);
  },

  'data folder'(project) {
    try {
      accessSync(existing(project.dataDir), constants.W_OK | constants.R_OK);
      return ok(`${project.dataDir}${DATA_DIR_FROM[project.dataDirFrom]}`);
    } catch {
      return failed(`${project.dataDir} cannot be written. Give this user the right to, or set SIM_DATA_DIR.`);
    }
  },

  disk(project) {
    const { bavail, bsize } = statfsSync(existing(project.dataDir));
    const free = bavail * bsize;
    const message = `${(free / 1e9).toFixed(1)} GB free`;
    if (free < NO_DISK) return failed(`${message}: make room, or set SIM_DATA_DIR to another disk.`);
    return free < LITTLE_DISK ? note(`${message}: a language model may not fit.`) : ok(message);
  },

  async database(project) {
    const place = databaseAddressOf(project.dataDir, setting(project, 'SIM_DATABASE_URL'));
    if ('refusal' in place) return failed(place.refusal);
    if (place.system === 'postgres') return askPostgres(project, place);
    const { file } = place;
    if (!existsSync(file))
      return existsSync(path.join(project.dataDir, 'database.json')) &&
        file === path.join(project.dataDir, 'parley.sqlite')
        ? failed(`${file} is missing although this data folder held one. ${HELP}`)
        : ok('none yet; the first start makes it');
    if (!isInstalled(project)) return note('not looked at: the packages are not installed.');
    try {
      const Database = require('better-sqlite3');
      const database = new Database(file, { readonly: true, fileMustExist: true });
      const answer = database.pragma('quick_check(1)', { simple: true });
      database.close();
      return answer === 'ok' ? ok(`${file} is sound`) : failed(`${file} is damaged (${String(answer)}). ${HELP}`);
    } catch (error) {
      return failed(`${file} cannot be opened: ${/** @type {Error} */ (error).message}.`);
    }
  },

  redis: (project) => diagnoseRedis(project),

  async storage(project) {
    const api = project.services.find((service) => service.name === 'session-api');
    const health = (await askLocally(api?.port ?? 0, '/api/health', project.internalKey))?.body;
    const told = health?.storage?.warnings?.map((/** @type {any} */ one) => String(one.message)) ?? [];
    if (told.length > 0) return health.storage.status === 'ok' ? note(told.join(' ')) : failed(told.join(' '));
    const findings = readFindings(project);
    if (findings?.check !== undefined && findings.check !== null && findings.check !== 'ok')
      return failed(`the last look found the database damaged (${findings.check}). ${HELP}`);
    if (findings?.log_removed === true)
      return note(
        `at the start after ${findings.found_at} the log of the database was gone: the last talks before may be incomplete.`,
      );
    return ok(health?.storage === undefined ? 'nothing is known against it' : 'what is said is stored');
  },

  browser() {
    const places = BROWSERS[/** @type {keyof typeof BROWSERS} */ (process.platform)] ?? [];
    const found = places.find((place) => existsSync(place));
    return found === undefined ? note('no Chromium found; only the browser tests need one.') : ok(found);
  },

  'model runtime': (project) => diagnoseRuntime(project),
};

module.exports = { diagnoses };
