const { existsSync, readdirSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');

// What runs without SIM_DATA_DIR must not write where this user keeps data.
process.env.XDG_DATA_HOME = path.join(os.tmpdir(), 'parley-data-of-tests');

/** Unit tests beside the code, per-service suites, whole-set tests under test/. */
const all = {
  displayName: 'all',
  rootDir: __dirname,
  roots: ['<rootDir>/shared', '<rootDir>/services', '<rootDir>/test', '<rootDir>/scripts'],
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
};

/** What the outside sees of a set must not depend on its database: these suites run a second time, on PostgreSQL. */
const onPostgres = {
  ...all,
  displayName: 'postgres',
  roots: ['<rootDir>/test'],
  testMatch: [
    '<rootDir>/test/interface/**/*.test.ts',
    '<rootDir>/test/privacy/{deleted,unsaved,logs}.test.ts',
    '<rootDir>/test/faults/{kill,concurrency}.test.ts',
  ],
  // Read in test/set/set-database.ts; one server serves all suites.
  globals: { PARLEY_TEST_DATABASE: 'postgres' },
  globalSetup: '<rootDir>/test/set/start-postgres.ts',
  globalTeardown: '<rootDir>/test/set/stop-postgres.ts',
};

const VERSIONS = '/usr/lib/postgresql';
const hasPostgres =
  existsSync(VERSIONS) && readdirSync(VERSIONS).some((one) => existsSync(path.join(VERSIONS, one, 'bin', 'initdb')));
const isSkipped = !hasPostgres && process.env.CI !== 'true';
if (isSkipped)
  process.stderr.write('No set is tested on PostgreSQL, which is not installed: apt-get install postgresql\n');

module.exports = {
  projects: isSkipped ? [all] : [all, onPostgres],
  testTimeout: 60_000,
  openHandlesTimeout: 2_000,
  maxWorkers: 2,
  // A worker keeps something of every file that it has run. With a heap of a gigabyte the collector takes most of its time,
  // and what measures time takes ten times as long.
  workerIdleMemoryLimit: '300MB',
};
