import type { FlowState } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { changedRows, runText } from './raw-result';
import { SESSIONS, type NewSession, type SessionRow } from './session-row';
import { read, readCount, readRow, readRows } from './stored-row';

/** Flow states of a session that is still to be played: its pack cannot be removed. */
const ACTIVE: readonly FlowState[] = ['NotStarted', 'PlayerTurnListening'];

const ORDINAL = { table: 'sessions', id: ['id'], shape: z.object({ ordinal: z.int() }) };

export async function insertSession(transaction: Transaction, session: NewSession): Promise<SessionRow> {
  const inserted = await transaction
    .knex('sessions')
    .insert({
      ...session,
      state_vars: JSON.stringify(session.state_vars),
      flags: JSON.stringify(session.flags),
      engine_state: JSON.stringify(session.engine_state),
      transcript_saved: session.transcript_saved ? 1 : 0,
      coaching: session.coaching ? 1 : 0,
      version: 1,
      seq_reserved: 0,
      overall_score: null,
      self_ratings: null,
    })
    .returning('ordinal');
  const { ordinal } = z.object({ ordinal: z.int() }).parse(inserted[0]);
  return { ...session, ordinal, version: 1, seq_reserved: 0, overall_score: null, self_ratings: null };
}

export const findSession = (queryable: Queryable, id: string): Promise<SessionRow | null> =>
  readRow(queryable, SESSIONS, (knex) => knex.raw('select * from sessions where id = ?', [id]));

const saveStatement = (
  flow: string,
): string => `update sessions set ${flow} state_vars = ?, flags = ?, engine_state = ?,
  turn_count = ?, player_turn_count = ?, seq_reserved = case when seq_reserved > ? then seq_reserved else ? end, version = ?
  where id = ? and version = ?`;
const SAVE_SESSION = saveStatement(
  'flow_state = ?, ending_type = ?, ending_id = ?, attempt = ?, started_at = ?, ended_at = ?,',
);
/** Most turns change nothing of these. To name them, even unchanged, costs four indexes a write each. */
const SAVE_PLAY = saveStatement('');

/**
 * Writes what play changes (variables, flags, engine state, counts; state, ending, attempt and times, too, unless the row was and is
 * being played), if the session still is at the version `before`; the stored version is then one more. The first
 * statement of a turn's transaction: when it answers false somebody was faster (end, delete, another process) and nothing
 * else may be written. `seq_reserved` never goes down.
 */
export async function saveSession(
  transaction: Transaction,
  row: SessionRow,
  before: Pick<SessionRow, 'version' | 'flow_state'>,
): Promise<boolean> {
  // Another answer may end an ended session in another way.
  const playsOn = row.flow_state === 'PlayerTurnListening' && row.flow_state === before.flow_state;
  const flow = [row.flow_state, row.ending_type, row.ending_id, row.attempt, row.started_at, row.ended_at];
  const result: unknown = await runText(transaction, playsOn ? SAVE_PLAY : SAVE_SESSION, [
    ...(playsOn ? [] : flow),
    JSON.stringify(row.state_vars),
    JSON.stringify(row.flags),
    JSON.stringify(row.engine_state),
    row.turn_count,
    row.player_turn_count,
    row.seq_reserved,
    row.seq_reserved,
    before.version + 1,
    row.id,
    before.version,
  ]);
  return changedRows(result) === 1;
}

/** Reserves message numbers up to `upTo`, whatever else is going on with the session; never goes down. */
export async function reserveSequence(transaction: Transaction, id: string, upTo: number): Promise<boolean> {
  const changed = await transaction
    .knex('sessions')
    .where({ id })
    .where('seq_reserved', '<', upTo)
    .update({ seq_reserved: upTo });
  return changed === 1;
}

/**
 * Stores the player's own ratings; false when there is no such session. They change nothing of the talk, so its version
 * stays: whatever is under way in it goes on.
 */
