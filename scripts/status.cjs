/**
 * npm run status [-- --json]: the processes, whether they answer or hang, and what they use.
 * Exit code: 0 when all answer, 1 when one does not or the supervisor hangs, 3 when Parley is not running.
 */
const { parseArgs } = require('node:util');
const { readProject } = require('./set/project.cjs');
const { lookAtEach } = require('./set/look-at-each.cjs');
const { DeadlineError } = require('./set/run-program.cjs');
const { findSupervisor, listApps, livingProcesses } = require('./set/supervisor.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

/** @typedef {import('./set/project.cjs').Project} Project */
/** @typedef {import('./set/supervisor.cjs').SupervisedApp} SupervisedApp */

/** @param {number | null} since */
function duration(since) {
  if (since === null) return '-';
  const seconds = Math.max(0, Math.round((Date.now() - since) / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/**
 * What the supervisor says of its apps, or what they have written down themselves where it does not answer.
 * @param {Project} project
 * @returns {Promise<{ supervisor: 'running' | 'hung' | 'none', apps: SupervisedApp[] }>}
 */
async function askSupervisor(project) {
  const runs = (await findSupervisor(project)) !== null;
  try {
    if (runs) return { supervisor: 'running', apps: await listApps(project) };
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
  }
  const apps = livingProcesses(project).map(({ service, instance, pid }) => ({
    name: service.replaceAll('_', '-'),
    instance: instance ?? null,
    pid,
    status: 'unsupervised',
    restarts: 0,
    memoryBytes: null,
    startedAt: null,
  }));
  return { supervisor: runs ? 'hung' : 'none', apps };
}

/**
 * @param {Project} project
 * @param {import('./set/project.cjs').Service} service
 * @param {SupervisedApp[]} apps
 */
async function describeEach(project, service, apps) {
  const looks = await lookAtEach(project, service);
  const { instances = 1 } = service;
  const found = apps.filter((one) => one.name === service.name);
  return (found.length === 0 ? [undefined] : found).map((app) => {
    const look = instances === 1 ? looks[0] : looks.find((one) => one.pid !== null && one.pid === app?.pid);
    return {
      name: service.name,
      ...(instances === 1 ? {} : { instance: app?.instance ?? null }),
      status: app?.status ?? 'not running',
      ready: look?.state === 'ready' && app?.pid === look.pid,
      hung: look?.state === 'silent' && typeof app?.pid === 'number',
      port: service.port,
      pid: app?.pid ?? null,
      restarts: app?.restarts ?? null,
      memory_bytes: app?.memoryBytes ?? null,
      started_at: app?.startedAt ? new Date(app.startedAt).toISOString() : null,
    };
  });
}

runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const project = readProject();
  const { supervisor, apps } = await askSupervisor(project);
  const processes = (await Promise.all(project.services.map((service) => describeEach(project, service, apps)))).flat();
  if (values.json)
    process.stdout.write(`${JSON.stringify({ running: apps.length > 0, supervisor, processes }, null, 2)}\n`);
  else if (apps.length === 0) say('Parley is not running. Start it with npm start.');
  else {
    const rows = [
      ['process', 'state', 'answers', 'port', 'pid', 'up', 'memory', 'restarts'],
      ...processes.map((one) => [
        typeof one.instance === 'number' ? `${one.name}-${one.instance}` : one.name,
        one.status,
        one.ready ? 'yes' : one.hung ? 'hangs' : 'no',
        String(one.port),
        String(one.pid ?? '-'),
        duration(one.started_at === null ? null : Date.parse(one.started_at)),
        one.memory_bytes === null ? '-' : `${Math.round(one.memory_bytes / 1e6)} MB`,
        String(one.restarts ?? '-'),
      ]),
    ];
    const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows)
      process.stdout.write(
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
      );
    if (supervisor === 'hung') say('The supervisor hangs: npm start ends it and starts anew.');
    if (supervisor === 'none') say('The supervisor is gone, and these are left: npm stop ends them.');
    if (processes.some((one) => one.hung))
      say('A process hangs. It is ended and started again by itself soon; npm start does it at once.');
  }
  if (apps.length === 0) return 3;
  return supervisor === 'running' && processes.every((one) => one.ready) ? 0 : 1;
});
