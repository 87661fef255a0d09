import { resolve } from 'node:path';
import { databaseFileOf } from '@parley/shared/data-folder';
import { DatabaseOpenError } from './database-errors';

export interface DatabasePlace {
  /** Folder for the database, its backups and the mark that there is one. */
  readonly dataDir: string;
  /** Path of the database file; parley.sqlite in the data folder unless told. */
  readonly file?: string;
  /** What SIM_DATABASE_URL says: `sqlite:<path>`, `file:…` or a path. Null, undefined or empty: the default file. */
  readonly url?: string | null | undefined;
}

/** Where the database lies, or would. @throws DatabaseOpenError unsupported_url */
export function databaseFile({ dataDir, file, url }: DatabasePlace): string {
  if (file !== undefined) return resolve(file);
  const found = databaseFileOf(dataDir, url);
  if ('refusal' in found) throw new DatabaseOpenError('unsupported_url', found.refusal);
  return found.file;
}
