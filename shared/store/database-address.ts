import { resolve } from 'node:path';
import { databaseAddressOf, type DatabaseAddress } from '@parley/shared/data-folder';
import { DatabaseOpenError } from './database-errors';

export interface DatabasePlace {
  /** Folder for the packs, the backups and, with SQLite, the database and the mark that there is one. */
  readonly dataDir: string;
  /** Path of the database file; parley.sqlite in the data folder unless told. */
  readonly file?: string;
  /** What SIM_DATABASE_URL says: `postgres://…`, `sqlite:<path>`, `file:…` or a path. Null, undefined or empty: the default file. */
  readonly url?: string | null | undefined;
}

/** Where the database is, or would be. @throws DatabaseOpenError unsupported_url */
export function databaseAddress({
  dataDir,
  file,
  url,
}: DatabasePlace): Exclude<DatabaseAddress, { readonly refusal: string }> {
  if (file !== undefined) return { system: 'sqlite', file: resolve(file) };
  const found = databaseAddressOf(dataDir, url);
  if ('refusal' in found) throw new DatabaseOpenError('unsupported_url', found.refusal);
  return found;
}
