/** npm run restore -- FILE: puts a backup in the place of what is there, which is kept. Refuses while Parley runs. */
const { openFolders, readProject } = require('./set/project.cjs');
const { lockStart } = require('./set/start-lock.cjs');
const { runCommand } = require('./set/user-error.cjs');
const { runBackupProgram } = require('./setup/run-backup-program.cjs');

runCommand(async () => {
  const project = readProject();
  openFolders(project);
  // Nobody starts it meanwhile.
  const unlock = lockStart(project.supervisorHome);
  try {
    return await runBackupProgram('restore');
  } finally {
    unlock();
  }
});
