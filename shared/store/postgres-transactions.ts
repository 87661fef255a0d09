import type { Knex } from 'knex';
import { DatabaseBusyError } from './database-errors';
import { Transaction, type Dialect } from './dialect';
import { WRITE_LOCK } from './postgres-connection';
import { isAfterFailure, isBusy } from './postgres-failures';

export interface TransactionOptions {
  /** Its pool has one connection, which nothing but transactions uses. */
  readonly knex: Knex;
  /** What a failed statement means to the caller. */
  readonly explain: (error: unknown) => unknown;
  /** Hears of every commit. */
  readonly committed: () => void;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Write transactions, one after the other in all processes together: each begins by taking one advisory lock, which its end
 * gives back, so that what is read after it is true until the commit, as behind SQLite's single writer.
 */
export class PostgresTransactions {
  constructor(
    private readonly dialect: () => Dialect,
    private readonly options: TransactionOptions,
  ) {}

  /**
   * Runs `body` in a transaction: it commits when the promise resolves, and rolls back when it rejects.
   * @throws what the body throws; what the beginning failed with, which `isBusy` tells when the lock was not to be had
   */
  async run<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    // Empty while the body has not run.
    const outcomes: Outcome<T>[] = [];
    try {
      await this.options.knex.transaction(async (knex) => {
        await knex.raw('select pg_advisory_xact_lock(?, ?)', [...WRITE_LOCK]);
        const transaction = new PostgresTransaction(this.dialect(), knex);
        try {
          const value = await body(transaction);
          await transaction.assertStands();
          outcomes.push({ value });
        } catch (error) {
          outcomes.push({ error: transaction.causeOf(error) });
          throw error;
        } finally {
          transaction.end();
        }
      });
    } catch (error) {
      throw this.failureOf(outcomes[0], error);
    }
    this.options.committed();
    const [outcome] = outcomes;
    if (outcome === undefined || 'error' in outcome) throw new Error('a transaction was committed without its body');
    return outcome.value;
  }

  /** What made a body fail counts for more than what its taking back met. */
  private failureOf(outcome: Outcome<unknown> | undefined, error: unknown): unknown {
    if (outcome === undefined) return isBusy(error) ? error : this.options.explain(error);
    const failure = this.options.explain('error' in outcome ? outcome.error : error);
    // The body has run: it must not be taken for a beginning that may be tried again.
    return isBusy(failure) ? new DatabaseBusyError(failure) : failure;
  }
}

class PostgresTransaction extends Transaction {
  private hasEnded = false;
  private failure: unknown = null;

  constructor(
    dialect: Dialect,
    private readonly bound: Knex.Transaction,
  ) {
    super(dialect);
    bound.on('query-error', (error: unknown) => {
      if (!isAfterFailure(error)) this.failure = error;
    });
  }

  /** @throws Error when the transaction has ended. */
  get knex(): Knex {
    if (this.hasEnded) throw new Error('a statement came after the end of its transaction');
    return this.bound;
  }

  /**
   * After a statement that failed PostgreSQL takes no other, and answers a commit by taking everything back, which is no
   * error to the driver. A body that goes on as if nothing were gets what failed.
   */
  async assertStands(): Promise<void> {
    if (this.failure === null) return;
    try {
      await this.bound.raw('select 1');
    } catch {
      throw this.failure;
    }
  }

  /** What a statement that came after the failed one was refused for. */
  causeOf(error: unknown): unknown {
    return isAfterFailure(error) ? (this.failure ?? error) : error;
  }

  end(): void {
    this.hasEnded = true;
  }
}
