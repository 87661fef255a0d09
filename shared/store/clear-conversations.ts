import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFullError } from '@parley/shared/contracts';
import { despiteFullDisk } from './ballast';
import type { Database } from './database';
import type { Queryable } from './dialect';
import { deleteRecaps } from './recap-store';
import { transact } from './transact';

export interface ClearedRows {
  readonly sessions: number;
  readonly turns: number;
  readonly events: number;
  readonly debriefs: number;
  readonly recaps: number;
}

type PerSession = Omit<ClearedRows, 'recaps'>;
const TABLES = ['turns', 'events', 'debriefs'] as const;

/** How long one transaction shall hold the lock and the process, in milliseconds; and how long others get in between. */
const PORTION_MS = 25;
const PAUSE_MS = 5;
const LARGEST_PORTION = 200;

/** Deletes the oldest sessions up to an ordinal, and counts what goes with them. */
function deleteOldest(database: Database, upTo: number, portion: number): Promise<PerSession> {
  return transact(database, async (transaction) => {
    const oldest = (await transaction('sessions')
      .where('ordinal', '<=', upTo)
      .orderBy('ordinal')
      .limit(portion)
      .select('id', 'ordinal')) as { id: string; ordinal: number }[];
    const gone = { sessions: oldest.length, turns: 0, events: 0, debriefs: 0 };
    const [first, last] = [oldest[0], oldest.at(-1)];
    if (first === undefined || last === undefined) return gone;
    const ids = oldest.map(({ id }) => id);
    for (const table of TABLES) {
      const row = (await transaction(table).whereIn('session_id', ids).count({ count: '*' }).first()) as { count: number | string }; // prettier-ignore
      gone[table] = Number(row.count);
    }
    await database.dialect.forgetTurns(transaction, first.ordinal, last.ordinal);
    await transaction('sessions').whereIn('id', ids).delete();
    return gone;
  });
}

/** As many in one transaction as take about the wanted time, judged by the last one. */
const nextPortion = (portion: number, tookMs: number): number =>
  Math.max(1, Math.min(LARGEST_PORTION, portion * 2, Math.floor((portion * PORTION_MS) / Math.max(1, tookMs))));

/**
 * Deletes every conversation that there is when it begins, and what was remembered of it: some sessions at a time, the
 * oldest first, so that others write in between and a full disk has room for each step (in that of the ballast). A process
 * that dies half-way has deleted the oldest. Call scrub afterwards.
 * @returns how many rows went
 * @throws DiskFullError when there is not even room for a single session; those that went before it are gone
 */
export async function clearConversations(database: Database): Promise<ClearedRows> {
  const sum = { sessions: 0, turns: 0, events: 0, debriefs: 0, recaps: 0 };
  const write = <T>(body: (transaction: Queryable) => Promise<T>): Promise<T> =>
    despiteFullDisk(database, () => transact(database, body));

  const upTo = await write(async (transaction) => {
    const newest = (await transaction('sessions').max({ ordinal: 'ordinal' }).first()) as { ordinal: number | null };
    sum.recaps = await deleteRecaps(transaction);
    await database.dialect.setIndexAside(transaction);
    return newest.ordinal ?? 0;
  });
  for (let portion = 1; ;) {
    const begun = performance.now();
    let gone: PerSession;
    try {
      gone = await deleteOldest(database, upTo, portion);
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      gone = await despiteFullDisk(database, () => deleteOldest(database, upTo, 1));
    }
    if (gone.sessions === 0) break;
    for (const name of ['sessions', ...TABLES] as const) sum[name] += gone[name];
    portion = nextPortion(portion, performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  while (await write((transaction) => database.dialect.erasePartOfIndex(transaction))) await sleep(PAUSE_MS);
  // A debrief that was being stored meanwhile may have left one.
  sum.recaps += await write(deleteRecaps);
  return sum;
}
