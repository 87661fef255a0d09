import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { readTree } from '../validating/read-tree';

/**
 * Copies the regular files of a folder into an empty one, so that what is validated is what is installed, whatever
 * happens to the original meanwhile. Each file is opened once: what was looked at is what is copied. Links and special
 * files are findings and are not copied.
 */
export async function copyFolder(
  source: string,
  target: string,
  progress?: (done: number) => void,
): Promise<Finding[]> {
  // What is no pack is not read through: somebody may have named their home folder.
  if (!existsSync(path.join(source, 'manifest.yaml'))) return [];
  const { findings } = await readTree(source, { copyTo: target, ...(progress === undefined ? {} : { progress }) });
  return [...findings];
}
