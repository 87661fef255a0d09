/** npm run soak [-- --minutes N] [--seed N]: builds what is stale, then plays under disturbances; see test/soak. */
const { runCommand } = require('./set/user-error.cjs');
const { runTestProgram } = require('./setup/run-test-program.cjs');

runCommand(() => runTestProgram('soak'));
