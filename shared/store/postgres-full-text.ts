import { z } from 'zod';
import type { Dialect } from './dialect';
import { runText } from './raw-result';
import { snippetOf } from './search-snippet';
import { phrasesOf, wordsOf, type Phrase, type SpokenWord } from './search-words';
import { readRows } from './stored-row';
import { apart, together } from './unspaced-words';

/** What a tsvector takes: later words count as this one, further places of a word are left out. */
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 255;

const CREATE_INDEX = 'create index turn_search_words on turn_search using gin (words)';
const FIND = `select distinct on (session_ordinal) session_ordinal, turn_index, text from turn_search
  where words @@ cast(? as tsquery)`;
const NEWEST_FIRST = 'order by session_ordinal desc, turn_index desc limit ?';

const HITS = {
  table: 'turn_search',
  id: ['session_ordinal', 'turn_index'],
  shape: z.object({ session_ordinal: z.int(), turn_index: z.int(), text: z.string() }),
};

/** Words are letters and digits alone, so that nothing in one ends its quotes. */
const quoted = (word: string): string => `'${word}'`;

/** The words with their places as the text form of a tsvector: the server's own parser, which knows other words, is not asked. */
function vectorOf(words: readonly SpokenWord[]): string {
  const places = new Map<string, number[]>();
  for (const [index, { word }] of words.entries()) {
    const known = places.get(word) ?? [];
    if (known.length < MOST_POSITIONS) known.push(Math.min(index + 1, LAST_POSITION));
    places.set(word, known);
  }
  return Array.from(places, ([word, at]) => `${quoted(word)}:${at.join(',')}`).join(' ');
}

const queryOf = (phrases: readonly Phrase[]): string =>
  phrases.map((phrase) => `(${phrase.map(quoted).join(' <-> ')})`).join(' & ');

/** Full text by a column of type tsvector with a GIN index. */
export const postgresFullText: Pick<
  Dialect,
  'createFullText' | 'indexTurns' | 'forgetTurns' | 'forgetTurn' | 'emptyIndex' | 'searchTurns'
> = {
  async createFullText(transaction) {
    await transaction.knex.schema.createTable('turn_search', (table) => {
      table.bigInteger('session_ordinal').notNullable();
      table.integer('turn_index').notNullable();
      table.text('text').notNullable();
      table.specificType('words', 'tsvector').notNullable();
      table.primary(['session_ordinal', 'turn_index']);
    });
    await transaction.knex.raw(CREATE_INDEX);
  },
  async indexTurns(transaction, sessionOrdinal, turns) {
    if (turns.length === 0) return;
    const rows = turns.flatMap(({ turn_index, text }) => [
      sessionOrdinal,
      turn_index,
      text,
      vectorOf(wordsOf(apart(text))),
    ]);
    const values = turns.map(() => '(?, ?, ?, cast(? as tsvector))').join(', ');
    await runText(
      transaction,
      `insert into turn_search (session_ordinal, turn_index, text, words) values ${values}`,
      rows,
    );
  },
  async forgetTurns(transaction, from, to = from) {
    await transaction.knex('turn_search').whereBetween('session_ordinal', [from, to]).delete();
  },
  async forgetTurn(transaction, sessionOrdinal, turnIndex) {
    await transaction.knex('turn_search').where({ session_ordinal: sessionOrdinal, turn_index: turnIndex }).delete();
  },
  async emptyIndex(transaction) {
    // Gives the files back at once, which deleting row by row would leave to a later vacuum.
    await transaction.knex.raw('truncate table turn_search');
  },
  async searchTurns(queryable, words, before, limit) {
    const phrases = phrasesOf(words);
    if (phrases.length === 0) return [];
    const query = queryOf(phrases);
    const found = await readRows(queryable, HITS, (knex) =>
      before === null
        ? knex.raw(`${FIND} ${NEWEST_FIRST}`, [query, limit])
        : knex.raw(`${FIND} and session_ordinal < ? ${NEWEST_FIRST}`, [query, before, limit]),
    );
    return found.map(({ text, ...hit }) => {
      const spoken = apart(text);
      return { ...hit, snippet: together(snippetOf(spoken, wordsOf(spoken), phrases)) };
    });
  },
};
