/**
 * npm run status [-- --json]: the five processes, whether they answer, and what they use.
 * Exit code: 0 when all answer, 1 when one does not, 3 when Parley is not running.
 */
const { parseArgs } = require('node:util');
const { readProject } = require('./set/project.cjs');
const { isReady } = require('./set/readiness.cjs');
const { listApps } = require('./set/supervisor.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

/** @param {number | null} since */
function duration(since) {
  if (since === null) return '-';
  const seconds = Math.max(0, Math.round((Date.now() - since) / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const project = readProject();
  const apps = await listApps(project);
  const ready = await Promise.all(project.services.map(isReady));
  const processes = project.services.map((service, index) => {
    const app = apps.find((one) => one.name === service.name);
    return {
      name: service.name,
      status: app?.status ?? 'not running',
      ready: app !== undefined && (ready[index] ?? false),
      port: service.port,
      pid: app?.pid ?? null,
      restarts: app?.restarts ?? null,
      memory_bytes: app?.memoryBytes ?? null,
      started_at: app?.startedAt ? new Date(app.startedAt).toISOString() : null,
    };
  });
  if (values.json) process.stdout.write(`${JSON.stringify({ running: apps.length > 0, processes }, null, 2)}\n`);
  else if (apps.length === 0) say('Parley is not running. Start it with npm start.');
  else {
    const rows = [
      ['process', 'state', 'answers', 'port', 'pid', 'up', 'memory', 'restarts'],
      ...processes.map((one) => [
        one.name,
        one.status,
        one.ready ? 'yes' : 'no',
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
  }
  if (apps.length === 0) return 3;
  return processes.every((one) => one.ready) ? 0 : 1;
});
