import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const SERVICES = ['session-api', 'pack-service', 'runtime-gateway', 'debrief-worker', 'ui', 'model-server'];
/** contracts ← documents, engine, demo-voice, client ← store, service ← processes: what each shared folder may not import. */
const SHARED_FOLDERS = {
  contracts: ['documents', 'engine', 'store', 'service', 'client', 'testing'],
  documents: ['engine', 'store', 'service', 'client', 'testing'],
  engine: ['documents', 'demo-voice', 'store', 'service', 'client'],
  'demo-voice': ['documents', 'engine', 'store', 'service', 'client'],
  store: ['documents', 'demo-voice', 'service', 'client'],
  service: ['documents', 'demo-voice', 'store', 'engine'],
  client: ['documents', 'demo-voice', 'store', 'engine', 'service'],
};
const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/test/**', '**/testing/**'];

/** The environment is read once, at the edge: everything else gets its configuration handed in. */
const ENVIRONMENT_READERS = [
  '**/config.ts',
  'jest.config.js',
  'shared/service/run-service.ts',
  'ecosystem.config.js',
  'scripts/set/project.cjs',
  // Programs of their own, beside ours.
  'docs/**',
  ...TESTS,
];

/** The types of each part are read for its own files alone: those of the whole need more memory than Node gives. */
const PROJECTS = {
  shared: ['shared/*/tsconfig.json', 'shared/tsconfig.test.json'],
  ...Object.fromEntries(SERVICES.map((name) => [`services/${name}`, [`services/${name}/tsconfig*.json`]])),
  test: ['test/tsconfig*.json'],
  scripts: ['scripts/tsconfig.json'],
};

const forbidden = (group, message) => ({ group, message });

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      'data/**',
      '.pm2/**',
      'coverage/**',
      '.stryker-tmp/**',
      'reports/**',
      'test-results/**',
      'schemas/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  ...Object.entries(PROJECTS).map(([folder, project]) => ({
    files: [`${folder}/**/*.ts`, `${folder}/**/*.tsx`],
    languageOptions: { parserOptions: { project, tsconfigRootDir: import.meta.dirname } },
  })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'tsconfig.json' })] },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'import-x/no-cycle': 'error',
      'import-x/no-self-import': 'error',
      'import-x/no-default-export': 'error',
      'no-console': 'error',
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Text from packs and players is checked for control and format characters on purpose.
      'no-control-regex': 'off',
      'no-misleading-character-class': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in config files only.' },
      ],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'start' }],
    },
  },
  {
    // Expressions see text of players, packs, models and peers: their time must grow with the text, not with its square.
    ignores: TESTS,
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  // Types of a package that exports a default.
  { files: ['**/*.d.ts'], rules: { 'import-x/no-default-export': 'off' } },
  { files: ENVIRONMENT_READERS, rules: { 'no-restricted-properties': 'off' } },
  ...SERVICES.map((service) => ({
    files: [`services/${service}/**/*.ts`, `services/${service}/**/*.tsx`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            forbidden(
              SERVICES.filter((other) => other !== service).flatMap((other) => [
                `**/services/${other}/**`,
                `**/${other}/src/**`,
                `**/${other}/dist/**`,
                `@parley/${other}`,
                `@parley/${other}/**`,
              ]),
              'Processes never import each other: call the other one through the route table.',
            ),
          ],
        },
      ],
    },
  })),
  ...Object.entries(SHARED_FOLDERS).map(([folder, others]) => ({
    files: [`shared/${folder}/**/*.ts`],
    ignores: TESTS,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            forbidden(
              others.flatMap((other) => [`@parley/shared/${other}`, `../${other}/**`, `../${other}`]),
              'Imports flow contracts ← engine ← store and contracts ← client ← service; processes import all of them.',
            ),
          ],
        },
      ],
    },
  })),
  {
    files: ['services/ui/src/page/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/*.cjs', '**/*.js', '**/*.mjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        AbortController: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        __dirname: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        module: 'writable',
        performance: 'readonly',
        process: 'readonly',
        require: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        AbortSignal: 'readonly',
        TextDecoder: 'readonly',
        TextEncoder: 'readonly',
        WebSocket: 'readonly',
      },
    },
    rules: {
      'no-redeclare': ['error', { builtinGlobals: false }],
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' } },
);
