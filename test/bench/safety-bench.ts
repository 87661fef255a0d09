import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SafetyAction } from '@parley/shared/contracts';
import { classifyInput, GLOBAL_SAFETY_CATEGORIES, SAFETY_CATEGORIES } from '@parley/shared/engine';
import { PROJECT_ROOT } from '../set/managed-process';
import { measurement, type Measurement } from './measurement';

interface LabelledInput {
  readonly text: string;
  /** null for a look-alike that must pass. */
  readonly category: string | null;
}

const LABELLED = path.join('shared', 'engine', 'safety', 'labelled-inputs.json');
/** Of 1: what the classifier must reach. */
const FLOOR = { kind: 'at_least', ratio: 0.95 } as const;
const ALL = { kind: 'at_least', ratio: 1 } as const;

/** A policy that names every category, so that every rule is asked. */
const POLICY = {
  content_categories: Object.fromEntries(
    SAFETY_CATEGORIES.map((category): [string, SafetyAction] => [category, 'redirect']),
  ),
  redirect_message: null,
};

/**
 * Precision and recall of the classifier on the labelled lines, over all categories and for each. A line counts as right when
 * its own category is named: found in the wrong one is a miss and a false alarm. The ratio of a row is the measure
 * itself: right lines (ours) of those named (precision) or of those labelled (recall).
 */
export function safetyBench(): Promise<Measurement[]> {
  const labelled = JSON.parse(readFileSync(path.join(PROJECT_ROOT, LABELLED), 'utf8')) as LabelledInput[];
  const judged = labelled.map(({ text, category }) => ({ category, named: classifyInput(text, POLICY).category }));
  const right = judged.filter(({ category, named }) => category !== null && named === category);
  const named = judged.filter((one) => one.named !== null);
  const wanted = judged.filter((one) => one.category !== null);
  const rows = [
    measurement('safety precision', 'lines', right.length, named.length, FLOOR),
    measurement('safety recall', 'lines', right.length, wanted.length, FLOOR),
  ];
  for (const category of [...GLOBAL_SAFETY_CATEGORIES, ...SAFETY_CATEGORIES]) {
    const of = <T extends { category: string | null }>(lines: readonly T[]): number =>
      lines.filter((line) => line.category === category).length;
    const goal = GLOBAL_SAFETY_CATEGORIES.includes(category) ? ALL : null;
    const said = judged.filter((one) => one.named === category).length;
    rows.push(measurement(`safety recall of ${category}`, 'lines', of(right), of(wanted), goal));
    rows.push(measurement(`safety precision of ${category}`, 'lines', of(right), said));
  }
  return Promise.resolve(rows);
}
