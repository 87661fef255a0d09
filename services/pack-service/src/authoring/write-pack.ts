import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FormPack } from './pack-from-form';

/** Writes the files of a pack into a folder, which is made. Files that are there already are never overwritten: EEXIST. */
export async function writePackFiles(folder: string, { files }: Pick<FormPack, 'files'>): Promise<void> {
  for (const [name, text] of files) {
    const file = path.join(folder, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  }
}
