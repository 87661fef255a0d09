/**
 * npm run verify [-- --no-tests]: everything that a change must pass: format, lint, types, generated files, exports, documents of
 * the API, versions, lockfile, tests. All checks run; exit code 1 when one of them failed.
 */
const { spawn } = require('node:child_process');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { findBuildFaults } = require('./checks/build-faults.cjs');
const { findCitationFaults, findLinkFaults } = require('./checks/citation-faults.cjs');
const { findLockfileFaults } = require('./checks/lockfile-faults.cjs');
const { findNameFaults } = require('./checks/name-faults.cjs');
const { findVersionFaults } = require('./checks/version-faults.cjs');
const { readProject } = require('./set/project.cjs');
const { runProgram } = require('./set/run-program.cjs');
const { runCommand, say } = require('./set/user-error.cjs');

/** Nothing but the tests takes nearly as long. */
const DEADLINE_MS = 20 * 60_000;

const bin = (/** @type {string[]} */ ...place) => path.join('node_modules', ...place);

runCommand(async () => {
  const { values } = parseArgs({ allowNegative: true, options: { tests: { type: 'boolean', default: true } } });
  const project = readProject();

  /** @param {string[][]} commands programs of Node with their words, one after the other until one fails */
  const programs = (commands) => async () => {
    for (const words of commands) {
      const { code, stdout, stderr } = await runProgram({
        words,
        cwd: project.root,
        environment: project.environment,
        deadlineMs: DEADLINE_MS,
      });
      // At once, since another check writes at the same time.
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      if (code !== 0) return false;
    }
    return true;
  };
  /** @param {(root: string) => string[]} find */
  const faults = (find) => async () => {
    const found = find(project.root);
    for (const fault of found) say(`  ${fault}`);
    return found.length === 0;
  };
  /** @returns {Promise<boolean>} */
  const tests = () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['scripts/test.cjs'], {
        cwd: project.root,
        env: project.environment,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      child.once('close', (code) => resolve(code === 0));
    });

  /** @typedef {[name: string, check: () => Promise<boolean>]} Check */
  /** @type {string[]} */
  const failed = [];
  /** @param {Check[]} checks */
  const inOrder = async (checks) => {
    for (const [name, check] of checks) {
      const begun = Date.now();
      const passed = await check();
      say(`${passed ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
      if (!passed) failed.push(name);
    }
  };
  /** @param {Check[][]} lanes each in its order, beside the others */
  const sideBySide = (lanes) => Promise.all(lanes.map(inOrder));

  await sideBySide([
    [['format', programs([[bin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.']])]],
    // What tests share is no part of the build; test/ compiles it for its programs.
    [['types', programs([[bin('typescript', 'bin', 'tsc'), '-b', '.', 'test']])]],
  ]);
  // What follows reads the declarations that the types have written.
  await sideBySide([
    [['lint', programs([['scripts/checks/lint.cjs']])]],
    [
      [
        'types of the tests, the page and the scripts',
        programs([[bin('typescript', 'bin', 'tsc'), '-b', 'tsconfig.test.json']]),
      ],
      ['exports that nobody uses', programs([[bin('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints']])],
      [
        'imports that lead back',
        programs([
          [
            bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
            '--config',
            '.dependency-cruiser.cjs',
            'shared',
            'services',
            'test',
            'scripts',
          ],
        ]),
      ],
      ['what is compiled', faults(findBuildFaults)],
      ['names of files and folders', faults(findNameFaults)],
      [
        'pages that comments cite and pages link',
        faults((root) => [...findCitationFaults(root), ...findLinkFaults(root)]),
      ],
      ['generated files', programs([['scripts/generate.cjs', '--check']])],
      ['documents of the API', programs([['scripts/checks/check-documents.cjs']])],
      ['versions', faults(findVersionFaults)],
      ['lockfile', faults(findLockfileFaults)],
    ],
  ]);
  if (values.tests) await inOrder([['tests', tests]]);
  if (failed.length > 0) say(`Not verified: ${failed.join(', ')}.`);
  return failed.length > 0 ? 1 : 0;
});
