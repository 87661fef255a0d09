/** What only tests use: it lies in folders of these names, or beside what it tests. */
const TEST_SUPPORT = '/(testing|fixtures)/|-fixture\\.ts$|\\.test\\.tsx?$';

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
      from: { path: '^(shared|services|scripts)/', pathNot: [TEST_SUPPORT, '^services/ui/test/'] },
      to: { path: [TEST_SUPPORT, '^test/', '^services/ui/test/'] },
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
