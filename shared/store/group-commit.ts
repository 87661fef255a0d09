import { setImmediate as nextRound } from 'node:timers/promises';
import type { Database } from './database';
import type { Queryable } from './dialect';
import { runText } from './raw-result';
import { transact } from './transact';

/** More than this in one transaction would make the first of them wait too long. */
const LARGEST_GROUP = 64;
/** How long the first of a group may wait for others, in milliseconds, and how many writes must be under way for it to. */
const LONGEST_GATHERING_MS = 25;
const CROWD = 8;

interface Waiting {
  body(transaction: Queryable): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Writes that are ready at the same time share one transaction, and so one wait for the disk; each is answered after the
 * commit. A few are not held up: they wait only for what the event loop has at hand already, and what becomes ready
 * meanwhile is the next group. One that fails takes back its own writes only.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private draining = false;
  private stopGathering = (): void => undefined;

  /** @param underWay how many writes are being prepared or wait here, so far as the caller knows. */
  constructor(
    private readonly database: Database,
    private readonly underWay: () => number = () => 0,
  ) {}

  /**
   * Runs `body` inside a transaction; resolves when it is on disk. The rules of `transact` hold for the body.
   * @throws what the body throws (nothing of it is stored then), or DatabaseBusyError.
   */
  run<T>(body: (transaction: Queryable) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ body, resolve: resolve as (value: unknown) => void, reject });
      if (!this.draining) void this.drain();
      else if (!this.isWorthWaiting()) this.stopGathering();
    });
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.waiting.length > 0) {
      await this.gather();
      const group = this.waiting.splice(0, LARGEST_GROUP);
      await (group.length === 1 ? this.commitOne(group[0] as Waiting) : this.commitAll(group));
    }
    // In the same breath as the look at the list: one that comes later begins a new round.
    this.draining = false;
  }

  /**
   * The driver blocks the event loop while it writes: what arrived meanwhile must be read before it can join the group. In a
   * crowd the group waits a little longer, until half of those under way are here: each wait for the disk then serves
   * more of them, and the loop has the others to work on meanwhile.
   */
  private async gather(): Promise<void> {
    // The only one there is waits for nobody.
    if (this.waiting.length === 1 && this.underWay() === 1) return;
    await nextRound();
    if (!this.isWorthWaiting()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_GATHERING_MS);
      this.stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // Those that this round of the loop still has at hand.
    await nextRound();
  }

  private isWorthWaiting(): boolean {
    const underWay = this.underWay();
    return underWay >= CROWD && this.waiting.length < Math.min(underWay / 2, LARGEST_GROUP);
  }

  private async commitOne(one: Waiting): Promise<void> {
    try {
      one.resolve(await transact(this.database, (transaction) => one.body(transaction)));
    } catch (error) {
      one.reject(error);
    }
  }

  private async commitAll(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await transact(this.database, async (transaction) => {
        const settled: (() => void)[] = [];
        for (const one of group) settled.push(await inSavepoint(transaction, one));
        return settled;
      });
      for (const answer of answers) answer();
    } catch (error) {
      for (const one of group) one.reject(error);
    }
  }
}

/** What to tell the caller once the group is on disk. */
async function inSavepoint(transaction: Queryable, one: Waiting): Promise<() => void> {
  await runText(transaction, 'savepoint one_of_group', []);
  try {
    const value = await one.body(transaction);
    await runText(transaction, 'release savepoint one_of_group', []);
    return () => one.resolve(value);
  } catch (error) {
    await runText(transaction, 'rollback to savepoint one_of_group', []);
    await runText(transaction, 'release savepoint one_of_group', []);
    return () => one.reject(error);
  }
}
