/**
 * npm stop: stops the five processes gracefully and their supervisor. Exit code 0 also when nothing ran.
 *
 * --data-dir  takes the place of SIM_DATA_DIR, as with npm start.
 */
const { parseArgs } = require('node:util');
const { readProject } = require('./set/project.cjs');
const { isReady } = require('./set/readiness.cjs');
const { findSupervisor, livingProcesses, stopAll } = require('./set/supervisor.cjs');
const { UserError, runCommand, say } = require('./set/user-error.cjs');

runCommand(async () => {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
  const project = readProject({ dataDir: values['data-dir'] });
  if ((await findSupervisor(project)) !== null || livingProcesses(project).length > 0)
    say('Stopping the five processes…');
  const ran = await stopAll(project);
  const answers = await Promise.all(project.services.map(isReady));
  const left = project.services.filter((_service, index) => answers[index]);
  if (left.length > 0)
    throw new UserError(
      `Port ${left.map((service) => service.port).join(', ')} is still answered by Parley, but not by processes of this ` +
        `supervisor: they were started another way (npx pm2 start: stop them with npx pm2 kill; or by hand).`,
    );
  say(ran ? 'Parley is stopped.' : 'Parley is not running.');
});
