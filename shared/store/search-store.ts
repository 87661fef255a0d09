import { setImmediate as nextTick } from 'node:timers/promises';
import type { FlowState } from '@parley/shared/contracts';
import { dialectOf, type Queryable, type TurnHit } from './dialect';
import { decodeCursor, encodeCursor, type Page } from './page-cursor';
import { parseSession, type SessionRow, type StoredSession } from './session-row';

export interface SessionFilter {
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

function filtered(queryable: Queryable, filter: SessionFilter) {
  const query = queryable('sessions').select('*');
  if (filter.scenario_id !== undefined) void query.where({ scenario_id: filter.scenario_id });
  if (filter.flow_state !== undefined) void query.where({ flow_state: filter.flow_state });
  return query;
}

function pageOf(rows: (SessionRow & { snippet?: string })[], limit: number): SessionPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next_cursor: rows.length > limit && last !== undefined ? encodeCursor(last.ordinal) : null };
}

async function rowsOfHits(queryable: Queryable, hits: readonly TurnHit[], filter: SessionFilter) {
  const ordinals = hits.map((hit) => hit.session_ordinal);
  const stored = (await filtered(queryable, filter).whereIn('ordinal', ordinals)) as StoredSession[];
  const byOrdinal = new Map(stored.map((row) => [row.ordinal, row]));
  return hits.flatMap((hit) => {
    const row = byOrdinal.get(hit.session_ordinal);
    return row === undefined ? [] : [{ ...parseSession(row), snippet: hit.snippet }];
  });
}

/** Walks the hits newest first, so a common word costs no more than a rare one: it stops when the page is full. */
async function searchSessions(queryable: Queryable, words: string, query: SessionQuery): Promise<SessionPage> {
  const found: (SessionRow & { snippet: string })[] = [];
  const wanted = query.limit + 1;
  let before = decodeCursor(query.cursor);
  while (found.length < wanted) {
    const hits = await dialectOf(queryable).searchTurns(queryable, words, before, wanted);
    if (hits.length > 0) found.push(...(await rowsOfHits(queryable, hits, query)));
    if (hits.length < wanted) break;
    before = (hits.at(-1) as TurnHit).session_ordinal;
    await nextTick();
  }
  return pageOf(found, query.limit);
}

/**
 * A page of sessions, newest first, each with a snippet when words are searched for.
 * @throws ServiceError VALIDATION_ERROR for a cursor that no page answered
 */
export async function listSessions(queryable: Queryable, query: SessionQuery): Promise<SessionPage> {
  const words = query.q?.trim() ?? '';
  if (words !== '') return searchSessions(queryable, words, query);
  const before = decodeCursor(query.cursor);
  const select = filtered(queryable, query);
  if (before !== null) void select.where('ordinal', '<', before);
  const stored = (await select.orderBy('ordinal', 'desc').limit(query.limit + 1)) as StoredSession[];
  return pageOf(stored.map(parseSession), query.limit);
}
