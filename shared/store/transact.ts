import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './database';
import { DatabaseBusyError } from './database-errors';

const GIVE_UP_AFTER_MS = 5000;
const LONGEST_PAUSE_MS = 40;

/**
 * Runs `body` in one write transaction: it commits when the promise resolves, and rolls back when it rejects.
 *
 * The write lock is taken at the beginning, so that what the body reads is still true when it writes, whatever other
 * processes do. While another process holds the lock, the beginning (never the body) is tried again.
 *
 * Inside, use `transaction` only: the pool has one connection and the root knex would wait for it forever. Do not await
 * anything but the database: other writers wait meanwhile.
 *
 * @throws DatabaseBusyError when the lock was not to be had for 5 seconds
 */
export async function transact<T>(database: Database, body: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let attempt = 1; ; attempt += 1) {
    let begun = false;
    try {
      return await database.knex.transaction((transaction) => {
        begun = true;
        return body(transaction);
      });
    } catch (error) {
      const poolIsFull = error instanceof Error && error.name === 'KnexTimeoutError';
      if (begun || !(poolIsFull || database.dialect.isBusy(error))) throw error;
      if (poolIsFull || performance.now() >= giveUpAt) throw new DatabaseBusyError(error);
      await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt));
    }
  }
}
