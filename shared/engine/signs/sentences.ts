import type { Token } from './tokens';

/** Tokens from `from` up to and without `to`; `end` is the mark that ends it, or nothing. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  /** `.`, `!`, `?`, a row of them, or empty where a line break or the text ends it. */
  readonly mark: string;
}

const ENDS = /^(?:[.!?…]+|[。！？]+)$/u;
/** A full stop after these ends no sentence. */
const SHORTENED = new Set('mr mrs ms dr prof st vs etc approx e g i p a no nr ca bzw z b usw'.split(' '));

/** The sentences of a line; brackets and quotation marks that follow an end belong to it. */
export function sentencesOf(text: string, tokens: readonly Token[]): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const close = (to: number, mark: string): void => {
    if (to > from) sentences.push({ from, to, mark });
    from = to;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.newLine && index > from) close(index, '');
    if (token.kind !== 'mark' || !ENDS.test(token.text)) continue;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    const isShortening =
      token.text === '.' &&
      before?.kind === 'word' &&
      SHORTENED.has(before.text) &&
      after !== undefined &&
      !token.spaced;
    // Without a blank behind it a full stop stands inside of a name or number.
    const isInside = token.text === '.' && after !== undefined && !after.spaced && after.kind !== 'mark';
    if (isShortening || isInside) continue;
    // ?! is two tokens of one end.
    let to = index + 1;
    let mark = token.text;
    for (; to < tokens.length; to += 1) {
      const next = tokens[to];
      if (next === undefined || next.kind !== 'mark' || next.spaced || !/^[.!?…)\]"”’»]+$/u.test(next.text)) break;
      mark += next.text;
    }
    // "What do you need?" is what you said: the sentence goes on behind the quotation.
    const following = tokens[to];
    const goesOn =
      /["”’»]/u.test(mark) && following?.kind === 'word' && /^\p{Ll}/u.test(text.slice(following.start, following.end));
    if (goesOn) {
      index = to - 1;
      continue;
    }
    close(to, mark.replace(/[^.!?…。！？]/gu, ''));
    index = to - 1;
  }
  close(tokens.length, '');
  return sentences;
}
