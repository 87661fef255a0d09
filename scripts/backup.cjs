/** npm run backup -- FILE: the database, the installed packs and the drafts in one file, also while Parley runs. */
const { runCommand } = require('./set/user-error.cjs');
const { runBackupProgram } = require('./setup/run-backup-program.cjs');

runCommand(() => runBackupProgram('backup'));
