import { sharedTrigrams, spokenSentences, spokenWords } from './spoken-words';

/** What was said before, which a reply must not say again. */
export interface SaidBefore {
  /** The player's last lines. */
  readonly player: readonly string[];
  /** The character's own last lines. */
  readonly npc: readonly string[];
}

export const NOTHING_SAID: SaidBefore = { player: [], npc: [] };

/** From this share of common trigrams on, it is the same again. */
const SAME_AGAIN = 0.6;
/** People do say short things twice, and take up a few words of the other. */
const FEWEST_WORDS = 6;

/**
 * The text without sentences that say again what the player said, or what the character itself said in its last lines.
 * Empty when nothing else is left.
 */
export function withoutCopies(text: string, said: SaidBefore): { text: string; found: boolean } {
  const lines = linesOf(said);
  if (lines.length === 0) return { text, found: false };
  const kept = spokenSentences(text).filter((sentence) => {
    const words = spokenWords(sentence);
    return words.length < FEWEST_WORDS || !lines.some((line) => sharedTrigrams(words, line) > SAME_AGAIN);
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
  const lines = linesOf(said);
  return (begun) => {
    if (lines.length === 0) return false;
    const words = spokenWords(begun);
    return words.length < FIRST_WORDS
      ? lines.some((line) => words.some((word) => line.includes(word)))
      : lines.some((line) => sharedTrigrams(words, line) > HARDLY_SHARED);
  };
}

const linesOf = (said: SaidBefore): string[][] =>
  [...said.player, ...said.npc].map(spokenWords).filter((words) => words.length >= FEWEST_WORDS);
