/** Programs below test/ that are no tests: benches and the soak. Builds what is stale, then runs one with the user's words. */
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { readProject } = require('../set/project.cjs');
const { buildWhatIsStale } = require('./build-project.cjs');
const { installWhatIsMissing } = require('./install-packages.cjs');

/** @param {string} folder below test/, whose main.ts is run @returns {Promise<number>} its exit code */
async function runTestProgram(folder) {
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);
  const run = (/** @type {string[]} */ words) =>
    spawnSync(process.execPath, words, { cwd: project.root, env: project.environment, stdio: 'inherit' }).status ?? 1;
  const built = run([path.join('node_modules', 'typescript', 'bin', 'tsc'), '-b', 'test']);
  if (built !== 0) return built;
  return run([path.join('test', 'dist', folder, 'main.js'), ...process.argv.slice(2)]);
}

module.exports = { runTestProgram };
