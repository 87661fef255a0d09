import type { Dialect, Transaction, TurnHit, TurnText } from './dialect';
import { z } from 'zod';
import { runText } from './raw-result';
import { readRow } from './stored-row';
import { apart, together } from './unspaced-words';

/** Full-text row ids sort by session, then by turn: newest-first search walks them backwards and stops early. */
const TURNS_PER_SESSION = 65536;

/** `hello "world` → `"hello" """world"`: each word is a phrase, so nothing in it is an operator. */
function matchExpression(words: string): string | null {
  const phrases = words
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word))
    .map((word) => `"${apart(word).replaceAll('"', '""')}"`);
  return phrases.length === 0 ? null : [...new Set(phrases)].join(' ');
}

const CREATE_FULL_TEXT =
  "create virtual table turn_search using fts5(text, tokenize = 'unicode61 remove_diacritics 2')";
const FULL_TEXT_SECURE_DELETE = "insert into turn_search(turn_search, rank) values ('secure-delete', 1)";
const NEXT_HIT = `select rowid as row, snippet(turn_search, 0, '', '', '…', 24) as snippet from turn_search
  where turn_search match ? and rowid < ? order by rowid desc limit 1`;

const HITS = { table: 'turn_search', id: ['row'], shape: z.object({ row: z.int(), snippet: z.string() }) };

const createFullText = async (transaction: Transaction): Promise<void> => {
  await transaction.knex.raw(CREATE_FULL_TEXT);
  // Without it deleted words stay readable in the index until its segments happen to be merged.
  await transaction.knex.raw(FULL_TEXT_SECURE_DELETE);
};

/** Full text by FTS5. */
export const fullText: Pick<
  Dialect,
  'createFullText' | 'indexTurns' | 'forgetTurns' | 'forgetTurn' | 'emptyIndex' | 'searchTurns'
> = {
  createFullText,
  async indexTurns(transaction, sessionOrdinal, turns) {
    if (turns.length === 0) return;
    const rows = turns.flatMap((turn: TurnText) => [
      sessionOrdinal * TURNS_PER_SESSION + turn.turn_index,
      apart(turn.text),
    ]);
    const values = turns.map(() => '(?, ?)').join(', ');
    await runText(transaction, `insert into turn_search(rowid, text) values ${values}`, rows);
  },
  async forgetTurns(transaction, from, to = from) {
    await transaction.knex.raw('delete from turn_search where rowid >= ? and rowid < ?', [
      from * TURNS_PER_SESSION,
      (to + 1) * TURNS_PER_SESSION,
    ]);
  },
  async forgetTurn(transaction, sessionOrdinal, turnIndex) {
    await transaction.knex.raw('delete from turn_search where rowid = ?', [
      sessionOrdinal * TURNS_PER_SESSION + turnIndex,
    ]);
  },
  async emptyIndex(transaction) {
    // Row by row it would take minutes, and overwritten at once it would need its size again in the log.
    await transaction.knex.raw('pragma secure_delete = fast');
    try {
      await transaction.knex.raw('drop table turn_search');
    } finally {
      await transaction.knex.raw('pragma secure_delete = on');
    }
    await createFullText(transaction);
  },
  async searchTurns(queryable, words, before, limit) {
    const match = matchExpression(words);
    if (match === null) return [];
    const hits: TurnHit[] = [];
    let end = before === null ? Number.MAX_SAFE_INTEGER : before * TURNS_PER_SESSION;
    while (hits.length < limit) {
      const from = end;
      const hit = await readRow(queryable, HITS, (knex) => knex.raw(NEXT_HIT, [match, from]));
      if (hit === null) break;
      const session_ordinal = Math.floor(hit.row / TURNS_PER_SESSION);
      hits.push({ session_ordinal, turn_index: hit.row % TURNS_PER_SESSION, snippet: together(hit.snippet) });
      end = session_ordinal * TURNS_PER_SESSION;
    }
    return hits;
  },
};
