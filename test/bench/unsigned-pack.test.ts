import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { temporaryFolder } from '@parley/shared/testing';
import { PROJECT_ROOT } from '../set/managed-process';
import { writeUnsignedPack } from './unsigned-pack';

it('is a pack without errors, whatever signs the_ask has by now', () => {
  const folder = temporaryFolder('unsigned');
  try {
    const pack = writeUnsignedPack(path.join(folder.path, 'unsigned_ask'), 'unsigned_ask');
    const cli = path.join(PROJECT_ROOT, 'scripts/packs.cjs');
    const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', pack], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toMatch(/1 pack: 0 errors, \d+ warnings?\./);
  } finally {
    folder.remove();
  }
});
