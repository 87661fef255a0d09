import { apart } from './unspaced-words';

/**
 * Words of a text as FTS5 takes them with `unicode61 remove_diacritics 2`, for a database system whose own full text has
 * other words: letters and digits in a row, without case, and Latin letters without diacritics.
 */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\u0300-\u036f]*/gu;
const LATIN_WITH_DIACRITICS = /([A-Za-z])[\u0300-\u036f]+/g;
/** An index has no room for more of one word. */
const LONGEST_WORD = 200;

export interface SpokenWord {
  /** As it is searched for. */
  readonly word: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(LATIN_WITH_DIACRITICS, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .slice(0, LONGEST_WORD)
    // Half of a character is none.
    .toWellFormed();

/** @param text as `apart` answers it. */
export const wordsOf = (text: string): SpokenWord[] =>
  Array.from(text.matchAll(WORD), (match) => ({
    word: folded(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }));

/** A part of a search between spaces: its words must follow one another. */
export type Phrase = readonly string[];

/** What somebody searches for: all of these must be there. Empty when there is no word in it. */
export function phrasesOf(words: string): Phrase[] {
  const parts = new Set(words.split(/[\s\p{Cc}]+/u).filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word)));
  return Array.from(parts, (part) => wordsOf(apart(part)).map(({ word }) => word)).filter(({ length }) => length > 0);
}
