/** npm run bench [-- NAME…] [--json]: builds what is stale, then measures; see test/bench. */
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { readProject } = require('./set/project.cjs');
const { runCommand } = require('./set/user-error.cjs');
const { buildWhatIsStale } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');

runCommand(async () => {
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);
  const run = (/** @type {string[]} */ words) =>
    spawnSync(process.execPath, words, { cwd: project.root, env: project.environment, stdio: 'inherit' }).status ?? 1;
  const built = run([path.join('node_modules', 'typescript', 'bin', 'tsc'), '-b', 'test']);
  if (built !== 0) return built;
  return run([path.join('test', 'dist', 'bench', 'main.js'), ...process.argv.slice(2)]);
});
