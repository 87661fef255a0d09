import { constants, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Finding } from '@parley/shared/contracts';
import { readTree } from './read-tree';

/**
 * Copies the regular files of a folder into an empty one, so that what is validated is what is installed, whatever
 * happens to the original meanwhile. Links and special files are findings and are not copied.
 */
export async function copyFolder(source: string, target: string): Promise<Finding[]> {
  // What is no pack is not read through: somebody may have named their home folder.
  if (!existsSync(path.join(source, 'manifest.yaml'))) return [];
  const tree = await readTree(source);
  for (const { path: relative, size } of tree.files) {
    const to = path.join(target, relative);
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const from = await open(path.join(source, relative), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    // A file that grows while it is copied is cut at the size that was looked at.
    const reading = size === 0 ? null : from.createReadStream({ end: size - 1, autoClose: true });
    if (reading === null) {
      await from.close();
      await (await open(to, 'wx', 0o600)).close();
    } else await pipeline(reading, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  }
  return [...tree.findings];
}
