/** npm run bench [-- NAME…] [--json]: builds what is stale, then measures; see test/bench. */
const { runCommand } = require('./set/user-error.cjs');
const { runTestProgram } = require('./setup/run-test-program.cjs');

runCommand(() => runTestProgram('bench'));
