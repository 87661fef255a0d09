import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

describe('the portraits of the built-in packs', () => {
  it('are what this folder draws', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/portraits/draw.cjs', '--check'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^\d{2,} portraits are up to date\n$/)]);
  });

  it('lie in a folder that holds data and no code', () => {
    const files = readdirSync(path.join(ROOT, 'packs'), { recursive: true, encoding: 'utf8' });
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((name) => /\.(c?js|mjs|tsx?|py|sh)$/.test(name))).toEqual([]);
  });
});
