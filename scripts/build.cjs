/** npm run build: installs what is missing and builds what is stale. */
const { readProject } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');
const { buildWhatIsStale } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');
const { checkNodeVersion } = require('./setup/node-version.cjs');

runCommand(async () => {
  checkNodeVersion();
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);
  say('Everything is built.');
});
