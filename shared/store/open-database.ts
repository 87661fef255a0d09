import { resolve } from 'node:path';
import { prepareDataFolder } from './data-folder';
import type { Database, StoreLogger } from './database';
import type { DatabaseShare } from './dialect';
import { databaseAddress, type DatabasePlace } from './database-address';
import { refuseNewerSchema } from './migrate';
import { openPostgres } from './postgres-open';
import { openSqliteFile } from './sqlite-open';
import { WriteQueue } from './write-queue';

export interface OpenDatabaseOptions extends DatabasePlace {
  readonly logger?: StoreLogger;
  /**
   * `sole`: no other process may have the database with this or with `peers`, since this one keeps in its memory what belongs
   * to running sessions. `peers`: any number may. Held against others on PostgreSQL alone, which several machines can reach.
   */
  readonly share?: DatabaseShare;
}

/**
 * Opens the database, and makes an empty one where there was none. Run `migrate` before anything else uses it.
 *
 * Every connection is set to survive a power cut after each commit, and to overwrite what is deleted; that this holds is
 * asserted. A file is 0600, its folder 0700.
 *
 * @throws DatabaseOpenError with one line for a person; a file that cannot be used is never written to
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const dataDir = resolve(options.dataDir);
  const address = databaseAddress(options);
  prepareDataFolder(dataDir);
  const { dialect, release } =
    address.system === 'sqlite'
      ? await openSqliteFile(dataDir, address.file)
      : await openPostgres(address, options.share ?? 'any');
  let closing: Promise<void> | undefined;
  const queue = new WriteQueue(dialect);
  const database: Database = {
    knex: dialect.knex,
    write: (body) => queue.write(body),
    dialect,
    dataDir,
    logger: options.logger,
    toldOf: new Set(),
    close: () => (closing ??= dialect.close().finally(release)),
  };
  try {
    await refuseNewerSchema(database, database);
  } catch (error) {
    await database.close();
    throw dialect.asOpenError(error);
  }
  return database;
}
