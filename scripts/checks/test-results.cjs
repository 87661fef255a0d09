/**
 * What Jest's results say (its `--json` format), and what they say when files that failed ran again.
 * @typedef {{ status: string, fullName: string }} TestResult
 * @typedef {{ name: string, status: string, assertionResults: TestResult[] }} FileResult
 */

/**
 * @param {{ testResults?: FileResult[] } | null} results null when Jest wrote none
 * @param {number} exitCode of Jest
 */
function countResults(results, exitCode) {
  const files = results?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults);
  const of = (/** @type {string[]} */ ...statuses) => tests.filter(({ status }) => statuses.includes(status));
  // A file that could not run has no tests to count, yet it failed.
  const brokenFiles = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  let failed = of('failed').length + brokenFiles.length;
  if (exitCode !== 0 && failed === 0) failed = 1;
  return { passed: of('passed').length, failed, skipped: of('pending', 'todo').map(({ fullName }) => fullName) };
}

/** More failures than these are no accident of a busy machine. */
const MOST_FILES_AGAIN = 4;

/**
 * The files to run a second time; none when too many failed.
 * @param {{ testResults?: FileResult[] } | null} results
 * @returns {string[]} their paths
 */
function filesToRunAgain(results) {
  const failed = (results?.testResults ?? []).filter((file) => file.status === 'failed').map(({ name }) => name);
  const files = [...new Set(failed)];
  return files.length > MOST_FILES_AGAIN ? [] : files;
}

/**
 * The first results with those of the second run in the place of the files that ran again, and the tests that only then passed.
 * @param {{ testResults: FileResult[] }} first @param {{ testResults?: FileResult[] } | null} second
 */
function withSecondRun(first, second) {
  const again = second?.testResults ?? [];
  const names = new Set(again.map(({ name }) => name));
  const kept = first.testResults.filter(({ name }) => !names.has(name));
  const stillFailing = new Set(
    again.flatMap((file) => file.assertionResults).flatMap((one) => (one.status === 'failed' ? [one.fullName] : [])),
  );
  const unsteady = first.testResults
    .filter(({ name, status }) => names.has(name) && status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      return failed.length === 0 ? [name] : failed;
    })
    .filter((name) => !stillFailing.has(name));
  return { results: { testResults: [...kept, ...again] }, unsteady: [...new Set(unsteady)] };
}

module.exports = { countResults, filesToRunAgain, withSecondRun };
