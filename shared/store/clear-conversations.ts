import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFullError } from '@parley/shared/contracts';
import { z } from 'zod';
import { retryWithoutBallast } from './ballast';
import { scrub, type Database } from './database';
import { DatabaseBusyError } from './database-errors';
import type { Queryable, Transaction } from './dialect';
import { deleteRecaps } from './recap-store';
import type { SessionRow } from './session-row';
import { storedJson } from './stored-json';
import { read, readCount, readRow, readRows } from './stored-row';

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

/** Row of the settings table: a clear that has begun and is not finished, and the last session that belongs to it. */
const CLEARING = 'clearing';
const OLDEST = { table: 'sessions', id: ['id'], shape: z.object({ id: z.string(), ordinal: z.int() }) };
const NEWEST = { table: 'sessions', id: [], shape: z.object({ ordinal: z.int().nullable() }) };
const StoredClearing = storedJson(z.object({ up_to: z.int() }));

/** Deletes the oldest sessions up to an ordinal, and counts what goes with them. */
function deleteOldest(database: Database, upTo: number, portion: number): Promise<PerSession> {
  return database.write(async (transaction) => {
    const oldest = await readRows(transaction, OLDEST, (knex) =>
      knex('sessions').where('ordinal', '<=', upTo).orderBy('ordinal').limit(portion).select('id', 'ordinal'),
    );
    const gone = { sessions: oldest.length, turns: 0, events: 0, debriefs: 0 };
    const [first, last] = [oldest[0], oldest.at(-1)];
    if (first === undefined || last === undefined) return gone;
    const ids = oldest.map(({ id }) => id);
    for (const table of TABLES) {
      gone[table] = await readCount(transaction, (knex) =>
        knex(table).whereIn('session_id', ids).count({ count: '*' }),
      );
    }
    // What was said in them since the clear began.
    await database.dialect.forgetTurns(transaction, first.ordinal, last.ordinal);
    await transaction.knex('sessions').whereIn('id', ids).delete();
    return gone;
  });
}

/** As many in one transaction as take about the wanted time, judged by the last one. */
const nextPortion = (portion: number, tookMs: number): number =>
  Math.max(1, Math.min(LARGEST_PORTION, portion * 2, Math.floor((portion * PORTION_MS) / Math.max(1, tookMs))));

const write = <T>(database: Database, body: (transaction: Transaction) => Promise<T>): Promise<T> =>
  retryWithoutBallast(database, () => database.write(body));

/** Notes the clear, so that it is finished even if this process is not there to do it, and empties the search. */
function begin(database: Database): Promise<{ upTo: number; recaps: number }> {
  return write(database, async (transaction) => {
    const newest = await readRow(transaction, NEWEST, (knex) => knex('sessions').max({ ordinal: 'ordinal' }));
    const upTo = newest?.ordinal ?? 0;
    await transaction
      .knex('settings')
      .insert({ key: CLEARING, value: JSON.stringify({ up_to: upTo }) })
      .onConflict('key')
      .merge();
    await database.dialect.emptyIndex(transaction);
    return { upTo, recaps: await deleteRecaps(transaction) };
  });
}

async function deleteAll(database: Database, upTo: number): Promise<ClearedRows> {
  const sum = { sessions: 0, turns: 0, events: 0, debriefs: 0, recaps: 0 };
  for (let portion = 1; ;) {
    const begun = performance.now();
    let gone: PerSession;
    try {
      gone = await deleteOldest(database, upTo, portion);
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw error;
      gone = await retryWithoutBallast(database, () => deleteOldest(database, upTo, 1));
    }
    if (gone.sessions === 0) break;
    for (const name of ['sessions', ...TABLES] as const) sum[name] += gone[name];
    portion = nextPortion(portion, performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  // A debrief that was being stored meanwhile may have left one.
  sum.recaps += await write(database, deleteRecaps);
  return sum;
}

/**
 * Deletes every conversation that there is when it begins, and what was remembered of it: some sessions at a time, the
 * oldest first, so that others write in between and a full disk has room for each step (in that of the ballast). Call
 * scrubCleared afterwards. What a process that dies half-way leaves is deleted by finishClearing.
 * @returns how many rows went
 * @throws DiskFullError when there is not even room for a single session; those that went before it are gone
 */
export async function clearConversations(database: Database): Promise<ClearedRows> {
  const { upTo, recaps } = await begin(database);
  const gone = await deleteAll(database, upTo);
  return { ...gone, recaps: gone.recaps + recaps };
}

/**
 * After clearConversations: nothing of what was deleted is in the files any more, and the clear is finished.
 * @throws DatabaseBusyError when another process held the lock throughout; the next start scrubs again
 */
export async function scrubCleared(database: Database): Promise<void> {
  await retryWithoutBallast(database, () => scrub(database));
  await write(database, async (transaction) => {
    const upTo = await clearingUpTo(transaction);
    // Another one may have begun since, and is still deleting.
    const left =
      upTo === null ? undefined : await transaction.knex('sessions').where('ordinal', '<=', upTo).first('ordinal');
    if (left === undefined) await transaction.knex('settings').where({ key: CLEARING }).delete();
  });
}

/** Whether a clear that has begun and is not finished will delete this session: nothing of it may be copied any more. */
export async function isBeingCleared(queryable: Queryable, { ordinal }: Pick<SessionRow, 'ordinal'>): Promise<boolean> {
  const upTo = await clearingUpTo(queryable);
  return upTo !== null && ordinal <= upTo;
}

/** Null while none is under way. A damaged note counts as a clear of nothing but what is left behind in free pages. */
async function clearingUpTo(queryable: Queryable): Promise<number | null> {
  const [row] = await read(queryable, (knex) => knex('settings').where({ key: CLEARING }).select('value'));
  if (row === undefined) return null;
  const note = z.object({ value: StoredClearing }).safeParse(row);
  return note.success ? note.data.value.up_to : 0;
}

/**
 * Finishes a clear that another process began and did not live to finish; to be called before anything is served.
 * @returns whether there was one
 * @throws DiskFullError when there is not even room for deleting
 */
export async function finishClearing(database: Database): Promise<boolean> {
  const upTo = await clearingUpTo(database);
  if (upTo === null) return false;
  const { sessions } = await deleteAll(database, upTo);
  try {
    await scrubCleared(database);
  } catch (error) {
    if (!(error instanceof DatabaseBusyError)) throw error;
    database.logger?.warn({ sessions }, 'the database was busy; what was cleared is overwritten at the next start');
    return true;
  }
  database.logger?.info({ sessions }, 'a clear that had been interrupted was finished');
  return true;
}
