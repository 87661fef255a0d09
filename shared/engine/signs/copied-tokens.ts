import { sentencesOf, type Sentence } from './sentences';
import { tokensOf, type Token } from './tokens';

/** Words in a row that the other said in the same order, from which on they may be copied. */
const SHORTEST_COPY = 4;
/** A whole sentence of theirs is copied from so many words on. */
const SHORTEST_SENTENCE = 3;
/** So many of them are more than a piece taken up (three percent and seven people?). */
const LONG_COPY = 6;
/** The part of a sentence that must be the other's for it to be copied. */
const COPIED_PART = 0.8;
/** What the other says of themselves, and what it becomes when one says it back in one's own words. */
const SAID_BACK: Readonly<Record<string, readonly string[]>> = {
  i: ['you'], me: ['you'], my: ['your'], mine: ['yours'], we: ['you'], us: ['you'], our: ['your'], you: ['i', 'me', 'we', 'us'],
  your: ['my', 'our'],
  ich: ['du', 'sie'], mich: ['dich', 'sie'], mir: ['dir', 'ihnen'], mein: ['dein', 'ihr'], wir: ['ihr', 'sie'],
}; // prettier-ignore

const isWord = (token: Token): boolean => token.kind !== 'mark';

/**
 * Which tokens of a line belong to a sentence that says the other's words as they were: a player who pastes what the
 * character said has said nothing. A short piece of it taken up (three percent?) and a sentence said back with the persons
 * turned round (you have seven people) are the player's own.
 */
export function copiedTokens(
  tokens: readonly Token[],
  sentences: readonly Sentence[],
  other: string | null,
  language: string,
): boolean[] {
  const copied = tokens.map(() => false);
  if (other === null || other === '') return copied;
  const otherTokens = tokensOf(other, language);
  const theirs = otherTokens.filter(isWord);
  const keyOf = (of: readonly Token[]): string =>
    of
      .filter(isWord)
      .map((token) => token.text)
      .join(' ');
  const theirSentences = new Set(
    sentencesOf(other, otherTokens).map(({ from, to }) => keyOf(otherTokens.slice(from, to))),
  );
  const places = new Map<string, number[]>();
  for (let index = 0; index + SHORTEST_COPY <= theirs.length; index += 1) {
    const key = theirs
      .slice(index, index + SHORTEST_COPY)
      .map((token) => token.text)
      .join(' ');
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    // Places of one run matter for the persons before it only: the first few are enough.
    else if (known.length < 4) known.push(index);
  }
  for (const { from, to } of sentences) {
    const words: number[] = [];
    for (let index = from; index < to; index += 1) if (tokens[index]?.kind !== 'mark') words.push(index);
    const covered = new Set<number>();
    let saidBack = false;
    for (let index = 0; index + SHORTEST_COPY <= words.length; index += 1) {
      const run = words.slice(index, index + SHORTEST_COPY);
      const found = places.get(run.map((at) => tokens[at]?.text).join(' '));
      if (found === undefined) continue;
      run.forEach((at) => covered.add(at));
      const before = tokens[words[index - 1] ?? -1]?.text ?? '';
      saidBack ||= found.some((at) => SAID_BACK[theirs[at - 1]?.text ?? '']?.includes(before) === true);
    }
    const isTheirs = words.length >= SHORTEST_SENTENCE && theirSentences.has(keyOf(tokens.slice(from, to)));
    const isLong = covered.size >= LONG_COPY && covered.size >= COPIED_PART * words.length;
    if (isTheirs || (isLong && !saidBack)) for (let index = from; index < to; index += 1) copied[index] = true;
  }
  return copied;
}
