import type { LineReading } from './line-reading';
import { wordCount } from './match-signs';

/** What the letter tells about a line without judging it. */
export interface LineFacts {
  readonly words: number;
  readonly questions_open: number;
  readonly questions_closed: number;
  readonly hedges: number;
  readonly apologies: number;
  readonly absolutes: number;
  /** Whether the line took up at least two content words of what was just said. */
  readonly echoes: boolean;
}

/** Counts for the letter's facts. Hedges, apologies and absolutes are known in English and German; elsewhere they are 0. */
export function lineFacts(reading: LineReading): LineFacts {
  const open = reading.questions.filter((question) => question.open).length;
  const { lastNpcLine } = reading.context;
  return {
    words: wordCount(reading),
    questions_open: open,
    questions_closed: reading.questions.length - open,
    hedges: reading.toneRanges('hedge').length,
    apologies: reading.toneRanges('apology').length,
    absolutes: reading.toneRanges('absolute').length,
    echoes: lastNpcLine !== null && reading.echoRanges(lastNpcLine).length >= 2,
  };
}
