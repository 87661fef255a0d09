import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseBusyError } from './database-errors';

const GIVE_UP_AFTER_MS = 5000;
const LONGEST_PAUSE_MS = 40;

/**
 * Tries again while another process holds the lock, with pauses in which the event loop is free.
 * @param isBusy whether the error means that the attempt changed nothing and may be repeated
 * @throws DatabaseBusyError when the lock was not to be had for 5 seconds
 */
export async function retryWhileBusy<T>(attempt: () => Promise<T>, isBusy: (error: unknown) => boolean): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= giveUpAt) throw new DatabaseBusyError(error);
      await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
    }
  }
}
