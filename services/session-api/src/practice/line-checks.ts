import { judgeLine, proofOfCheck } from '@parley/shared/engine';
import type { LineCheck, LineJudgement, ScenarioCheck } from '@parley/shared/contracts';
import { checkKey, metBy, type Moment } from './moment';

/** What a line does at a moment. */
export interface JudgedTry {
  readonly judgement: LineJudgement;
  /** Checks that were open, with what this line does for them; the focus first, then by points. */
  readonly checks: readonly (LineCheck & { readonly dimension: string; readonly move: string | null })[];
  /** Faults that the line commits. */
  readonly faults: readonly ScenarioCheck[];
}

/** Whether one line can meet it at all: what a flag must not do shows only in the rest of the talk. */
const isForOneLine = (check: ScenarioCheck): boolean => check.without_flag === null;

/** Judges a line in the state of the moment. Pure but for what the moment holds: nothing is stored. */
export function judgeTry(moment: Moment, text: string, focus: string | null): JudgedTry {
  const { line } = moment;
  const { content } = moment.scenario;
  const judgement = judgeLine(line, text);
  const earlier = moment.turns.flatMap((turn) => turn.judgement ?? []);
  const metNow = metBy(content, line.language, [...earlier, judgement]);
  const evidence = (dimension: string, check: ScenarioCheck): LineCheck['evidence'] => {
    const found =
      check.signs === null
        ? [...judgement.moves, ...judgement.flags].find(({ id }) => id === (check.move ?? check.flag))
        : judgement.checks.find((one) => one.dimension === dimension && one.check === check.id);
    return found?.spans[0] ?? null;
  };
  const open = content.rubric.dimensions.flatMap((dimension) =>
    dimension.checks
      .filter((check) => isForOneLine(check) && !moment.met.has(checkKey(dimension.id, check.id)))
      .filter((check) => check.by_line === null || check.by_line >= line.line)
      .map((check) => ({ dimension: dimension.id, check, weight: check.points * dimension.weight })),
  );
  const inFocus = (dimension: string): number => (dimension === focus ? 1 : 0);
  open.sort((one, other) => inFocus(other.dimension) - inFocus(one.dimension) || other.weight - one.weight);
  return {
    judgement,
    checks: open.map(({ dimension, check }) => {
      const met = metNow.has(checkKey(dimension, check.id));
      const byModel = proofOfCheck(content, check, line.language) === 'model';
      return {
        dimension,
        move: check.move,
        id: check.id,
        text: check.text,
        verdict: met ? 'met' : byModel ? 'not_judged' : 'missed',
        evidence: met ? evidence(dimension, check) : null,
      };
    }),
    faults: content.rubric.dimensions.flatMap((dimension) =>
      dimension.faults.filter((fault) =>
        fault.signs === null
          ? judgement.flags.some(({ id }) => id === fault.flag) || judgement.moves.some(({ id }) => id === fault.move)
          : judgement.checks.some((one) => one.dimension === dimension.id && one.check === fault.id),
      ),
    ),
  };
}