export async function saveSelfRatings(
  transaction: Transaction,
  id: string,
  ratings: Readonly<Record<string, number>>,
): Promise<boolean> {
  const changed = await transaction
    .knex('sessions')
    .where({ id })
    .update({ self_ratings: JSON.stringify(ratings) });
  return changed === 1;
}

/**
 * DebriefGenerating → DebriefReady with the score. False when the session is gone or in another state: then there is
 * nothing to store.
 */
export async function markDebriefReady(transaction: Transaction, id: string, overallScore: number): Promise<boolean> {
  const changed = await transaction
    .knex('sessions')
    .where({ id, flow_state: 'DebriefGenerating' })
    .update({ flow_state: 'DebriefReady', overall_score: overallScore, version: transaction.knex.raw('version + 1') });
  return changed === 1;
}

/** A session that its player left before this turn of theirs was not finished: it spends nothing. */
export const FINISHED_FROM_LINE = 3;

/**
 * Whether another session of the scenario at this difficulty was finished: it ended, otherwise than by the player before
 * the third line.
 * @param except id of the session that asks
 */
export async function hasFinishedSession(
  queryable: Queryable,
  of: Pick<SessionRow, 'scenario_id' | 'difficulty'>,
  except?: string,
): Promise<boolean> {
  const found = await read(queryable, (knex) => {
    const query = knex('sessions')
      .where({ scenario_id: of.scenario_id, difficulty: of.difficulty })
      .whereNotNull('ending_type')
      .where((finished) =>
        finished.whereNot({ ending_type: 'player_exit' }).orWhere('player_turn_count', '>=', FINISHED_FROM_LINE),
      );
    if (except !== undefined) void query.whereNot({ id: except });
    return query.select('ordinal').limit(1);
  });
  return found.length > 0;
}

/** How many sessions are stored. */
export const countSessions = (queryable: Queryable): Promise<number> =>
  readCount(queryable, (knex) => knex('sessions').count({ count: '*' }));

/** How many sessions of the pack are neither ended nor deleted. */
export async function countActiveSessions(queryable: Queryable, packId: string): Promise<number> {
  return readCount(queryable, (knex) =>
    knex('sessions')
      .where({ pack_id: packId })
      .whereIn('flow_state', [...ACTIVE])
      .count({ count: '*' }),
  );
}

const IDS = { table: 'sessions', id: ['id'], shape: z.object({ id: z.string() }) };

/** Ids of all sessions, in no order. */
export const sessionIds = async (queryable: Queryable): Promise<string[]> =>
  (await readRows(queryable, IDS, (knex) => knex('sessions').select('id'))).map(({ id }) => id);

/** Ids of the sessions whose debrief is being made. @param among only these are looked at; all when left out */
export async function sessionsInDebrief(queryable: Queryable, among?: readonly string[]): Promise<string[]> {
  const rows = await readRows(queryable, IDS, (knex) => {
    const query = knex('sessions').where({ flow_state: 'DebriefGenerating' }).select('id');
    return among === undefined ? query : query.whereIn('id', [...among]);
  });
  return rows.map(({ id }) => id);
}

const PACK_VERSIONS = {
  table: 'sessions',
  id: ['scenario_id'],
  shape: z.object({ scenario_id: z.string(), version: z.int() }),
};

/** Versions of the pack's scenarios that any session began with. */
export const listPackVersions = (
  queryable: Queryable,
  packId: string,
): Promise<{ scenario_id: string; version: number }[]> =>
  readRows(queryable, PACK_VERSIONS, (knex) =>
    knex('sessions').where({ pack_id: packId }).distinct('scenario_id', 'scenario_version as version'),
  );

/**
 * Deletes the session with its turns, events, keys, debrief, jobs and full-text rows. Call scrubDeleted after the commit.
 * @returns false when there is no such session
 */
export async function deleteSession(transaction: Transaction, id: string): Promise<boolean> {
  const found = await readRow(transaction, ORDINAL, (knex) => knex('sessions').where({ id }).select('id', 'ordinal'));
  if (found === null) return false;
  await transaction.dialect.forgetTurns(transaction, found.ordinal);
  await transaction.knex('sessions').where({ id }).delete();
  return true;
}
