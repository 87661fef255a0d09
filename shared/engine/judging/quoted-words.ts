import type { TextSpan } from '@parley/shared/contracts';

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A verdict of the model needs a quotation of at least so many words. */
const MIN_QUOTED_WORDS = 3;

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)].map((match) => ({
    word: match[0].normalize('NFKC').toLowerCase().replaceAll('’', "'"),
    start: match.index,
    end: match.index + match[0].length,
  }));

/**
 * Where the words of a quotation stand in a text, one after the other, whatever the case, the spacing and the marks
 * between them; null when they do not, or when they are fewer than three. Linear but for repeated words.
 */
export function findQuoted(text: string, quotation: string): TextSpan | null {
  const wanted = wordsOf(quotation);
  if (wanted.length < MIN_QUOTED_WORDS) return null;
  const words = wordsOf(text);
  for (let from = 0; from + wanted.length <= words.length; from += 1) {
    if (!wanted.every((one, place) => words[from + place]?.word === one.word)) continue;
    const [first, last] = [words[from], words[from + wanted.length - 1]];
    if (first !== undefined && last !== undefined) return { start: first.start, end: last.end };
  }
  return null;
}
