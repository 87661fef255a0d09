import type { Knex } from 'knex';
import type { StorageFault } from '@parley/shared/contracts';

/** What every store function takes first: the database's knex, or the transaction that the caller has open. */
export type Queryable = Knex;

export interface TurnText {
  readonly turn_index: number;
  readonly text: string;
}

export interface TurnHit {
  /** Ordinal of the session that holds the turn. */
  readonly session_ordinal: number;
  readonly turn_index: number;
  readonly snippet: string;
}

/**
 * Everything that differs between database systems. The stores write portable SQL only; what is not portable (pragmas,
 * full text, the kind of transaction, backups) is behind this interface, one file a system.
 */
export interface Dialect {
  readonly name: 'sqlite';
  /** Path of the database file; the sidecar files of the system lie beside it. */
  readonly file: string;
  readonly knex: Knex;
  /** Version of the database library, for diagnostics. */
  libraryVersion(): Promise<string>;
  /** Whether the error says that another process holds the lock: worth another try. */
  isBusy(error: unknown): boolean;
  /** Whether the error says that the file is damaged or no database. */
  isCorrupt(error: unknown): boolean;
  /**
   * What is wrong with the storage now: the files are looked at, and what the last statement failed with counts until
   * something was committed after it. Null when nothing is.
   */
  fault(): StorageFault | null;
  /** Runs `body` in one write transaction whose lock is taken at the beginning; `transact` says what holds for it. */
  transaction<T>(body: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes the file. */
  close(): Promise<void>;
  hasTable(queryable: Queryable, table: string): Promise<boolean>;
  createFullText(transaction: Queryable): Promise<void>;
  indexTurns(transaction: Queryable, sessionOrdinal: number, turns: readonly TurnText[]): Promise<void>;
  /** Of one session, or of all from one ordinal to another. */
  forgetTurns(transaction: Queryable, from: number, to?: number): Promise<void>;
  forgetTurn(transaction: Queryable, sessionOrdinal: number, turnIndex: number): Promise<void>;
  /** Empties the index, in a moment. What it held may be read in free pages until overwriteFreePages. */
  emptyIndex(transaction: Queryable): Promise<void>;
  /**
   * Turns that hold all words, at most one a session (its last), newest session first.
   * @param before only sessions with a smaller ordinal; null for all.
   */
  searchTurns(queryable: Queryable, words: string, before: number | null, limit: number): Promise<TurnHit[]>;
  /**
   * Reads through the whole database while it is used, without holding anybody up.
   * @returns the first damage, in the system's words and without a value of any row; null when it is sound
   */
  findDamage(): Promise<string | null>;
  /** Copies the whole database into a new file. */
  backup(target: string): Promise<void>;
  /** Makes deleted rows unreadable in the write-ahead log too; false when another process held it up. */
  flushDeleted(): Promise<boolean>;
  /**
   * Gives pages that deleted rows have left back to the disk, a few at a time: other writers get their turn in between.
   * Not worth it for little, and not done where it would lock the database for long.
   */
  giveBackPages(): Promise<void>;
  /** Overwrites what free pages hold, some at a time: other writers get their turn in between. */
  overwriteFreePages(): Promise<void>;
  /** Rewrites the file without its free pages. */
  compact(): Promise<void>;
  /** Bytes of the database on disk, log included; null when there is no file to measure. */
  sizeInBytes(): number | null;
  /** Bytes of the write-ahead log alone. */
  logSizeInBytes(): number;
}

/** The dialect that a knex or a transaction belongs to. */
export function dialectOf(queryable: Queryable): Dialect {
  const { dialect } = queryable.userParams as { dialect?: Dialect };
  if (dialect === undefined) throw new Error('this knex was not opened by openDatabase');
  return dialect;
}
