/**
 * npm start: installs what is missing, builds what is stale, starts the five processes under PM2, waits until each
 * answers, and says where the page is and who plays the character.
 *
 * --as-built  skips installing and building.
 * --new       puts the database of the data folder aside, damaged or not, and begins with an empty one.
 * --data-dir  takes the place of SIM_DATA_DIR: a scheduled task of Windows has words, but no variables.
 * Exit code: 0 when the set answers, 1 after one line on stderr that says what to do.
 */
const { createHash } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { openFolders, readProject } = require('./set/project.cjs');
const { lookAtEach } = require('./set/look-at-each.cjs');
const { askLocally, isPortFree, lookAt } = require('./set/readiness.cjs');
const { DeadlineError } = require('./set/run-program.cjs');
const { reasonOfFailure } = require('./set/start-failure.cjs');
const { fileToPutAside, putDatabaseAside } = require('./set/put-aside.cjs');
const { lockStart } = require('./set/start-lock.cjs');
const {
  findSupervisor,
  listApps,
  livingProcesses,
  recordsOf,
  sleep,
  startApps,
  stopAll,
} = require('./set/supervisor.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');
const { buildWhatIsStale, buildFingerprint } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');
const { checkNodeVersion } = require('./setup/node-version.cjs');

/** @typedef {import('./set/project.cjs').Project} Project */
/** @typedef {import('./set/project.cjs').Service} Service */

const READY_DEADLINE_MS = 90_000;
/** A process that was started again a moment ago answers within this time. */
const RECOVERY_MS = 10_000;

/** What the running set was started with: another configuration or another build asks for a new start. @param {Project} project */
function startFingerprint(project) {
  const settings = Object.entries(project.environment).filter(([name]) => name.startsWith('SIM_'));
  return createHash('sha256')
    .update(JSON.stringify([settings.sort(), buildFingerprint(project), process.version]))
    .digest('hex');
}

const fingerprintFile = (/** @type {Project} */ project) => path.join(project.supervisorHome, 'started-with');

/** @param {Project} project */
function readFingerprint(project) {
  try {
    return readFileSync(fingerprintFile(project), 'utf8');
  } catch {
    return null;
  }
}

/** @param {Project} project @param {string} fingerprint */
function writeFingerprint(project, fingerprint) {
  try {
    writeFileSync(fingerprintFile(project), fingerprint, { mode: 0o600 });
  } catch (error) {
    say(
      `Note: ${fingerprintFile(project)} cannot be written (${/** @type {Error} */ (error).message}); the next npm start will start anew.`,
    );
  }
}

/**
 * Of which services a process does not answer as one of this supervisor, and whether it hangs.
 * @param {Project} project
 * @param {{ name: string, pid: number | null }[]} owned what is known to be under this supervisor
 * @returns {Promise<{ service: Service, state: string }[]>}
 */
async function findUnready(project, owned) {
  const looks = await Promise.all(project.services.map((service) => lookAtEach(project, service)));
  return project.services.flatMap((service, index) => {
    const isOurs = (/** @type {number | null} */ pid) =>
      owned.some((one) => one.name === service.name && one.pid === pid);
    const unready = looks[index]?.filter(({ state, pid }) => state !== 'ready' || !isOurs(pid)) ?? [];
    const worst = unready.find(({ state }) => state === 'silent') ?? unready[0];
    return worst === undefined ? [] : [{ service, state: worst.state }];
  });
}

/** @param {Project} project */
const recorded = (project) =>
  livingProcesses(project).map(({ service, pid }) => ({ name: service.replaceAll('_', '-'), pid }));

/** @param {Project} project @throws {DeadlineError} */
async function allReady(project) {
  if ((await findUnready(project, recorded(project))).length === 0) return true;
  // A full disk keeps processes from writing down who they are; the supervisor knows it as well.
  return (await findUnready(project, await listApps(project))).length === 0;
}

/**
 * Why the set that runs is not left alone.
 * @param {Project} project
 * @param {string} fingerprint
 * @returns {Promise<string | null>} null when it runs well
 */
async function reasonToStartAnew(project, fingerprint) {
  if (readFingerprint(project) !== fingerprint) return 'what runs with another configuration or build';
  try {
    const until = Date.now() + RECOVERY_MS;
    for (;;) {
      const unready = await findUnready(project, await listApps(project));
      if (unready.length === 0) return null;
      if (Date.now() > until) {
        const names = unready.map(
          ({ service, state }) => `${service.name} ${state === 'silent' ? 'hangs' : 'does not answer'}`,
        );
        return `what runs, since ${names.join(', ')}`;
      }
      await sleep(200);
    }
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    return 'what runs, since its supervisor hangs';
  }
}

/** @param {Project} project @throws {UserError} when processes of another set work in the data folder */
function checkDataFolder(project) {
  const others = project.services.flatMap((service) => recordsOf(project, service));
  if (others.length > 0)
    throw new UserError(
      `Another Parley uses the data folder ${project.dataDir}: process ${others.map((one) => one.pid).join(', ')}. Stop it ` +
        'where it was started (npm stop there), or set SIM_DATA_DIR to another folder.',
    );
}

/** @param {Project} project */
async function beginAnew(project) {
  // Refused before anything is stopped.
  fileToPutAside(project);
  await stopAll(project);
  checkDataFolder(project);
  const kept = putDatabaseAside(project);
  say(
    kept === null
      ? 'There was no database: a new one is begun.'
      : `A new database is begun; the old one is in ${kept}.`,
  );
}

