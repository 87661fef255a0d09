import { Recap } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Database } from './database';
import type { Queryable, Transaction } from './dialect';
import { storedJson } from './stored-json';
import { readRow, readSoundRows } from './stored-row';

const RECAPS = {
  table: 'recaps',
  id: ['npc_id', 'pack_id'],
  shape: z.object({ document: storedJson(Recap) }).transform(({ document }) => document),
};

/** All recaps that can be read, the latest first. */
export const listRecaps = (database: Database): Promise<Recap[]> =>
  readSoundRows(database, RECAPS, (knex) =>
    knex('recaps').select('npc_id', 'pack_id', 'document').orderBy('updated_at', 'desc'),
  );

/** A turn asks for it, so as text: building the statement costs more than running it. */
const FIND_RECAP = 'select npc_id, pack_id, document from recaps where npc_id = ? and pack_id = ?';

export const findRecap = (queryable: Queryable, npcId: string, packId: string): Promise<Recap | null> =>
  readRow(queryable, RECAPS, (knex) => knex.raw(FIND_RECAP, [npcId, packId]));

/** Stores the recap of a character and pack in place of the one before. */
export async function saveRecap(transaction: Transaction, recap: Recap, now: string): Promise<void> {
  await transaction
    .knex('recaps')
    .insert({ npc_id: recap.npc_id, pack_id: recap.pack_id, document: JSON.stringify(recap), updated_at: now })
    .onConflict(['npc_id', 'pack_id'])
    .merge();
}

/** False when there is none. */
export async function deleteRecap(transaction: Transaction, npcId: string, packId: string): Promise<boolean> {
  return (await transaction.knex('recaps').where({ npc_id: npcId, pack_id: packId }).delete()) === 1;
}

/** @returns how many went */
export async function deleteRecaps(transaction: Transaction): Promise<number> {
  return transaction.knex('recaps').delete();
}
