/**
 * npm run doctor [-- --json]: looks at everything that Parley needs and says what to do about what is missing. It
 * changes nothing and asks nobody but 127.0.0.1 (and the model server, where SIM_* names another address).
 * Exit code: 0 when Parley can run (notes are no failures), 1 when something must be mended first.
 */
const { parseArgs } = require('node:util');
const { diagnoses } = require('./checks/diagnoses.cjs');
const { readProject } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

const MARKS = { ok: 'ok    ', note: 'note  ', failed: 'FAILED' };

runCommand(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const project = readProject();
  const checks = [];
  for (const [name, diagnose] of Object.entries(diagnoses)) {
    const result = { name, ...(await diagnose(project)) };
    checks.push(result);
    if (!values.json) process.stdout.write(`${MARKS[result.status]} ${name}: ${result.message}\n`);
  }
  const failed = checks.filter((check) => check.status === 'failed');
  if (values.json) process.stdout.write(`${JSON.stringify({ healthy: failed.length === 0, checks }, null, 2)}\n`);
  else
    say(failed.length === 0 ? 'Parley can run.' : `To be mended first: ${failed.map((one) => one.name).join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
});