/** @param {Project} project @throws {UserError} naming every taken port */
async function checkPorts(project) {
  const free = await Promise.all(project.services.map((service) => isPortFree(service.port)));
  const taken = project.services.filter((_service, index) => !free[index]);
  if (taken.length === 0) return;
  const looks = await Promise.all(taken.map(lookAt));
  const ours = taken.flatMap((service, index) => {
    const [record] = recordsOf(project, service);
    const state = looks[index]?.state;
    if (state === 'ready' || state === 'not ready') return [{ service, what: `${service.name}` }];
    const hangs = record?.port === service.port;
    return hangs ? [{ service, what: `${service.name} (process ${record.pid}, which hangs)` }] : [];
  });
  if (ours.length > 0)
    throw new UserError(
      `Parley runs on port ${ours.map(({ service }) => service.port).join(', ')} already, but not under this supervisor: ` +
        `${ours.map(({ what }) => what).join(', ')}. Stop it where it was started (npx pm2 kill, or npm stop with its ` +
        'SIM_DATA_DIR), or set other ports.',
    );
  const one = taken[0];
  const names = taken.map((service) => service.variable).join(', ');
  throw new UserError(
    taken.length === 1 && one !== undefined
      ? `Port ${one.port} is taken by another program. Stop that program, or set ${one.variable} to a free port.`
      : `Ports ${taken.map((service) => service.port).join(', ')} are taken by other programs. Stop them, or set ${names} to free ports.`,
  );
}

/** @param {Project} project @returns {Promise<never>} */
async function failToStart(project) {
  const apps = await listApps(project);
  const runs = (/** @type {Service} */ { name, instances = 1 }) =>
    apps.filter((one) => one.name === name && one.status === 'online').length >= instances;
  const failed = project.services.filter((service) => !runs(service));
  const silent = (await findUnready(project, apps)).filter(({ service }) => runs(service));
  await stopAll(project);
  const reasons = [];
  for (const service of failed) {
    reasons.push(await reasonOfFailure(project, service));
    // One cause often stops all five: a person needs it once.
    if (failed.length === project.services.length) break;
  }
  for (const { service, state } of silent)
    reasons.push(
      `${service.name} ${state === 'silent' ? 'hangs: it' : 'runs but'} does not answer on port ${service.port}; see npm run logs -- ${service.name}.`,
    );
  throw new UserError([...new Set(reasons)].join('\n') || 'The processes did not start; see npm run logs.');
}

/** @param {Project} project */
async function startSet(project) {
  try {
    await startApps(project);
    const deadline = Date.now() + READY_DEADLINE_MS;
    while (!(await allReady(project))) {
      const apps = await listApps(project);
      const givenUp = apps.length === 0 || apps.some((one) => one.status === 'stopped' || one.status === 'errored');
      const keepsDying = apps.some((one) => one.restarts >= 5);
      if (givenUp || keepsDying || Date.now() > deadline) await failToStart(project);
      await sleep(200);
    }
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    await stopAll(project);
    const log = path.join(project.supervisorHome, 'pm2.log');
    throw new UserError(`The supervisor did not answer in time, and everything is stopped again. Its log is ${log}.`);
  }
}

/** @param {Project} project */
function startingLine({ services }) {
  const several = services.find(({ instances = 1 }) => instances > 1);
  return `Starting the five processes${several === undefined ? '' : `, ${several.name} ${several.instances} times`}…`;
}

/** @param {Project} project */
async function tellWhoPlays(project) {
  const api = project.services.find((service) => service.name === 'session-api');
  const runtime = (await askLocally(api?.port ?? 0, '/api/health', project.internalKey))?.body?.runtime;
  if (runtime === undefined) return 'Who plays the character is not known yet; the page will say it.';
  if (runtime.runtime_id === 'fake')
    return 'The character speaks with the demo voice: canned replies. To connect a model see "Connect a model" in README.md.';
  const model = runtime.model_id === null ? '' : `, model ${runtime.model_id}`;
  const state = runtime.status === 'READY' ? '' : ` It is ${runtime.status}.`;
  const remark = runtime.message === null ? '' : ` ${runtime.message}`;
  return `The character is played by ${runtime.runtime_name}${model}.${state}${remark}`;
}

runCommand(async () => {
  const { values } = parseArgs({
    options: {
      'as-built': { type: 'boolean', default: false },
      new: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
    },
  });
  checkNodeVersion();
  const project = readProject({ dataDir: values['data-dir'] });
  if (project.instancesRefusal !== null) throw new UserError(project.instancesRefusal);
  openFolders(project);
  const unlock = lockStart(project.supervisorHome);
  try {
    if (!values['as-built']) {
      await installWhatIsMissing(project);
      await buildWhatIsStale(project);
    }
    if (values.new) await beginAnew(project);
    const fingerprint = startFingerprint(project);
    const runs = (await findSupervisor(project)) !== null;
    const reason = runs ? await reasonToStartAnew(project, fingerprint) : null;
    if (runs && reason === null) say('Parley is running already.');
    else {
      if (reason !== null) say(`Stopping ${reason}…`);
      // Also what a supervisor that was killed has left behind.
      await stopAll(project);
      await checkPorts(project);
      checkDataFolder(project);
      say(startingLine(project));
      await startSet(project);
      writeFingerprint(project, fingerprint);
    }
  } finally {
    unlock();
  }
  const page = project.services.find((service) => service.name === 'ui');
  if (project.dataDirFrom === 'platform') say(`Everything is kept in ${project.dataDir}.`);
  if (project.dataDirFrom === 'checkout')
    say(`Everything is kept in ${project.dataDir}, which was there already; docs/operating.md says how to move it.`);
  say(await tellWhoPlays(project));
  // Behind a proxy the page answers at that address alone.
  const address = project.environment['SIM_PUBLIC_ORIGIN']?.trim() || `http://127.0.0.1:${page?.port}`;
  process.stdout.write(`Parley is ready: ${address}\n`);
});
