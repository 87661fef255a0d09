import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Every file under a folder, with its path inside it. */
export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * The files that hold one of the words anywhere in their bytes, letters in any case (a full-text index folds them), as
 * `file: word`. An index stores a word without the letters that it shares with the one before, so the first three letters
 * of a word are left out of the search: choose words that are unusual after them too.
 */
export function filesWith(
  folder: string,
  words: readonly string[],
  only: (file: string) => boolean = () => true,
): string[] {
  const found: string[] = [];
  for (const file of filesUnder(folder).filter(only)) {
    let bytes: string;
    try {
      bytes = readFileSync(path.join(folder, file)).toString('latin1').toLowerCase();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // a log of the database that was just removed
      throw error;
    }
    for (const word of words) if (bytes.includes(word.slice(3).toLowerCase())) found.push(`${file}: ${word}`);
  }
  return found;
}
