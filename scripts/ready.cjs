/**
 * node scripts/ready.cjs [PROCESS…]: whether the named processes, or all five, answer as ready on this machine. For the health
 * check of a container, whose supervisor is not that of npm start: npm run status would not find it.
 * Exit code: 0 when all are ready, 1 when one is not.
 */
const { parseArgs } = require('node:util');
const { readProject } = require('./set/project.cjs');
const { lookAtEach } = require('./set/look-at-each.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');

runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const project = readProject();
  const { services } = project;
  const known = services.map((service) => service.name);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`There is no process ${unknown}; there are ${known.join(', ')}.`);
  const asked = services.filter((service) => positionals.length === 0 || positionals.includes(service.name));
  const looks = await Promise.all(asked.map((service) => lookAtEach(project, service)));
  const unready = asked.flatMap(({ name }, at) =>
    (looks[at] ?? []).filter(({ state }) => state !== 'ready').map(({ state }) => `${name}: ${state}`),
  );
  for (const line of unready) say(line);
  return unready.length === 0 ? 0 : 1;
});
