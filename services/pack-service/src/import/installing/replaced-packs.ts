import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';

const PREFIX = 'replaced-';

/** Where the folder of a pack lies while another version takes its place. */
export const replacedFolder = (staging: string, packId: string): string => path.join(staging, `${PREFIX}${packId}`);

/**
 * Puts back the packs that were set aside when the machine stopped before their replacement was in place. To be called
 * before what is left in the staging folder is deleted.
 */
export async function restoreReplaced(staging: string, installed: string): Promise<void> {
  if (!existsSync(staging)) return;
  for (const name of await readdir(staging)) {
    if (!name.startsWith(PREFIX)) continue;
    const target = path.join(installed, name.slice(PREFIX.length));
    if (existsSync(target)) continue;
    await mkdir(installed, { recursive: true, mode: 0o700 });
    await rename(path.join(staging, name), target);
  }
}
