/** npm run packs -- COMMAND …: the pack tools of pack-service, for authors. Builds them first when they are stale. */
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
  const program = path.join(project.root, 'services', 'pack-service', 'dist', 'cli', 'main.js');
  if (!existsSync(program)) throw new UserError('The pack tools are not part of this build.');
  // Paths that an author types are meant from where npm was called.
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], {
    cwd: project.callerFolder,
    env: project.environment,
    stdio: 'inherit',
  });
  return status ?? 1;
});
