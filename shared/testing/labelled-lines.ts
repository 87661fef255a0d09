import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sign } from '@parley/shared/contracts';

/** A line of a player with the signs that it must show and those that it must lack; others are not labelled. */
export interface LabelledLine {
  readonly scenario: string;
  readonly line: string;
  /** Which of the set's texts the character said just before. */
  readonly npc?: string;
  /** `en` when left out. */
  readonly language?: string;
  readonly earlier?: readonly string[];
  /** What makes it a near miss. */
  readonly near?: string;
  readonly shows: readonly string[];
  readonly lacks: readonly string[];
}

/** shared/engine/signs/labelled-lines.json. */
export interface LabelledLines {
  readonly signs: Readonly<Record<string, Sign>>;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly npc: Readonly<Record<string, string>>;
  readonly lines: readonly LabelledLine[];
}

/** How often a sign was found where it is, missed where it is, and found where it is not. */
export interface SignScore {
  readonly sign: string;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** @param root of the project */
export const readLabelledLines = (root: string): LabelledLines =>
  JSON.parse(readFileSync(path.join(root, 'shared/engine/signs/labelled-lines.json'), 'utf8')) as LabelledLines;

/** What a labelled line is read against. */
export const labelledContext = (set: LabelledLines, labelled: LabelledLine) => ({
  language: labelled.language ?? 'en',
  lastNpcLine: labelled.npc === undefined ? null : (set.npc[labelled.npc] ?? null),
  events: {},
  names: set.names[labelled.scenario] ?? [],
  line: 3,
  earlierLines: labelled.earlier ?? [],
});

/**
 * Holds what is found against the labels.
 * @param signsOf which of some signs a line shows
 */
export function scoreLabelledLines(
  set: LabelledLines,
  signsOf: (labelled: LabelledLine, asked: readonly string[]) => ReadonlySet<string>,
): SignScore[] {
  const scores = new Map<string, { right: number; missed: string[]; wrong: string[] }>();
  const scoreOf = (sign: string) => {
    const known = scores.get(sign) ?? { right: 0, missed: [], wrong: [] };
    scores.set(sign, known);
    return known;
  };
  for (const labelled of set.lines) {
    const found = signsOf(labelled, [...labelled.shows, ...labelled.lacks]);
    for (const sign of labelled.shows) {
      if (found.has(sign)) scoreOf(sign).right += 1;
      else scoreOf(sign).missed.push(labelled.line);
    }
    for (const sign of labelled.lacks) {
      const score = scoreOf(sign);
      if (found.has(sign)) score.wrong.push(labelled.line);
    }
  }
  return [...scores].map(([sign, score]) => ({ sign, ...score }));
}
