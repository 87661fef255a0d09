const { TEST_SUPPORT: isTestSupport } = require('./scripts/set/test-support.cjs');

const TEST_SUPPORT = isTestSupport.source;
/** What is started, and what a folder of shared/ gives to others: all that runs for people is reached from there. */
const ENTRIES = [
  '^services/.*/main\\.tsx?$',
  '^services/.*-(child|thread)\\.ts$',
  '^shared/[^/]+/index\\.ts$',
  '^shared/store/stored-choice\\.ts$',
];

/** npm run verify: what may import what, type imports included. Which folder may import which is ESLint's (eslint.config.mjs). */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'No import leads back to its file, not even that of a type: a file can then be read without the whole.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-test-support-in-production',
      comment: 'What runs for people never imports what is there for tests, not even a type.',
      severity: 'error',
      from: { path: '^(shared|services|scripts)/', pathNot: TEST_SUPPORT },
      to: { path: TEST_SUPPORT },
    },
    {
      name: 'no-test-support-among-sources',
      comment: 'What no program reaches is there for tests alone: it lies in testing/, beside src.',
      severity: 'error',
      from: { path: ENTRIES, pathNot: TEST_SUPPORT },
      to: {
        path: '^(shared|services/[^/]+/src)/',
        pathNot: [TEST_SUPPORT, ...ENTRIES, '\\.d\\.c?ts$'],
        reachable: false,
      },
    },
    {
      name: 'validating-knows-nothing-of-installing',
      comment: 'A pack is checked in the same way wherever it comes from and whatever becomes of it.',
      severity: 'error',
      from: { path: '^services/pack-service/src/import/validating/' },
      to: { path: '^services/pack-service/src/import/installing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
