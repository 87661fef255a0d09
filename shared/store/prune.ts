import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWERS_KEPT_HOURS } from '@parley/shared/contracts';
import type { Database } from './database';
import { changedRows } from './raw-result';

/** Rows of one transaction: some milliseconds of the lock, and of this process. */
const PORTION = 200;
const PAUSE_MS = 5;

const OLD_KEYS = `delete from turn_keys where (session_id, key) in
  (select session_id, key from turn_keys where created_at < ? limit ${PORTION})`;
const OLD_ANSWERS = `delete from kept_answers where (scope, key) in
  (select scope, key from kept_answers where expires_at < ? limit ${PORTION})`;
const DONE_JOBS = `delete from jobs where id in
  (select id from jobs where state = 'done' and created_at < ? limit ${PORTION})`;

/**
 * Deletes what has served its time: answers under an Idempotency-Key that are older than they are kept, and jobs that were
 * done a day ago. A few rows at a time, so that nobody waits for it.
 * @returns how many rows went
 */
export async function prune(database: Database, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - ANSWERS_KEPT_HOURS * 3_600_000).toISOString();
  let sum = 0;
  for (const [statement, before] of [
    [OLD_KEYS, dayAgo],
    [OLD_ANSWERS, now.toISOString()],
    [DONE_JOBS, dayAgo],
  ] as const)
    for (let gone = PORTION; gone === PORTION; sum += gone) {
      gone = changedRows(await database.write((transaction) => transaction.knex.raw(statement, [before])));
      await sleep(PAUSE_MS);
    }
  return sum;
}
