import { sharedTrigrams, spokenSentences, spokenWords, trigramsOf } from './spoken-words';

interface SaidLine {
  readonly words: readonly string[];
  readonly trigrams: ReadonlySet<string>;
}

/** The last lines of both, which a reply must not say again, taken apart once: a reply is looked at after each of its words. */
export type SaidBefore = readonly SaidLine[];

export const NOTHING_SAID: SaidBefore = [];

/** From this share of common trigrams on, it is the same again. */
const SAME_AGAIN = 0.6;
/** People do say short things twice, and take up a few words of the other. */
const FEWEST_WORDS = 6;

/** @param lines of the player and of the character, in any order */
export const saidLines = (lines: readonly string[]): SaidBefore =>
  lines
    .map(spokenWords)
    .filter((words) => words.length >= FEWEST_WORDS)
    .map((words) => ({ words, trigrams: trigramsOf(words) }));

/**
 * The text without sentences that say again what the player said, or what the character itself said in its last lines.
 * Empty when nothing else is left.
 */
export function withoutCopies(text: string, said: SaidBefore): { text: string; found: boolean } {
  if (said.length === 0) return { text, found: false };
  const kept = spokenSentences(text).filter((sentence) => {
    const words = spokenWords(sentence);
    return words.length < FEWEST_WORDS || !said.some((line) => sharedTrigrams(words, line.trigrams) > SAME_AGAIN);
  });
  const rest = kept.join('').trim();
  if (rest === text.trim()) return { text, found: false };
  // A word or two that are left of a repetition are no answer.
  return { text: spokenWords(rest).length < 2 ? '' : rest, found: true };
}

/** Up to this share, after the first words, a sentence is taken for a new one. */
const HARDLY_SHARED = 0.3;
const FIRST_WORDS = 4;

/** Tells of the beginning of a sentence whether it may become one that was said. */
export function copyRisk(said: SaidBefore): (begun: string) => boolean {
  return (begun) => {
    if (said.length === 0) return false;
    const words = spokenWords(begun);
    return words.length < FIRST_WORDS
      ? said.some((line) => words.some((word) => line.words.includes(word)))
      : said.some((line) => sharedTrigrams(words, line.trigrams) > HARDLY_SHARED);
  };
}
