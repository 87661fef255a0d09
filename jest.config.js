const os = require('node:os');
const path = require('node:path');

// What runs without SIM_DATA_DIR must not write where this user keeps data.
process.env.XDG_DATA_HOME = path.join(os.tmpdir(), 'parley-data-of-tests');

/** One configuration for all: unit tests beside the code, per-service suites, whole-set tests under test/. */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/shared', '<rootDir>/services', '<rootDir>/test', '<rootDir>/packs', '<rootDir>/scripts'],
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  testEnvironment: 'node',
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2023',
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    '^@parley/shared/(contracts|engine|demo-voice|store|service|client|documents|testing)$':
      '<rootDir>/shared/$1/index.ts',
    '^@parley/shared/stored-choice$': '<rootDir>/shared/store/stored-choice.ts',
  },
  testTimeout: 60_000,
  openHandlesTimeout: 2_000,
  maxWorkers: 2,
  // A worker keeps something of every file that it has run. With a heap of a gigabyte the collector takes most of its time,
  // and what measures time takes ten times as long.
  workerIdleMemoryLimit: '300MB',
};
