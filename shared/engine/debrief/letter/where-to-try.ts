import type { LineJudgement, ScenarioCheck } from '@parley/shared/contracts';
import type { RankedCheck } from './ranked-checks';

const signed = (judgement: LineJudgement, move: string): boolean =>
  judgement.moves.some(({ id, by }) => id === move && by !== 'model');

/** The first line at which a check could have been met: 1, or the line of the move that has to come before. */
export function firstChanceLine(check: ScenarioCheck, judgements: readonly LineJudgement[]): number {
  const after = check.after_move;
  if (after === null) return 1;
  return judgements.find((judgement) => signed(judgement, after))?.line ?? 1;
}

/**
 * The line to say another way: that of a fault; for what was missed, the first line in reach of it that did nothing the
 * rubric asks for, so that nothing good has to go, else the first in reach.
 */
export function lineToChange(open: RankedCheck, judgements: readonly LineJudgement[]): number | null {
  if (open.verdict.line !== null) return open.verdict.line;
  const { check } = open;
  const first = firstChanceLine(check, judgements);
  const inReach = judgements.filter(({ line }) => line >= first && (check.by_line === null || line <= check.by_line));
  const idle = inReach.find(({ moves }) => !moves.some(({ by }) => by !== 'model'));
  return (idle ?? inReach[0] ?? judgements.at(-1))?.line ?? null;
}
