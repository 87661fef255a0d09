const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { readProject } = require('../set/project.cjs');
const { buildWhatIsStale } = require('./build-project.cjs');
const { installWhatIsMissing } = require('./install-packages.cjs');

/**
 * Builds what is stale, unless `--as-built` is among the words, then runs the program with the user's words. Paths are meant from where npm was called.
 * @param {'backup' | 'restore'} command
 * @returns {Promise<number>} its exit code
 */
async function runBackupProgram(command) {
  const project = readProject();
  const words = process.argv.slice(2).filter((word) => word !== '--as-built');
  if (words.length === process.argv.length - 2) {
    await installWhatIsMissing(project);
    await buildWhatIsStale(project);
  }
  const program = path.join(project.root, 'services', 'session-api', 'dist', 'backup', 'main.js');
  const { status } = spawnSync(process.execPath, [program, command, ...words], {
    cwd: project.callerFolder,
    env: { ...project.environment, SIM_DATA_DIR: project.dataDir },
    stdio: 'inherit',
  });
  return status ?? 1;
}

module.exports = { runBackupProgram };
