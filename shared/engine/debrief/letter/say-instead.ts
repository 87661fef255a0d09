import type { SayInstead, ScenarioContent } from '@parley/shared/contracts';
import { playerLines, type LetterInput } from './letter-input';
import { openChecks, type RankedCheck } from './ranked-checks';
import { firstSentence } from './sentences';
import { lineToChange } from './where-to-try';

const AT_MOST = 2;

/** The move whose exemplars show how: the check's own, or the one that has to come before what went wrong. */
const exemplarOf = (content: ScenarioContent, { check }: RankedCheck): string | null => {
  const id = check.move ?? check.after_move;
  return content.moves.find((move) => move.id === id)?.exemplars[0] ?? null;
};

/** The same line twice is one suggestion: the second needs another exemplar or another line. */
const isNew = (kept: readonly SayInstead[], one: SayInstead): boolean =>
  kept.every((other) => other.line !== one.line || other.better !== one.better);

/**
 * At most two lines to say another way: the chosen focus first, then what weighs most. Each has the learner's own words,
 * a better line of the author and one sentence why. What no exemplar shows is left to the checks.
 */
export function sayInstead(input: LetterInput, ranked: readonly RankedCheck[]): SayInstead[] {
  const lines = playerLines(input.turns);
  const kept: SayInstead[] = [];
  for (const open of openChecks(ranked)) {
    if (kept.length === AT_MOST) break;
    const better = exemplarOf(input.content, open);
    const number = lineToChange(open, input.judgements);
    const line = lines.find((one) => one.line === number);
    if (better === null || line === undefined) continue;
    const authored = input.content.rubric.dimensions.find(({ id }) => id === open.dimension.id);
    const suggestion: SayInstead = {
      turn: line.turn,
      line: line.line,
      dimension: open.dimension.id,
      check: open.check.id,
      said: line.text,
      better,
      why: firstSentence(authored?.framework ?? authored?.description ?? open.check.text),
      adapted: false,
    };
    if (isNew(kept, suggestion)) kept.push(suggestion);
  }
  return kept;
}
