import type { Database } from './database';
import { DatabaseBusyError } from './database-errors';
import type { Queryable } from './dialect';
import { retryWhileBusy } from './retry-while-busy';

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
export async function transact<T>(database: Database, body: (transaction: Queryable) => Promise<T>): Promise<T> {
  let begun = false;
  const attempt = async (): Promise<T> => {
    try {
      return await database.dialect.transaction((transaction) => {
        begun = true;
        return body(transaction);
      });
    } catch (error) {
      // The queue for the one connection of this process is too long.
      if (!begun && error instanceof Error && error.name === 'KnexTimeoutError') throw new DatabaseBusyError(error);
      throw error;
    }
  };
  return retryWhileBusy(attempt, (error) => !begun && database.dialect.isBusy(error));
}
