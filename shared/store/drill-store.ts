import { LineCheck, type Drill } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable } from './dialect';

/** How often a moment can be tried again. */
export const TRIES_PER_MOMENT = 3;

const COLUMNS = ['turn_index', 'try', 'text', 'checks', 'created_at'];
const StoredChecks = z.array(LineCheck);

interface StoredDrill {
  turn_index: number;
  try: number;
  text: string | null;
  checks: string;
  created_at: string;
}

const parseDrill = (stored: StoredDrill): Drill => ({
  turn: stored.turn_index,
  try: stored.try,
  text: stored.text,
  checks: StoredChecks.parse(JSON.parse(stored.checks)),
  created_at: stored.created_at,
});

/** Lines that were tried at moments of a session, in the order of the talk and of the tries. */
export async function listDrills(queryable: Queryable, sessionId: string): Promise<Drill[]> {
  const rows = (await queryable('drills')
    .select(COLUMNS)
    .where({ session_id: sessionId })
    .orderBy(['turn_index', 'try'])) as StoredDrill[];
  return rows.map(parseDrill);
}

/** How many lines were tried at a moment. */
export async function countTries(queryable: Queryable, sessionId: string, turn: number): Promise<number> {
  const row = (await queryable('drills')
    .where({ session_id: sessionId, turn_index: turn })
    .count({ count: '*' })
    .first()) as { count: number | string } | undefined;
  return Number(row?.count ?? 0);
}

/** Stores a line that was tried. A try that was stored before rejects: two callers cannot use the same one. */
export async function insertDrill(transaction: Queryable, sessionId: string, drill: Drill): Promise<void> {
  await transaction('drills').insert({
    session_id: sessionId,
    turn_index: drill.turn,
    try: drill.try,
    text: drill.text,
    checks: JSON.stringify(drill.checks),
    created_at: drill.created_at,
  });
}
