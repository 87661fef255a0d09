import type { Phrase, SpokenWord } from './search-words';

/** Words of a snippet. */
const LENGTH = 24;
/** What the first hit of a phrase counts against a second one, and a beginning against a place in the middle. */
const FIRST_HIT = 1000;
const AGAIN = 1;
const BEGINNING = 120;
const SENTENCE = 100;

interface Hit {
  readonly phrase: number;
  /** Number of its first word. */
  readonly at: number;
  /** Number of the word after it. */
  readonly end: number;
}

function hitsOf(words: readonly SpokenWord[], phrases: readonly Phrase[]): Hit[] {
  const isAt = (phrase: Phrase, at: number): boolean =>
    phrase.every((word, offset) => words[at + offset]?.word === word);
  return words.flatMap((_word, at) =>
    phrases.flatMap((phrase, number) => (isAt(phrase, at) ? [{ phrase: number, at, end: at + phrase.length }] : [])),
  );
}

/** Numbers of the words that begin the text or, after a full stop or a colon and a space, a sentence. */
const sentencesOf = (text: string, words: readonly SpokenWord[]): number[] =>
  words.flatMap(({ from }, at) => {
    const before = text.slice(Math.max(0, words[at - 1]?.to ?? 0), from);
    return at === 0 || /[.:][ \t\r\n]+$/.test(before) ? [at] : [];
  });

/** What a snippet from this word on would show, and where it had to begin to show that in its middle. */
function judge(hits: readonly Hit[], from: number, count: number): { score: number; centred: number } {
  const shown = hits.filter(({ at }) => at >= from && at < from + LENGTH);
  const seen = new Set<number>();
  let score = 0;
  for (const { phrase } of shown) {
    score += seen.has(phrase) ? AGAIN : FIRST_HIT;
    seen.add(phrase);
  }
  const [first, last] = [shown[0]?.at ?? 0, shown.at(-1)?.end ?? 0];
  const centred = first - Math.trunc((LENGTH - (last - first)) / 2);
  return { score, centred: Math.max(0, Math.min(centred, count - LENGTH)) };
}

/**
 * The part of a text that shows most of what was searched for, as FTS5's snippet() chooses it, so that a search answers the
 * same on every database system: 24 words, from the beginning of a sentence where that shows as much.
 */
export function snippetOf(text: string, words: readonly SpokenWord[], phrases: readonly Phrase[]): string {
  if (words.length <= LENGTH) return text;
  const hits = hitsOf(words, phrases);
  const sentences = sentencesOf(text, words);
  let best = { score: 0, from: 0 };
  const consider = (score: number, from: number): void => {
    if (score > best.score) best = { score, from };
  };
  for (const { at } of hits) {
    const { score, centred } = judge(hits, at, words.length);
    consider(score, centred);
    const sentence = sentences.findLast((one) => one <= at) ?? 0;
    if (sentence < at)
      consider(judge(hits, sentence, words.length).score + (sentence === 0 ? BEGINNING : SENTENCE), sentence);
  }
  const last = best.from + LENGTH - 1;
  const begins = best.from === 0;
  const ends = last >= words.length - 1;
  const part = text.slice(begins ? 0 : words[best.from]?.from, ends ? undefined : words[last]?.to);
  return `${begins ? '' : '…'}${part}${ends ? '' : '…'}`;
}
