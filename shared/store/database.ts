import { resolve } from 'node:path';
import type { Knex } from 'knex';
import { eraseBackups, prepareDataFolder } from './data-folder';
import { databaseAddress, type DatabasePlace } from './database-address';
import { DatabaseBusyError } from './database-errors';
import type { Dialect, Queryable, Transaction } from './dialect';
import { refuseNewerSchema } from './migrate';
import { openPostgres } from './postgres-open';
import { openSqliteFile } from './sqlite-open';
import { WriteQueue } from './write-queue';

/** The part of a pino logger that the store uses. */
interface StoreLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface OpenDatabaseOptions extends DatabasePlace {
  readonly logger?: StoreLogger;
  /**
   * Only one process at a time may have the database with this set: it keeps in its memory what belongs to running sessions.
   * Held against others on PostgreSQL alone, which several machines can reach.
   */
  readonly sole?: boolean;
}

export interface Database extends Queryable {
  /** For reading; everything that writes goes through `write`. */
  readonly knex: Knex;
  readonly dialect: Dialect;
  readonly dataDir: string;
  readonly logger: StoreLogger | undefined;
  /**
   * Runs `body` in a write transaction; resolves when it is on disk, and stores nothing of a body that rejects. Writes that
   * are ready together share one transaction.
   *
   * The write lock is taken at the beginning, so that what the body reads is still true when it writes, whatever other
   * processes do. Inside, await nothing but the transaction: other writers wait meanwhile.
   *
   * @throws what the body throws; DatabaseBusyError when the lock was not to be had for 5 seconds
   */
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes the database. May be called more than once. */
  close(): Promise<void>;
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
      : await openPostgres(address, options.sole === true);
  let closing: Promise<void> | undefined;
  const queue = new WriteQueue(dialect);
  const database: Database = {
    knex: dialect.knex,
    write: (body) => queue.write(body),
    dialect,
    dataDir,
    logger: options.logger,
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

/**
 * After deleting a session: what was deleted is gone from the log file and the backups too.
 * @returns false when another process kept the log busy; the next call or checkpoint catches up
 */
export async function scrubDeleted(database: Database): Promise<boolean> {
  eraseBackups(database.dataDir);
  return database.dialect.flushDeleted();
}

/** After deleting much that was no conversation: the file shrinks by what it held. */
export const giveBackPages = (database: Database): Promise<void> => database.dialect.giveBackPages();

/**
 * After clearing everything: as scrubDeleted, and freed pages are overwritten and given back to the disk.
 * @throws DatabaseBusyError when another process held the lock throughout
 */
export async function scrub(database: Database): Promise<void> {
  await database.dialect.overwriteFreePages();
  // In their place on the disk, too, which compacting gives back.
  await database.dialect.flushDeleted();
  await database.dialect.compact();
  if (!(await scrubDeleted(database))) throw new DatabaseBusyError();
}
