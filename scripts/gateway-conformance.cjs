/** npm run gateway:conformance -- --url URL …: holds any gateway against its contract. Builds the kit first when it is stale. */
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');
const { readProject } = require('./set/project.cjs');
const { UserError, runCommand } = require('./set/user-error.cjs');
const { buildWhatIsStale } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');

runCommand(async () => {
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);
  const program = path.join(project.root, 'services', 'runtime-gateway', 'dist', 'conformance', 'main.js');
  if (!existsSync(program)) throw new UserError('The conformance kit is not part of this build.');
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
    env: project.environment,
    stdio: 'inherit',
  });
  return status ?? 1;
});
