import type { Knex } from 'knex';
import { Transaction, type Dialect } from './dialect';

/** The part of the driver's connection that is used here. */
export interface Connection {
  /** False after SQLite took a transaction back by itself. */
  readonly inTransaction: boolean;
  pragma(source: string, options?: { simple: boolean }): unknown;
  prepare(sql: string): unknown;
}

export interface TransactionOptions {
  /** Its pool has one connection, which nothing but transactions uses. */
  readonly knex: Knex;
  /** The connection of that pool, once it was opened. */
  readonly connection: () => Connection | null;
  /** What a failed statement means to the caller. */
  readonly explain: (error: unknown) => unknown;
  /** Throws when what is committed now would be lost. */
  readonly beforeCommit: () => void;
  /** Hears of every commit. */
  readonly committed: () => void;
}

/**
 * Write transactions, one after the other on a connection of their own.
 *
 * Each begins with BEGIN IMMEDIATE, which knex cannot be told: one that reads first and writes later would otherwise fail
 * at once, without waiting, when another process wrote in between.
 */
export class SqliteTransactions {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dialect: () => Dialect,
    private readonly options: TransactionOptions,
  ) {}

  /** Runs statements that cannot stand in a transaction; no transaction is open meanwhile. */
  alone<T>(statements: (knex: Knex) => Promise<T>): Promise<T> {
    const result = this.last.then(async () => {
      try {
        return await statements(this.options.knex);
      } catch (error) {
        throw this.options.explain(error);
      }
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  /**
   * Runs `body` in a transaction: it commits when the promise resolves, and rolls back when it rejects.
   * @throws what the body throws, or the driver's error of the beginning (the body has not run then) or of the commit.
   */
  run<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.alone(async (knex) => {
      await knex.raw('begin immediate');
      const transaction = new SqliteTransaction(this.dialect(), this.options);
      try {
        const value = await body(transaction);
        transaction.assertStands();
        this.options.beforeCommit();
        await knex.raw('commit');
        this.options.committed();
        return value;
      } catch (error) {
        await this.rollBack();
        throw error;
      } finally {
        transaction.end();
      }
    });
  }

  /** Never throws: what made it necessary is what the caller has to hear. */
  private async rollBack(): Promise<void> {
    try {
      if (this.options.connection()?.inTransaction === true) await this.options.knex.raw('rollback');
    } catch {
      // SQLite takes it back by itself then, or the next beginning says that it did not.
    }
  }

  /** Waits for what was begun. */
  async close(): Promise<void> {
    await this.last;
    await this.options.knex.destroy();
  }
}

class SqliteTransaction extends Transaction {
  private hasEnded = false;
  private failure: unknown = null;

  constructor(
    dialect: Dialect,
    private readonly options: TransactionOptions,
  ) {
    super(dialect);
    options.knex.on('query-error', this.failed);
  }

  /** @throws Error when the transaction has ended, or what SQLite took it back for. */
  get knex(): Knex {
    this.assertStands();
    return this.options.knex;
  }

  /**
   * When a write fails, SQLite may take back the whole transaction by itself. Statements that come after that would stand
   * alone and be kept: they fail with what ended the transaction.
   */
  assertStands(): void {
    if (this.hasEnded) throw new Error('a statement came after the end of its transaction');
    if (this.options.connection()?.inTransaction !== true)
      throw this.failure ?? new Error('SQLite has taken the transaction back');
  }

  end(): void {
    this.hasEnded = true;
    this.options.knex.removeListener('query-error', this.failed);
  }

  private readonly failed = (error: unknown): void => {
    this.failure = this.options.explain(error);
  };
}
