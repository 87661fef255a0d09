/**
 * npm start: installs what is missing, builds what is stale, starts the five processes under PM2, waits until each
 * answers, and says where the page is and who plays the character.
 *
 * --as-built  skips installing and building.
 * Exit code: 0 when the set answers, 1 after one line on stderr that says what to do.
 */
const { createHash } = require('node:crypto');
const { closeSync, openSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { openFolders, readProject } = require('./set/project.cjs');
const { askLocally, isPortFree, isReady } = require('./set/readiness.cjs');
const { reasonOfFailure } = require('./set/start-failure.cjs');
const { appPids, listApps, sleep, startApps, stopAll, supervisorPid } = require('./set/supervisor.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');
const { buildWhatIsStale, buildFingerprint } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');
const { checkNodeVersion } = require('./setup/node-version.cjs');

/** @typedef {import('./set/project.cjs').Project} Project */

const READY_DEADLINE_MS = 90_000;

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

/** @param {Project} project */
async function allReady(project) {
  const running = appPids(project);
  if (project.services.some((service) => !running.has(service.name))) return false;
  return (await Promise.all(project.services.map(isReady))).every(Boolean);
}

/** @param {Project} project @throws {UserError} naming every taken port */
async function checkPorts(project) {
  const free = await Promise.all(project.services.map((service) => isPortFree(service.port)));
  const taken = project.services.filter((_service, index) => !free[index]);
  if (taken.length === 0) return;
  const ours = (await Promise.all(taken.map(isReady))).every(Boolean);
  if (ours)
    throw new UserError(
      `Parley runs on port ${taken.map((service) => service.port).join(', ')} already, but not under this supervisor: stop ` +
        'it where it was started (npx pm2 kill, or npm stop with its SIM_DATA_DIR), or set other ports.',
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
  const running = new Set(apps.filter((one) => one.status === 'online').map((one) => one.name));
  const failed = project.services.filter((service) => !running.has(service.name));
  const silent = [];
  for (const service of project.services)
    if (running.has(service.name) && !(await isReady(service))) silent.push(service);
  await stopAll(project);
  const reasons = [];
  for (const service of failed) {
    reasons.push(await reasonOfFailure(project, service));
    // One cause often stops all five: a person needs it once.
    if (failed.length === project.services.length) break;
  }
  for (const service of silent)
    reasons.push(
      `${service.name} runs but does not answer on port ${service.port}; see npm run logs -- ${service.name}.`,
    );
  throw new UserError([...new Set(reasons)].join('\n') || 'The processes did not start; see npm run logs.');
}

/** @param {Project} project */
async function startSet(project) {
  await startApps(project);
  const deadline = Date.now() + READY_DEADLINE_MS;
  while (!(await allReady(project))) {
    const apps = await listApps(project);
    const givenUp = apps.length === 0 || apps.some((one) => one.status === 'stopped' || one.status === 'errored');
    const keepsDying = apps.some((one) => one.restarts >= 5);
    if (givenUp || keepsDying || Date.now() > deadline) await failToStart(project);
    await sleep(200);
  }
}

/** One `npm start` at a time: two would start two supervisors. @param {Project} project @returns {() => void} ends the lock */
function lockStart(project) {
  const file = path.join(project.supervisorHome, 'start.lock');
  const take = () => {
    const handle = openSync(file, 'wx', 0o600);
    writeFileSync(handle, String(process.pid));
    closeSync(handle);
  };
  try {
    take();
  } catch {
    const holder = Number(readFileSync(file, 'utf8'));
    try {
      if (holder > 0) process.kill(holder, 0);
      throw new UserError(`Another npm start (process ${holder}) is at work; wait for it.`);
    } catch (error) {
      if (error instanceof UserError) throw error;
      rmSync(file, { force: true });
      take();
    }
  }
  return () => rmSync(file, { force: true });
}

/** @param {Project} project */
async function tellWhoPlays(project) {
  const api = project.services.find((service) => service.name === 'session-api');
  const runtime = (await askLocally(api?.port ?? 0, '/api/health'))?.body?.runtime;
  if (runtime === undefined) return 'Who plays the character is not known yet; the page will say it.';
  if (runtime.runtime_id === 'fake')
    return 'The character speaks with the demo voice: canned replies. To connect a model see "Connect a model" in README.md.';
  const model = runtime.model_id === null ? '' : `, model ${runtime.model_id}`;
  const state = runtime.status === 'READY' ? '' : ` It is ${runtime.status}. ${runtime.message ?? ''}`;
  return `The character is played by ${runtime.runtime_name}${model}.${state}`.trim();
}

runCommand(async () => {
  const { values } = parseArgs({ options: { 'as-built': { type: 'boolean', default: false } } });
  checkNodeVersion();
  const project = readProject();
  openFolders(project);
  if (!values['as-built']) {
    await installWhatIsMissing(project);
    await buildWhatIsStale(project);
  }
  const unlock = lockStart(project);
  try {
    const fingerprint = startFingerprint(project);
    const runs = supervisorPid(project) !== null;
    // What a supervisor that was killed has left behind.
    if (!runs) await stopAll(project);
    if (runs && readFingerprint(project) === fingerprint && (await allReady(project)))
      say('Parley is running already.');
    else {
      if (runs) {
        say('Stopping what runs with another configuration or build…');
        await stopAll(project);
      }
      await checkPorts(project);
      say('Starting the five processes…');
      await startSet(project);
      writeFileSync(fingerprintFile(project), fingerprint, { mode: 0o600 });
    }
  } finally {
    unlock();
  }
  const page = project.services.find((service) => service.name === 'ui');
  say(await tellWhoPlays(project));
  process.stdout.write(`Parley is ready: http://127.0.0.1:${page?.port}\n`);
});
