import type { Knex } from 'knex';
import { eraseBackups } from './data-folder';
import { DatabaseBusyError } from './database-errors';
import type { Dialect, Queryable, Transaction } from './dialect';

/** The part of a pino logger that the store uses. */
export interface StoreLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface Database extends Queryable {
  /** For reading; everything that writes goes through `write`. */
  readonly knex: Knex;
  readonly dialect: Dialect;
  readonly dataDir: string;
  readonly logger: StoreLogger | undefined;
  /** Damaged rows that the log has named: a list that is asked for again and again tells of a row once. */
  readonly toldOf: Set<string>;
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
