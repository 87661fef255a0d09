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
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
