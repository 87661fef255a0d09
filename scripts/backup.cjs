/** npm run backup -- FILE: the database and the installed packs in one file, also while Parley runs. */
const { runCommand } = require('./set/user-error.cjs');
const { runBackupProgram } = require('./setup/run-backup-program.cjs');

runCommand(() => runBackupProgram('backup'));
