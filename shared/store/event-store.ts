import { REPLAY_CAP, StoredEvent, type NewStoredEvent } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import { answeredRows, inBatches, runText } from './raw-result';
import { decodeCursor, encodeCursor, type Page } from './page-cursor';
import { storedJson } from './stored-json';
import { Flag, readRows } from './stored-row';

const COLUMNS = ['id', 'session_id', 'turn_index', 'kind', 'payload', 'superseded', 'created_at'];

/** Whatever the columns hold goes through the contract. */
const AnyEvent: z.ZodType<StoredEvent> = StoredEvent;

const EVENTS = {
  table: 'events',
  id: ['id'],
  shape: z
    .object({ id: z.int(), payload: storedJson(z.unknown()), superseded: Flag })
    .loose()
    .transform(({ superseded, ...row }): unknown => ({ ...row, ...(superseded ? { superseded: true } : {}) }))
    .pipe(AnyEvent),
};

const Inserted = z.object({ id: z.int() });

/**
 * Inserts events, those of a turn in one statement.
 * @param variant which answer of its turn they belong to.
 * @returns them as stored, in the order given; ids grow in that order
 */
export async function appendEvents(
  transaction: Transaction,
  sessionId: string,
  events: readonly NewStoredEvent[],
  createdAt: string,
  variant = 1,
): Promise<StoredEvent[]> {
  const ids: number[] = [];
  for (const batch of inBatches(events)) {
    const holes = batch.map(() => '(?, ?, ?, ?, ?, 0, ?)').join(', ');
    const values = batch.flatMap((event) => [
      sessionId,
      event.turn_index,
      event.kind,
      JSON.stringify(event.payload),
      variant,
      createdAt,
    ]);
    const result: unknown = await runText(
      transaction,
      `insert into events (session_id, turn_index, kind, payload, variant, superseded, created_at) values ${holes} returning id`,
      values,
    );
    // Ids are given in the order of the values; the order in which they are answered is not promised.
    ids.push(
      ...answeredRows(result)
        .map((row) => Inserted.parse(row).id)
        .sort((a, b) => a - b),
    );
  }
  return events.map(
    (event, index) => ({ ...event, id: ids[index], session_id: sessionId, created_at: createdAt }) as StoredEvent,
  );
}

/**
 * A page of events, oldest first.
 * @throws ServiceError VALIDATION_ERROR for a cursor that no page answered
 */
export async function listEvents(
  queryable: Queryable,
  sessionId: string,
  page: Page,
): Promise<{ events: StoredEvent[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor);
  const rows = await readRows(queryable, EVENTS, (knex) => {
    const query = knex('events').select(COLUMNS).where({ session_id: sessionId });
    if (after !== null) void query.where('id', '>', after);
    return query.orderBy('id').limit(page.limit + 1);
  });
  const events = rows.slice(0, page.limit);
  const last = events.at(-1);
  return { events, next_cursor: rows.length > page.limit && last !== undefined ? encodeCursor(last.id) : null };
}

/** The first events of a session that stand, oldest first: what a client that asks for a replay gets. */
export function firstEvents(queryable: Queryable, sessionId: string, limit = REPLAY_CAP): Promise<StoredEvent[]> {
  return readRows(queryable, EVENTS, (knex) =>
    knex('events').select(COLUMNS).where({ session_id: sessionId, superseded: 0 }).orderBy('id').limit(limit),
  );
}

/** All events of a session, oldest first; those of answers that were put aside are marked. */
export function allEvents(queryable: Queryable, sessionId: string): Promise<StoredEvent[]> {
  return readRows(queryable, EVENTS, (knex) =>
    knex('events').select(COLUMNS).where({ session_id: sessionId }).orderBy('id'),
  );
}

/** All events of a session that stand, oldest first: what happened in the talk as it is now. */
export async function standingEvents(queryable: Queryable, sessionId: string): Promise<StoredEvent[]> {
  return (await allEvents(queryable, sessionId)).filter(({ superseded }) => superseded !== true);
}

/**
 * Events that stand and that turns up to this one wrote, oldest first: what a summary or a fork is made of.
 * @param after that turn only
 */
export function eventsUpToTurn(
  queryable: Queryable,
  sessionId: string,
  turn: number,
  after = -1,
): Promise<StoredEvent[]> {
  return readRows(queryable, EVENTS, (knex) =>
    knex('events')
      .select(COLUMNS)
      .where({ session_id: sessionId, superseded: 0 })
      .where('turn_index', '>', after)
      .where('turn_index', '<=', turn)
      .orderBy('id'),
  );
}

/** What one answer of a turn caused, oldest first, whether it stands or not. */
export function eventsOfVariant(
  queryable: Queryable,
  sessionId: string,
  turn: number,
  variant: number,
): Promise<StoredEvent[]> {
  return readRows(queryable, EVENTS, (knex) =>
    knex('events').select(COLUMNS).where({ session_id: sessionId, turn_index: turn, variant }).orderBy('id'),
  );
}

/** Marks the events of a turn as those of an answer that was put aside. */
export async function supersedeEvents(transaction: Transaction, sessionId: string, turn: number): Promise<void> {
  await transaction.knex('events').where({ session_id: sessionId, turn_index: turn }).update({ superseded: 1 });
}

/** The events with these ids stand again. */
export async function reinstateEvents(
  transaction: Transaction,
  sessionId: string,
  ids: readonly number[],
): Promise<void> {
  await transaction.knex('events').where({ session_id: sessionId }).whereIn('id', ids).update({ superseded: 0 });
}
