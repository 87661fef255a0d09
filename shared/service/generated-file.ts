import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * A document that `npm run generate` wrote from the contracts. It is read when somebody asks: making it takes every contract
 * there is, which no process should hold for that.
 * @param folder `schemas/` of the project
 * @throws Error naming the file and what writes it
 */
export async function readGeneratedFile(folder: string, name: string): Promise<unknown> {
  const file = path.join(folder, name);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read; npm run generate writes it.`, { cause });
  }
}
