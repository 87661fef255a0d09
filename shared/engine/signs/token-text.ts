import type { Span, Token } from './tokens';

/** Tokens from `from` up to and without `to`. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** The tokens of a line as one text with single blanks, in which patterns are found; see {@link wordPattern}. */
export interface TokenText {
  readonly text: string;
  /** Where each piece of `text` begins. A piece is a token, or the name that stands for some. */
  readonly starts: readonly number[];
  /** By piece: its first token; behind the last piece stands the number of all tokens. */
  readonly firsts: readonly number[];
}

/** Longer tokens are no words; patterns see only their beginning. */
const LONGEST_SEEN = 40;

function textOf(pieces: readonly string[], firsts: readonly number[]): TokenText {
  const starts: number[] = [];
  let length = 1;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length + 1;
  }
  return { text: ` ${pieces.join(' ')} `, starts, firsts };
}

/** @param isName whether a token is a name of the scenario; patterns see PERSON in its place */
export function tokenText(tokens: readonly Token[], isName: (index: number) => boolean): TokenText {
  const pieces: string[] = [];
  const firsts: number[] = [];
  tokens.forEach(({ text }, index) => {
    pieces.push(isName(index) ? 'PERSON' : text.slice(0, LONGEST_SEEN));
    firsts.push(index);
  });
  firsts.push(tokens.length);
  return textOf(pieces, firsts);
}

/**
 * A pattern of whole tokens with one blank between them. Keep gaps bounded: matching must take time in proportion to the
 * text.
 */
// The blank before it belongs to the match: looking behind at every place takes half as long again.
export const wordPattern = (source: string): RegExp => new RegExp(` (?:${source})(?= )`, 'gu');

/** The piece that holds an offset of the text. */
function pieceAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The pieces that the places of a pattern take, none overlapping another. */
function piecesOf({ text, starts }: TokenText, pattern: RegExp): TokenRange[] {
  const found: TokenRange[] = [];
  // matchAll makes a new expression for each call.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [first, last] = [match.index + 1, match.index + match[0].trimEnd().length - 1];
    if (last < first) pattern.lastIndex = match.index + 1;
    else found.push({ from: pieceAt(starts, first), to: pieceAt(starts, last) + 1 });
  }
  return found;
}

/** All places of a pattern, none overlapping another. */
export const rangesOf = (text: TokenText, pattern: RegExp): TokenRange[] =>
  piecesOf(text, pattern).map(({ from, to }) => ({ from: text.firsts[from] ?? 0, to: text.firsts[to] ?? 0 }));

/** A name, and the words for which it stands. */
export type NamedPattern = readonly [name: string, pattern: RegExp];

/** The same text with names in the place of what some patterns find: long lists then stand in one pattern only. */
export function namedText(text: TokenText, names: readonly NamedPattern[]): TokenText {
  return names.reduce((current, [name, pattern]) => {
    const found = piecesOf(current, pattern);
    if (found.length === 0) return current;
    const pieces: string[] = [];
    const firsts: number[] = [];
    let next = 0;
    for (let piece = 0; piece < current.starts.length;) {
      while ((found[next]?.to ?? Infinity) <= piece) next += 1;
      const range = found[next];
      const isNamed = range !== undefined && range.from === piece;
      const start = current.starts[piece] ?? 0;
      const end = (current.starts[piece + 1] ?? current.text.length) - 1;
      pieces.push(isNamed ? name : current.text.slice(start, end));
      firsts.push(current.firsts[piece] ?? 0);
      piece = isNamed ? range.to : piece + 1;
    }
    firsts.push(current.firsts.at(-1) ?? 0);
    return textOf(pieces, firsts);
  }, text);
}

/** Where tokens stand in the line. */
export function spanOf(tokens: readonly Token[], { from, to }: TokenRange): Span {
  let start = Infinity;
  let end = -Infinity;
  for (let index = from; index < to; index += 1) {
    start = Math.min(start, tokens[index]?.start ?? Infinity);
    end = Math.max(end, tokens[index]?.end ?? -Infinity);
  }
  return { start, end };
}

/** Spans in the order of the text, those that touch or overlap as one. */
export function mergedSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const merged: { start: number; end: number }[] = [];
  const inOrder = (span: Span, index: number): boolean => (spans[index - 1]?.start ?? 0) <= span.start;
  const sorted = spans.every(inOrder) ? spans : [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
