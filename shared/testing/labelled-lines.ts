import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Sign } from '@parley/shared/contracts';
import { z } from 'zod';

const LabelledLine = z.strictObject({
  scenario: z.string(),
  line: z.string(),
  npc: z.string().optional().describe("Which of the set's texts the character said just before."),
  language: z.string().optional().describe('en when left out.'),
  earlier: z.array(z.string()).optional(),
  near: z.string().optional().describe('What makes it a near miss.'),
  shows: z.array(z.string()),
  lacks: z.array(z.string()),
});
/** A line of a player with the signs that it must show and those that it must lack; others are not labelled. */
export type LabelledLine = z.infer<typeof LabelledLine>;

const LabelledLines = z.object({
  signs: z.record(z.string(), Sign),
  names: z.record(z.string(), z.array(z.string())),
  npc: z.record(z.string(), z.string()),
  lines: z.array(LabelledLine),
});
/** shared/engine/signs/labelled-lines.json. */
export type LabelledLines = z.infer<typeof LabelledLines>;

/** How often a sign was found where it is, missed where it is, and found where it is not. */
export interface SignScore {
  readonly sign: string;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** @param root of the project */
export const readLabelledLines = (root: string): LabelledLines =>
  LabelledLines.parse(JSON.parse(readFileSync(path.join(root, 'shared/engine/signs/labelled-lines.json'), 'utf8')));

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
