import { setImmediate as nextTick } from 'node:timers/promises';
import type { FlowState } from '@parley/shared/contracts';
import type { Knex } from 'knex';
import { z } from 'zod';
import type { Database } from './database';
import type { TurnHit } from './dialect';
import { decodeCursor, encodeCursor, type Page } from './page-cursor';
import { SESSIONS, type SessionRow } from './session-row';
import { parseRow, parseSound, read, readSoundRows } from './stored-row';

/** A page of a filtered search is given up after so many steps; other requests get their turn every few of them. */
const SKIPS_PER_PAGE = 1000;
const SKIPS_AT_ONCE = 50;

interface SessionFilter {
  readonly scenario_id?: string | undefined;
  readonly flow_state?: FlowState | undefined;
}

export interface SessionQuery extends SessionFilter, Page {
  /** Plain words: sessions with a turn that holds all of them. Blank: no search. */
  readonly q?: string | undefined;
}

export interface SessionPage {
  readonly rows: readonly (SessionRow & { readonly snippet?: string })[];
  readonly next_cursor: string | null;
}

function filtered(knex: Knex, filter: SessionFilter) {
  const query = knex('sessions').select('*');
  if (filter.scenario_id !== undefined) void query.where({ scenario_id: filter.scenario_id });
  if (filter.flow_state !== undefined) void query.where({ flow_state: filter.flow_state });
  return query;
}

const ORDINAL = { table: 'sessions', id: ['id'], shape: z.object({ ordinal: z.int() }) };
const ordinalOf = (row: unknown): number => parseRow(ORDINAL, row).ordinal;

/**
 * @param found ordinals of all that was found, one more than the page holds when there is a next one: the page ends where they
 *   end, also when a row of it cannot be read
 */
function pageOf(rows: SessionPage['rows'], found: readonly number[], limit: number): SessionPage {
  const last = found[limit - 1];
  return { rows, next_cursor: found.length > limit && last !== undefined ? encodeCursor(last) : null };
}

async function rowsOfHits(database: Database, hits: readonly TurnHit[]) {
  if (hits.length === 0) return [];
  const ordinals = hits.map((hit) => hit.session_ordinal);
  const stored = await readSoundRows(database, SESSIONS, (knex) =>
    knex('sessions').whereIn('ordinal', ordinals).select('*'),
  );
  const byOrdinal = new Map(stored.map((row) => [row.ordinal, row]));
  return hits.flatMap((hit) => {
    const row = byOrdinal.get(hit.session_ordinal);
    return row === undefined ? [] : [{ ...row, snippet: hit.snippet }];
  });
}

/** Walks the hits newest first, so a common word costs no more than a rare one: it stops when the page is full. */
async function searchSessions(database: Database, words: string, page: Page): Promise<SessionPage> {
  const before = decodeCursor(page.cursor);
  const hits = await database.dialect.searchTurns(database, words, before, page.limit + 1);
  const rows = await rowsOfHits(database, hits.slice(0, page.limit));
  return pageOf(
    rows,
    hits.map((hit) => hit.session_ordinal),
    page.limit,
  );
}

/**
 * Sessions that fit the filter and sessions that hold the words both come newest first: each is skipped to where the
 * other one is, so a rare filter makes a common word cheap and the other way round. Where both are common and hardly
 * ever meet, the page ends early with a cursor to go on from.
 */
async function searchFiltered(database: Database, words: string, query: SessionQuery): Promise<SessionPage> {
  const rows: (SessionRow & { snippet: string })[] = [];
  const found: number[] = [];
  const page = (): SessionPage => pageOf(rows, found, query.limit);
  let before = decodeCursor(query.cursor);
  for (let skips = 0; skips < SKIPS_PER_PAGE; skips += 1) {
    const from = before;
    const [stored] = await read(database, (knex) => {
      const select = filtered(knex, query);
      if (from !== null) void select.where('ordinal', '<', from);
      return select.orderBy('ordinal', 'desc').limit(1);
    });
    if (stored === undefined) return page();
    const ordinal = ordinalOf(stored);
    const [hit] = await database.dialect.searchTurns(database, words, ordinal + 1, 1);
    if (hit === undefined) return page();
    if (hit.session_ordinal === ordinal) {
      found.push(ordinal);
      if (found.length > query.limit) return page();
      const row = parseSound(database, SESSIONS, stored);
      if (row !== null) rows.push({ ...row, snippet: hit.snippet });
      before = ordinal;
    } else {
      before = hit.session_ordinal + 1;
    }
    if (skips % SKIPS_AT_ONCE === SKIPS_AT_ONCE - 1) await nextTick();
  }
  return { rows, next_cursor: encodeCursor(before as number) };
}

/**
 * A page of sessions, newest first, each with a snippet when words are searched for. One that cannot be read is left out,
 * and named in the log.
 * @throws ServiceError VALIDATION_ERROR for a cursor that no page answered
 */
export async function listSessions(database: Database, query: SessionQuery): Promise<SessionPage> {
  const words = query.q?.trim() ?? '';
  if (words !== '') {
    const isFiltered = query.scenario_id !== undefined || query.flow_state !== undefined;
    return isFiltered ? searchFiltered(database, words, query) : searchSessions(database, words, query);
  }
  const before = decodeCursor(query.cursor);
  const stored = await read(database, (knex) => {
    const select = filtered(knex, query);
    if (before !== null) void select.where('ordinal', '<', before);
    return select.orderBy('ordinal', 'desc').limit(query.limit + 1);
  });
  const rows = stored.slice(0, query.limit).map((row) => parseSound(database, SESSIONS, row));
  return pageOf(
    rows.filter((row) => row !== null),
    stored.map(ordinalOf),
    query.limit,
  );
}
