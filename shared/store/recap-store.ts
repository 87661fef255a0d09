import type { Recap } from '@parley/shared/contracts';
import type { Queryable } from './dialect';
import { answeredRows, runText } from './raw-result';

const parseRecap = (row: { document: string }): Recap => JSON.parse(row.document) as Recap;

/** All recaps, the latest first. */
export async function listRecaps(queryable: Queryable): Promise<Recap[]> {
  const rows = (await queryable('recaps').select('document').orderBy('updated_at', 'desc')) as { document: string }[];
  return rows.map(parseRecap);
}

/** A turn asks for it, so as text: building the statement costs more than running it. */
const FIND_RECAP = 'select document from recaps where npc_id = ? and pack_id = ?';

export async function findRecap(queryable: Queryable, npcId: string, packId: string): Promise<Recap | null> {
  const [row] = answeredRows<{ document: string }>(await runText(queryable, FIND_RECAP, [npcId, packId]));
  return row === undefined ? null : parseRecap(row);
}

/** Stores the recap of a character and pack in place of the one before. */
export async function saveRecap(transaction: Queryable, recap: Recap, now: string): Promise<void> {
  await transaction('recaps')
    .insert({ npc_id: recap.npc_id, pack_id: recap.pack_id, document: JSON.stringify(recap), updated_at: now })
    .onConflict(['npc_id', 'pack_id'])
    .merge();
}

/** False when there is none. */
export async function deleteRecap(queryable: Queryable, npcId: string, packId: string): Promise<boolean> {
  return (await queryable('recaps').where({ npc_id: npcId, pack_id: packId }).delete()) === 1;
}

/** @returns how many went */
export async function deleteRecaps(queryable: Queryable): Promise<number> {
  return queryable('recaps').delete();
}
