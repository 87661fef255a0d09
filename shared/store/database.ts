import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  corruptDatabase,
  eraseBackups,
  inspectDatabaseFile,
  prepareDataFolder,
  protectDatabaseFile,
} from './data-folder';
import { DiskFullError, StorageFaultError, storageFaultText } from '@parley/shared/contracts';
import { dropBallast } from './ballast';
import { DatabaseBusyError, DatabaseOpenError, diskFull } from './database-errors';
import { databaseFile, type DatabasePlace } from './database-file';
import type { Dialect, Queryable, Transaction } from './dialect';
import { refuseNewerSchema } from './migrate';
import { markOpen } from './open-marks';
import { openSqlite } from './sqlite-dialect';
import { explainFailure } from './sqlite-failures';
import { WriteQueue } from './write-queue';

const OPEN_TRIES = 50;
const OPEN_PAUSE_MS = 50;

/** The part of a pino logger that the store uses. */
interface StoreLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface OpenDatabaseOptions extends DatabasePlace {
  readonly logger?: StoreLogger;
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
  /** Waits for running statements and closes the file. May be called more than once. */
  close(): Promise<void>;
}

async function connect(file: string): Promise<Dialect> {
  for (let attempt = 1; ; attempt += 1) {
    const dialect = openSqlite(file);
    try {
      await dialect.hasTable(dialect.knex, 'schema_migrations');
      return dialect;
    } catch (error) {
      await dialect.close();
      if (dialect.isCorrupt(error)) throw corruptDatabase(file, error);
      const explained = explainFailure(error, file);
      if (explained instanceof DiskFullError) {
        // Even reading needs a little room for the log and its index.
        if (dropBallast(file)) continue;
        throw diskFull(file, error);
      }
      if (explained instanceof StorageFaultError)
        throw new DatabaseOpenError('unusable', `${storageFaultText(explained.fault)} It is about ${file}.`, error);
      // Several processes begin at once: turning the log mode on needs the file for a moment.
      const gaveUp = error instanceof DatabaseBusyError;
      if (!gaveUp && !dialect.isBusy(error)) throw error;
      if (gaveUp || attempt >= OPEN_TRIES) {
        throw new DatabaseOpenError(
          'locked',
          `The database ${file} is locked by another program: close it and start again.`,
          error,
        );
      }
      await sleep(OPEN_PAUSE_MS);
    }
  }
}

/**
 * Opens the database, and makes an empty one where there was none. Run `migrate` before anything else uses it.
 *
 * Every connection is set to survive a power cut after each commit, and to overwrite what is deleted; that this holds is
 * asserted. The file is 0600, its folder 0700.
 *
 * @throws DatabaseOpenError with one line for a person; a file that cannot be used is never written to
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const dataDir = resolve(options.dataDir);
  const file = databaseFile(options);
  prepareDataFolder(dataDir);
  inspectDatabaseFile(dataDir, file);
  protectDatabaseFile(file);
  const removeMark = markOpen(dataDir, file);
  let dialect: Dialect;
  try {
    dialect = await connect(file);
  } catch (error) {
    removeMark();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const queue = new WriteQueue(dialect);
  const database: Database = {
    knex: dialect.knex,
    write: (body) => queue.write(body),
    dialect,
    dataDir,
    logger: options.logger,
    close: () => (closing ??= dialect.close().finally(removeMark)),
  };
  try {
    await refuseNewerSchema(database, database);
  } catch (error) {
    await database.close();
    throw dialect.isCorrupt(error) ? corruptDatabase(file, error) : error;
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
