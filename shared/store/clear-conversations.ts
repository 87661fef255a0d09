import { DiskFullError } from '@parley/shared/contracts';
import { despiteFullDisk } from './ballast';
import type { Database } from './database';
import { clearAll, deleteSession, type ClearedRows } from './session-store';
import { transact } from './transact';

type PerSession = Pick<ClearedRows, 'turns' | 'events' | 'debriefs'>;
const TABLES = ['turns', 'events', 'debriefs'] as const;

/** Deletes the oldest session and counts what goes with it; null when there is none left. */
function deleteOldest(database: Database): Promise<PerSession | null> {
  return transact(database, async (transaction) => {
    const oldest = (await transaction('sessions').orderBy('ordinal').first('id')) as { id: string } | undefined;
    if (oldest === undefined) return null;
    const counts = { turns: 0, events: 0, debriefs: 0 };
    for (const table of TABLES) {
      const row = (await transaction(table).where({ session_id: oldest.id }).count({ count: '*' }).first()) as { count: number | string }; // prettier-ignore
      counts[table] = Number(row.count);
    }
    await deleteSession(transaction, oldest.id);
    return counts;
  });
}

/**
 * Deletes every conversation and what was remembered of it: at once, which is fast and all or nothing. Overwriting all of
 * it in one transaction takes as much room again; on a full disk it goes one session after the other, in the room of the
 * ballast. Call scrub afterwards.
 * @returns how many rows went
 * @throws DiskFullError when there is not even room for a single session; those that went before it are gone
 */
export async function clearConversations(database: Database): Promise<ClearedRows> {
  try {
    return await transact(database, clearAll);
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error;
  }
  const sum = { sessions: 0, turns: 0, events: 0, debriefs: 0, recaps: 0 };
  for (;;) {
    const gone = await despiteFullDisk(database, () => deleteOldest(database));
    if (gone === null) break;
    sum.sessions += 1;
    for (const table of TABLES) sum[table] += gone[table];
  }
  const rest = await despiteFullDisk(database, () => transact(database, clearAll));
  for (const name of Object.keys(sum) as (keyof ClearedRows)[]) sum[name] += rest[name];
  return sum;
}
