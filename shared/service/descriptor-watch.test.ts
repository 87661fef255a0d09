import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** In a process of its own with few files to open: uses them up, looks, gives them back, looks again. */
const PROGRAM = `
  const { closeSync, openSync } = require('node:fs');
  const { DescriptorWatch } = require(process.argv[1]);
  const log = (level) => (fields, message) => process.stdout.write(JSON.stringify({ level, ...fields, message }) + '\\n');
  const watch = new DescriptorWatch({ error: log('error'), info: log('info') });
  watch.look();
  const open = [];
  try { for (;;) open.push(openSync('/dev/null', 'r')); } catch {}
  watch.look();
  watch.look();
  for (const one of open) closeSync(one);
  watch.look();
`;

it('a process that may open no more files leaves one line with what to do, and one when it may again', () => {
  const words = ['-r', path.resolve(__dirname, '../testing/typescript-hook.cjs'), '-e', PROGRAM];
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath, ...words, path.join(__dirname, 'descriptor-watch.ts')],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { level: 'error', code: 'EMFILE', reason: 'too_many_files', message: expect.stringMatching(/ulimit -n/) },
    { level: 'info', reason: 'too_many_files', message: 'files can be opened again' },
  ]);
});
