import type { Knex } from 'knex';
import type { StorageFault } from '@parley/shared/contracts';

/** What a store function that reads takes first: the database, or the transaction that the caller has open. */
export interface Queryable {
  readonly knex: Knex;
  readonly dialect: Dialect;
}

/**
 * What a store function that writes takes first. Only Database.write gives one; a class with a protected member, so that the
 * compiler takes nothing else for it.
 */
export abstract class Transaction implements Queryable {
  protected readonly isTransaction = true;
  constructor(readonly dialect: Dialect) {}
  /** @throws Error when the transaction is over. */
  abstract get knex(): Knex;
}

/** Who else may have the database: anybody; nobody who asks to be alone; or nobody but who asks for neither. */
export type DatabaseShare = 'any' | 'peers' | 'sole';

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
  readonly name: 'sqlite' | 'postgres';
  /** Which database it is, for messages: the path of its file, or its address without the password. */
  readonly label: string;
  /** Path of the database file; the sidecar files of the system lie beside it. Null where a server keeps the data. */
  readonly file: string | null;
  /** For reading outside of transactions. */
  readonly knex: Knex;
  /** SQL for the time of the system that keeps the data, in milliseconds since 1970; it goes on within a transaction. */
  readonly clock: string;
  /** Version of the database library or of the server, for diagnostics. */
  libraryVersion(): Promise<string>;
  /** Whether the error says that another process holds the lock: worth another try. */
  isBusy(error: unknown): boolean;
  /** What an error while the database is opened means to the person who starts the process; itself when it is none of those. */
  asOpenError(error: unknown): unknown;
  /**
   * What is wrong with the storage now: the files or the connections are looked at, and what the last statement failed with counts until
   * something was committed after it. Null when nothing is.
   */
  fault(): StorageFault | null;
  /** What a failed statement means to the caller: a full disk, a fault of the storage, or the error itself. */
  explain(error: unknown): unknown;
  /** Runs `body` in one write transaction whose lock is taken at the beginning; Database.write says what holds for it. */
  transaction<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Waits for running statements and closes the file or the connections. */
  close(): Promise<void>;
  hasTable(knex: Knex, table: string): Promise<boolean>;
  /** After migrations, in their transaction: what the schema builder cannot say of the tables. */
  settleSchema(transaction: Transaction): Promise<void>;
  createFullText(transaction: Transaction): Promise<void>;
  indexTurns(transaction: Transaction, sessionOrdinal: number, turns: readonly TurnText[]): Promise<void>;
  /** Of one session, or of all from one ordinal to another. */
  forgetTurns(transaction: Transaction, from: number, to?: number): Promise<void>;
  forgetTurn(transaction: Transaction, sessionOrdinal: number, turnIndex: number): Promise<void>;
  /** Empties the index, in a moment. What it held may be read in free pages until overwriteFreePages. */
  emptyIndex(transaction: Transaction): Promise<void>;
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
  /**
   * Copies the whole database into a new file.
   * @throws StartError where the server has a program of its own for that
   */
  backup(target: string): Promise<void>;
  /** Makes deleted rows unreadable in the files, as far as the system lets us; false when another process held it up. */
  flushDeleted(): Promise<boolean>;
  /**
   * Gives pages that deleted rows have left back to the disk, a few at a time: other writers get their turn in between.
   * Not worth it for little, and not done where it would lock the database for long.
   */
  giveBackPages(): Promise<void>;
  /** Overwrites what free pages hold, some at a time: other writers get their turn in between. */
  overwriteFreePages(): Promise<void>;
  /** Rewrites the files of the tables without their free pages. */
  compact(): Promise<void>;
  /** Bytes of the database on disk; null when there is none to measure. */
  sizeInBytes(): Promise<number | null>;
  /** Bytes of the write-ahead log alone, where it is ours to look after; 0 where a server does. */
  logSizeInBytes(): number;
}
