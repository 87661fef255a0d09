import { readLine, type LineReading } from '../../engine/signs/line-reading';
import type { SignContext } from '../../engine/signs/line-parts';

/** A line as it is read in the middle of a talk with Dana. */
export const read = (line: string, context: Partial<SignContext> = {}): LineReading =>
  readLine(line, {
    language: 'en',
    lastNpcLine: null,
    events: {},
    names: ['Dana', 'Ines Halloran'],
    line: 3,
    earlierLines: [],
    ...context,
  });
