/** npm run people [-- --people N] [--minutes N] [--pause SECONDS]: builds what is stale, then many talk at once; see test/people. */
const { runCommand } = require('./set/user-error.cjs');
const { runTestProgram } = require('./setup/run-test-program.cjs');

runCommand(() => runTestProgram('people'));
