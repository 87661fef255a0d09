/**
 * npm test [-- JEST WORDS]: installs what is missing, builds what is stale, runs every test, and ends with one line:
 * `N passed, N failed`. Exit code 1 when a test failed, when an open handle was left, or, with CI=true, when a test was
 * skipped.
 */
const { spawn } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { readProject } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');
const { buildWhatIsStale } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');
const { checkNodeVersion } = require('./setup/node-version.cjs');

/** @param {any} results what Jest wrote, or null @param {number} exitCode of Jest */
function countResults(results, exitCode) {
  const files = results?.testResults ?? [];
  // A file that could not run has no tests to count, yet it failed.
  const brokenFiles = files.filter(
    (/** @type {any} */ one) => one.status === 'failed' && one.assertionResults.length === 0,
  );
  const passed = results?.numPassedTests ?? 0;
  let failed = (results?.numFailedTests ?? 0) + brokenFiles.length;
  if (exitCode !== 0 && failed === 0) failed = 1;
  const skipped = files.flatMap((/** @type {any} */ one) =>
    one.assertionResults
      .filter((/** @type {any} */ test) => test.status === 'pending' || test.status === 'todo')
      .map((/** @type {any} */ test) => test.fullName),
  );
  return { passed, failed, skipped };
}

runCommand(async () => {
  checkNodeVersion();
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);

  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-test-'));
  const output = path.join(folder, 'results.json');
  const jest = path.join(project.root, 'node_modules', 'jest', 'bin', 'jest.js');
  /** @type {number} */
  const exitCode = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [jest, '--json', '--outputFile', output, ...process.argv.slice(2)], {
      cwd: project.root,
      // Tests bring their own settings; those of this shell or of .env must not reach them.
      env: Object.fromEntries(Object.entries(project.environment).filter(([name]) => !name.startsWith('SIM_'))),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  let results = null;
  try {
    results = JSON.parse(readFileSync(output, 'utf8'));
  } catch {
    say('Jest wrote no results.');
  }
  rmSync(folder, { recursive: true, force: true });

  const { passed, failed, skipped } = countResults(results, exitCode);
  for (const name of skipped) say(`skipped: ${name}`);
  const skippedInCi = project.isCi && skipped.length > 0;
  if (skippedInCi) say('Under CI nothing may be skipped.');
  const failures = failed + (skippedInCi ? skipped.length : 0);
  process.stdout.write(`${passed} passed, ${failures} failed\n`);
  return failures > 0 || exitCode !== 0 ? 1 : 0;
});
