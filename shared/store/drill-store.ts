import { LineCheck, type Drill } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { storedJson } from './stored-json';
import { readCount, readRows } from './stored-row';

/** How often a moment can be tried again. */
export const TRIES_PER_MOMENT = 3;

const COLUMNS = ['session_id', 'turn_index', 'try', 'text', 'checks', 'created_at'];

const DRILLS = {
  table: 'drills',
  id: ['session_id', 'turn_index', 'try'],
  shape: z
    .object({
      turn_index: z.int(),
      try: z.int(),
      text: z.string().nullable(),
      checks: storedJson(z.array(LineCheck)),
      created_at: z.string(),
    })
    .transform(({ turn_index, ...drill }): Drill => ({ turn: turn_index, ...drill })),
};

/** Lines that were tried at moments of a session, in the order of the talk and of the tries. */
export const listDrills = (queryable: Queryable, sessionId: string): Promise<Drill[]> =>
  readRows(queryable, DRILLS, (knex) =>
    knex('drills').select(COLUMNS).where({ session_id: sessionId }).orderBy(['turn_index', 'try']),
  );

/** How many lines were tried at a moment. */
export const countTries = (queryable: Queryable, sessionId: string, turn: number): Promise<number> =>
  readCount(queryable, (knex) =>
    knex('drills').where({ session_id: sessionId, turn_index: turn }).count({ count: '*' }),
  );

/** Stores a line that was tried. A try that was stored before rejects: two callers cannot use the same one. */
export async function insertDrill(transaction: Transaction, sessionId: string, drill: Drill): Promise<void> {
  await transaction.knex('drills').insert({
    session_id: sessionId,
    turn_index: drill.turn,
    try: drill.try,
    text: drill.text,
    checks: JSON.stringify(drill.checks),
    created_at: drill.created_at,
  });
}
