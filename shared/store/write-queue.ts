import { setImmediate as nextRound } from 'node:timers/promises';
import type { Dialect, Transaction } from './dialect';
import { retryWhileBusy } from './retry-while-busy';

/** More than this in one transaction would make the first of them wait too long. */
const LARGEST_GROUP = 64;

interface Waiting {
  body(transaction: Transaction): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * All writes of a process. Those that are ready at the same time share one transaction, and so one wait for the disk; each
 * is answered after the commit. One that fails takes back its own writes only.
 */
export class WriteQueue {
  private waiting: Waiting[] = [];
  private isDraining = false;

  constructor(private readonly dialect: Dialect) {}

  /** As Database.write. */
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ body, resolve: resolve as (value: unknown) => void, reject });
      if (!this.isDraining) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.isDraining = true;
    while (this.waiting.length > 0) {
      // The driver blocks the event loop while it writes: what arrived meanwhile must be read before it can join the group.
      await nextRound();
      const group = this.waiting.splice(0, LARGEST_GROUP);
      const [one] = group;
      await (group.length === 1 && one !== undefined ? this.commitOne(one) : this.commitAll(group));
    }
    // In the same breath as the look at the list: one that comes later begins a new round.
    this.isDraining = false;
  }

  private async commitOne(one: Waiting): Promise<void> {
    try {
      one.resolve(await this.transaction((transaction) => one.body(transaction)));
    } catch (error) {
      one.reject(error);
    }
  }

  private async commitAll(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.transaction(async (transaction) => {
        const settled: (() => void)[] = [];
        for (const one of group) settled.push(await inSavepoint(transaction, one));
        return settled;
      });
      for (const answer of answers) answer();
    } catch (error) {
      for (const one of group) one.reject(error);
    }
  }

  /** While another process holds the lock, the beginning (never the body) is tried again. */
  private transaction<T>(body: (transaction: Transaction) => Promise<T>): Promise<T> {
    let begun = false;
    return retryWhileBusy(
      () =>
        this.dialect.transaction((transaction) => {
          begun = true;
          return body(transaction);
        }),
      (error) => !begun && this.dialect.isBusy(error),
    );
  }
}

/** What to tell the caller once the group is on disk. */
async function inSavepoint(transaction: Transaction, one: Waiting): Promise<() => void> {
  await transaction.knex.raw('savepoint one_of_group');
  try {
    const value = await one.body(transaction);
    await transaction.knex.raw('release savepoint one_of_group');
    return () => one.resolve(value);
  } catch (error) {
    await transaction.knex.raw('rollback to savepoint one_of_group');
    await transaction.knex.raw('release savepoint one_of_group');
    const explained = transaction.dialect.explain(error);
    return () => one.reject(explained);
  }
}
