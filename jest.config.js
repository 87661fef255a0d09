const { spawnSync } = require('node:child_process');
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
    // What is loaded late is named as it is called once compiled.
    '^(\\.{1,2}/.+)\\.js$': '$1',
  },
};

/**
 * Suites of the interface that hold for one process alone. They run on PostgreSQL with one session-api, all others with two
 * that are asked in turn.
 */
const OF_ONE_PROCESS = [
  // Others in the LAN are let in by their addresses, which goes without SIM_INTERNAL_KEY alone; Redis needs that.
  'lan',
  // Names this machine and its addresses to the process itself.
  'beyond-loopback',
  // What no key is needed for on loopback, and malformed requests, of which a proxy makes something else.
  'guard',
];

const onServers = {
  ...all,
  roots: ['<rootDir>/test'],
  // One PostgreSQL and one Redis serve all suites of both projects.
  globalSetup: '<rootDir>/test/set/start-servers.ts',
  globalTeardown: '<rootDir>/test/set/stop-servers.ts',
};
const interfaceSuite = (name) => `<rootDir>/test/interface/${name}.test.ts`;

/** What the outside sees must not depend on the profile: the suites of the interface run a second time, on the scaled one. */
const scaled = {
  ...onServers,
  displayName: 'scaled',
  testMatch: [interfaceSuite('*')],
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    ...OF_ONE_PROCESS.map((name) => `/test/interface/${name}\\.test\\.ts$`),
  ],
  // Read in test/set/set-profile.ts.
  globals: { PARLEY_TEST_PROFILE: 'scaled' },
};

/** And, where they look at one session-api, on PostgreSQL. */
const onPostgres = {
  ...onServers,
  displayName: 'postgres',
  testMatch: [
    ...OF_ONE_PROCESS.map(interfaceSuite),
    '<rootDir>/test/privacy/{deleted,unsaved,logs}.test.ts',
    '<rootDir>/test/faults/{kill,concurrency}.test.ts',
  ],
  globals: { PARLEY_TEST_PROFILE: 'postgres' },
};

const VERSIONS = '/usr/lib/postgresql';
const hasPostgres =
  existsSync(VERSIONS) && readdirSync(VERSIONS).some((one) => existsSync(path.join(VERSIONS, one, 'bin', 'initdb')));
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const isSkipped = !(hasPostgres && hasRedis) && process.env.CI !== 'true';
if (isSkipped)
  process.stderr.write(
    'No set is tested on PostgreSQL and Redis, which are not both installed: apt-get install postgresql redis-server\n',
  );

module.exports = {
  projects: isSkipped ? [all] : [all, onPostgres, scaled],
  testTimeout: 60_000,
  openHandlesTimeout: 2_000,
  maxWorkers: 2,
  // A worker keeps something of every file that it has run. With a heap of a gigabyte the collector takes most of its time,
  // and what measures time takes ten times as long.
  workerIdleMemoryLimit: '300MB',
};
