import { wordPattern, type NamedPattern } from '../token-text';

/** How a tone sounds in a language, and what sounds like it and is something else. */
export interface TonePattern {
  readonly shows: RegExp;
  /** Where one of these overlaps a find, the find does not count. */
  readonly harmless: RegExp;
  /** What the patterns have a name for, in capitals: long lists then stand in one pattern only. */
  readonly names: readonly NamedPattern[];
}

/**
 * Patterns read tokens with one blank between them, contractions written out (do not, i am). Gaps are bounded, so that
 * matching takes time in proportion to the text.
 */
export const tonePattern = (
  shows: readonly string[],
  harmless: readonly string[],
  names: readonly NamedPattern[] = [],
): TonePattern => ({
  shows: wordPattern(shows.join('|')),
  harmless: wordPattern(harmless.join('|')),
  names,
});

/** One of some words, each a source of a pattern. */
export const oneOf = (list: string): string =>
  `(?:${list
    .trim()
    .split(/,\s+/)
    .map((word) => word.trim())
    .join('|')})`;

/** Up to so many words of the same clause, with the blank behind each. */
export const upTo = (most: number): string => `(?:[^\\s.,;:!?]+ ){0,${most}}?`;

/** Words that only colour the verb or adjective behind them, with the blank behind each. */
export const COLOUR =
  '(?:(?:\\S+ly|so|as|such|very|just|too|quite|even|still|also|ever|now|again|all|always|never|being|kind of|sort of|a bit|at least|at all|once|only|bloody|fucking|damn|much|rather|pretty|that|nothing but|clearly|obviously|absolute|complete|total|utter|real|proper) ){0,4}';

/** The end of a clause. */
export const ENDS = '(?= [.,;:!?…]|$| [.!?…]+)';
