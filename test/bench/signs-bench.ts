import { lineFacts, matchSign, prepareSigns, readLine, type LineReading } from '@parley/shared/engine';
import { labelledContext, readLabelledLines, scoreLabelledLines, type LabelledLines } from '@parley/shared/testing';
import { PROJECT_ROOT } from '../set/managed-process';
import type { BenchOptions } from './bench-options';
import { longLines } from './labelled-talk';
import { measurement, quantile, type Measurement } from './measurement';

const PRECISION = { kind: 'at_least', ratio: 0.95 } as const;
const RECALL = { kind: 'at_least', ratio: 0.85 } as const;
const LENGTH = 500;
/** What all signs of a line may take, in milliseconds. */
const MEDIAN_MS = 1;
const P99_MS = 3;
const AT_MOST = { kind: 'at_most', ratio: 1 } as const;

const holds = (set: LabelledLines, id: string, reading: LineReading): boolean => {
  if (id === 'stuffed') return reading.stuffed;
  if (id === 'repeated') return reading.repeated;
  const sign = set.signs[id];
  return sign !== undefined && matchSign(sign, reading).holds;
};

/** Precision and recall of each sign on the labelled lines; the ratio of a row is the measure itself. */
function quality(set: LabelledLines): Measurement[] {
  const scores = scoreLabelledLines(set, (labelled, asked) => {
    const reading = readLine(labelled.line, labelledContext(set, labelled));
    return new Set(asked.filter((id) => holds(set, id, reading)));
  });
  return scores.flatMap(({ sign, right, missed, wrong }) => [
    measurement(`precision of ${sign}`, 'lines', right, right + wrong.length, PRECISION),
    measurement(`recall of ${sign}`, 'lines', right, right + missed.length, RECALL),
  ]);
}

/** How long lines of 500 characters take, each read once and asked for every sign of the set and the letter's facts. */
function time(set: LabelledLines, rounds: number): Measurement[] {
  const english = set.lines.filter(({ language = 'en' }) => language === 'en');
  const lines = longLines(LENGTH);
  const signs = Object.values(set.signs);
  const [context] = english.filter(({ npc }) => npc !== undefined).map((labelled) => labelledContext(set, labelled));
  if (context === undefined) throw new Error('no labelled line answers the character');
  const earlierLines = lines.slice(0, 12);
  prepareSigns(signs, 'en');
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round += 1)
    for (const line of lines) {
      const begin = performance.now();
      const reading = readLine(line, { ...context, earlierLines });
      for (const sign of signs) matchSign(sign, reading);
      lineFacts(reading);
      // The first round brings the code to its speed.
      if (round > 0) samples.push(performance.now() - begin);
    }
  return [
    measurement(
      `all signs of a line of ${LENGTH} characters, median`,
      'ms',
      quantile(samples, 0.5),
      MEDIAN_MS,
      AT_MOST,
    ),
    measurement(`all signs of a line of ${LENGTH} characters, p99`, 'ms', quantile(samples, 0.99), P99_MS, AT_MOST),
  ];
}

/** Precision and recall of each sign on the labelled lines, and what reading signs costs. */
export function signsBench({ quick }: BenchOptions): Promise<Measurement[]> {
  const set = readLabelledLines(PROJECT_ROOT);
  return Promise.resolve([...quality(set), ...time(set, quick ? 4 : 20)]);
}
