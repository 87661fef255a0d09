/**
 * npm test [-- JEST WORDS]: installs what is missing, builds what is stale, runs every test, and ends with one line:
 * `N passed, N failed`. Exit code 1 when a test failed, when an open handle was left, or, with CI=true, when a test was
 * skipped. With CI=true a few files that failed are run once more, alone.
 */
const { spawn } = require('node:child_process');
const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { countResults, filesToRunAgain, withSecondRun } = require('./checks/test-results.cjs');
const { readProject } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');
const { buildWhatIsStale } = require('./setup/build-project.cjs');
const { installWhatIsMissing } = require('./setup/install-packages.cjs');
const { checkNodeVersion } = require('./setup/node-version.cjs');

/**
 * @param {import('./set/project.cjs').Project} project @param {string[]} words for Jest
 * @returns {Promise<{ exitCode: number, results: any }>} results: null when it wrote none
 */
async function runJest(project, words) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-test-'));
  const output = path.join(folder, 'results.json');
  const jest = path.join(project.root, 'node_modules', 'jest', 'bin', 'jest.js');
  try {
    /** @type {number} */
    const exitCode = await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [jest, '--json', '--outputFile', output, ...words], {
        cwd: project.root,
        // Tests bring their own settings; those of this shell or of .env must not reach them.
        env: Object.fromEntries(Object.entries(project.environment).filter(([name]) => !name.startsWith('SIM_'))),
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    if (existsSync(output)) return { exitCode, results: JSON.parse(readFileSync(output, 'utf8')) };
    say('Jest wrote no results.');
    return { exitCode, results: null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

runCommand(async () => {
  checkNodeVersion();
  const project = readProject();
  await installWhatIsMissing(project);
  await buildWhatIsStale(project);

  let { exitCode, results } = await runJest(project, process.argv.slice(2));
  // A CI machine is shared, and a minute in which it stood still fails a test that has no fault. What fails twice is broken;
  // what passes alone is named, so that somebody makes it steady: docs/decisions, 0042.
  const again = project.isCi ? filesToRunAgain(results) : [];
  if (again.length > 0) {
    say(
      `Failed; running once more, one file at a time: ${again.map((file) => path.relative(project.root, file)).join(', ')}`,
    );
    const second = await runJest(project, ['--runInBand', '--runTestsByPath', ...again]);
    const merged = withSecondRun(results, second.results);
    ({ results } = merged);
    ({ exitCode } = second);
    for (const name of merged.unsteady) say(`passed only when it ran again: ${name}`);
  }

  const { passed, failed, skipped } = countResults(results, exitCode);
  for (const name of skipped) say(`skipped: ${name}`);
  const skippedInCi = project.isCi && skipped.length > 0;
  if (skippedInCi) say('Under CI nothing may be skipped.');
  const failures = failed + (skippedInCi ? skipped.length : 0);
  process.stdout.write(`${passed} passed, ${failures} failed\n`);
  return failures > 0 || exitCode !== 0 ? 1 : 0;
});
