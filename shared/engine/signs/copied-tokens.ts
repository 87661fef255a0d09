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
/** How many places of one word are looked at. */
const MOST_PLACES = 16;
/** What the other says of themselves, and what it becomes when one says it back in one's own words. */
const SAID_BACK: Readonly<Record<string, readonly string[]>> = {
  i: ['you'], me: ['you'], my: ['your'], mine: ['yours'], we: ['you'], us: ['you'], our: ['your'], you: ['i', 'me', 'we', 'us'],
  your: ['my', 'our'],
  ich: ['du', 'sie'], mich: ['dich', 'sie'], mir: ['dir', 'ihnen'], mein: ['dein', 'ihr'], wir: ['ihr', 'sie'],
}; // prettier-ignore

/** What the other said, taken apart once for all lines that are held against it. */
export interface OtherLine {
  /** Words and numbers in their order. */
  readonly words: readonly string[];
  /** Where each word stands among them. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Each sentence as its words with blanks between them. */
  readonly sentences: ReadonlySet<string>;
}

/** The words of some tokens with blanks between them. */
function wordsOf(tokens: readonly Token[], from: number, to: number): string {
  let words = '';
  for (let index = from; index < to; index += 1) {
    const token = tokens[index];
    if (token !== undefined && token.kind !== 'mark') words += words === '' ? token.text : ` ${token.text}`;
  }
  return words;
}

/** Takes apart what the other said. */
export function otherLine(text: string, language: string): OtherLine {
  const tokens = tokensOf(text, language);
  const words = tokens.filter(({ kind }) => kind !== 'mark').map((token) => token.text);
  const places = new Map<string, number[]>();
  words.forEach((word, index) => {
    const known = places.get(word);
    if (known === undefined) places.set(word, [index]);
    // Of a word that comes again and again the first places are enough.
    else if (known.length < MOST_PLACES) known.push(index);
  });
  return {
    words,
    places,
    sentences: new Set(sentencesOf(text, tokens).map(({ from, to }) => wordsOf(tokens, from, to))),
  };
}

/**
 * Which tokens of a line belong to a sentence that says the other's words as they were: a player who pastes what the
 * character said has said nothing. A short piece of it taken up (three percent?) and a sentence said back with the persons
 * turned round (you have seven people) are the player's own.
 */
export function copiedTokens(
  tokens: readonly Token[],
  sentences: readonly Sentence[],
  other: OtherLine | null,
): boolean[] {
  const copied = tokens.map(() => false);
  if (other === null || other.words.length === 0) return copied;
  const words: number[] = [];
  const wordAt = (place: number): string => tokens[words[place] ?? -1]?.text ?? '';
  const isRun = (place: number, theirs: number): boolean => {
    for (let offset = 0; offset < SHORTEST_COPY; offset += 1)
      if (other.words[theirs + offset] !== wordAt(place + offset)) return false;
    return true;
  };
  for (const { from, to } of sentences) {
    words.length = 0;
    for (let index = from; index < to; index += 1) if (tokens[index]?.kind !== 'mark') words.push(index);
    let covered = 0;
    let coveredTo = 0;
    let saidBack = false;
    for (let place = 0; place + SHORTEST_COPY <= words.length; place += 1) {
      let isFound = false;
      for (const theirs of other.places.get(wordAt(place)) ?? []) {
        if (!isRun(place, theirs)) continue;
        isFound = true;
        saidBack ||= SAID_BACK[other.words[theirs - 1] ?? '']?.includes(wordAt(place - 1)) === true;
      }
      if (!isFound) continue;
      covered += place + SHORTEST_COPY - Math.max(place, coveredTo);
      coveredTo = place + SHORTEST_COPY;
    }
    const isTheirs =
      words.length >= SHORTEST_SENTENCE &&
      // Few sentences begin with a word of theirs; only those are put together and looked up.
      other.places.has(wordAt(0)) &&
      other.sentences.has(wordsOf(tokens, from, to));
    const isLong = covered >= LONG_COPY && covered >= COPIED_PART * words.length;
    if (isTheirs || (isLong && !saidBack)) for (let index = from; index < to; index += 1) copied[index] = true;
  }
  return copied;
}
