/**
 * npm run lint: ESLint with the types of the whole project, a part of the tree at a time. Each part is a process of its own:
 * together their types need more memory than Node gives one.
 */
const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '..', '..');
const ESLINT = path.join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');
const PARTS = ['shared', ...readdirSync(path.join(ROOT, 'services')).map((name) => `services/${name}`)];
const REST = ['.', ...PARTS.flatMap((part) => ['--ignore-pattern', `${part}/**`])];

const statuses = [...PARTS.map((part) => [part]), REST].map(
  (words) =>
    spawnSync(process.execPath, [ESLINT, ...words, '--max-warnings', '0'], { cwd: ROOT, stdio: 'inherit' }).status,
);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
