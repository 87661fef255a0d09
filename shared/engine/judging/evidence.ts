import type { Sign, TextSpan } from '@parley/shared/contracts';
import type { LineReading } from '../signs/line-reading';
import { matchSigns, type SignMatch } from '../signs/match-signs';

const SENTENCE_END = /[.!?…]/;

/** Grows a piece to the sentences that it stands in. Linear in the text. */
export function sentencesAround(text: string, { start, end }: TextSpan): TextSpan {
  let from = start;
  while (from > 0 && !SENTENCE_END.test(text.charAt(from - 1)) && text.charAt(from - 1) !== '\n') from -= 1;
  while (from < start && /\s/.test(text.charAt(from))) from += 1;
  let to = end;
  while (to < text.length && !SENTENCE_END.test(text.charAt(to - 1)) && text.charAt(to) !== '\n') to += 1;
  return { start: from, end: to };
}

/**
 * The piece of the line that proves the signs: the least of found words, their sentences and the whole line in which they
 * hold when it is read alone. So whoever cuts it out of the transcript can check it again.
 * @param match the words by which the signs hold in the line
 */
export function evidenceIn(signs: readonly Sign[], reading: LineReading, { spans }: SignMatch): TextSpan {
  const { text } = reading;
  const whole = { start: 0, end: text.length };
  if (spans.length === 0) return whole;
  const words = {
    start: Math.min(...spans.map((span) => span.start)),
    end: Math.max(...spans.map((span) => span.end)),
  };
  for (const piece of [words, sentencesAround(text, words)]) {
    if (piece.start === 0 && piece.end === text.length) return whole;
    if (matchSigns(signs, reading.pieceAlone(piece)).holds) return piece;
  }
  return whole;
}
