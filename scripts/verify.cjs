/**
 * npm run verify [-- --no-tests]: everything that a change must pass: format, lint, types, generated files, exports, documents of
 * the API, versions, lockfile, tests. All checks run; exit code 1 when one of them failed.
 */
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { findCitationFaults, findLinkFaults } = require('./checks/citation-faults.cjs');
const { findLockfileFaults } = require('./checks/lockfile-faults.cjs');
const { findNameFaults } = require('./checks/name-faults.cjs');
const { findVersionFaults } = require('./checks/version-faults.cjs');
const { readProject } = require('./set/project.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

const bin = (/** @type {string[]} */ ...place) => path.join('node_modules', ...place);

runCommand(async () => {
  const { values } = parseArgs({ allowNegative: true, options: { tests: { type: 'boolean', default: true } } });
  const project = readProject();

  /** @param {string[][]} commands programs of Node with their words */
  const programs = (commands) => () =>
    commands.every(
      (words) =>
        spawnSync(process.execPath, words, {
          cwd: project.root,
          env: project.environment,
          stdio: ['ignore', 'inherit', 'inherit'],
        }).status === 0,
    );
  /** @param {(root: string) => string[]} find */
  const faults = (find) => () => {
    const found = find(project.root);
    for (const fault of found) say(`  ${fault}`);
    return found.length === 0;
  };

  /** @type {[string, () => boolean][]} */
  const checks = [
    ['format', programs([[bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']])],
    ['types', programs([[bin('typescript', 'bin', 'tsc'), '-b']])],
    [
      'types of the page, its tests and the scripts',
      programs(
        [
          'services/ui/tsconfig.page.json',
          'services/ui/tsconfig.test.json',
          'scripts/tsconfig.json',
          'test/tsconfig.json',
        ].map((file) => [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', file]),
      ),
    ],
    ['lint', programs([['scripts/checks/lint.cjs']])],
    ['exports that nobody uses', programs([[bin('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints']])],
    ['names of files and folders', faults(findNameFaults)],
    [
      'pages that comments cite and pages link',
      faults((root) => [...findCitationFaults(root), ...findLinkFaults(root)]),
    ],
    ['generated files', programs([['scripts/generate.cjs', '--check']])],
    ['documents of the API', programs([['scripts/checks/check-documents.cjs']])],
    ['versions', faults(findVersionFaults)],
    ['lockfile', faults(findLockfileFaults)],
    ...(values.tests ? /** @type {[string, () => boolean][]} */ ([['tests', programs([['scripts/test.cjs']])]]) : []),
  ];
  const failed = [];
  for (const [name, check] of checks) {
    const begun = Date.now();
    const passed = check();
    say(`${passed ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    if (!passed) failed.push(name);
  }
  if (failed.length > 0) say(`Not verified: ${failed.join(', ')}.`);
  return failed.length > 0 ? 1 : 0;
});
