import type { CheckVerdict, DebriefDimension, ScenarioCheck, ScenarioContent } from '@parley/shared/contracts';

/** A verdict with where it stands in the rubric and what it weighs. */
export interface RankedCheck {
  readonly dimension: DebriefDimension;
  readonly check: ScenarioCheck;
  readonly verdict: CheckVerdict;
  readonly fault: boolean;
  /** Points times the weight of the dimension. */
  readonly weight: number;
}

/**
 * Every check and fault of the rubric with its verdict: the chosen focus first, then by what they weigh. Who met no check
 * at all begins where the rubric begins: the closing weighs most, and is no first step.
 */
export function rankedChecks(
  content: ScenarioContent,
  dimensions: readonly DebriefDimension[],
  focus: string | null,
): RankedCheck[] {
  const ranked = content.rubric.dimensions.flatMap((authored) => {
    const dimension = dimensions.find((one) => one.id === authored.id);
    if (dimension === undefined) return [];
    const withVerdicts = (checks: readonly ScenarioCheck[], verdicts: readonly CheckVerdict[], fault: boolean) =>
      checks.flatMap((check): RankedCheck[] => {
        const verdict = verdicts.find((one) => one.id === check.id);
        if (verdict === undefined) return [];
        return [{ dimension, check, verdict, fault, weight: check.points * dimension.weight }];
      });
    return [
      ...withVerdicts(authored.faults, dimension.faults ?? [], true),
      ...withVerdicts(authored.checks, dimension.checks ?? [], false),
    ];
  });
  const inFocus = (one: RankedCheck): number => (one.dimension.id === focus ? 1 : 0);
  if (metChecks(ranked).length === 0) {
    const faults = ranked.filter(({ fault }) => fault).sort((one, other) => other.weight - one.weight);
    const inOrder = [...faults, ...ranked.filter(({ fault }) => !fault)];
    return inOrder.sort((one, other) => inFocus(other) - inFocus(one));
  }
  return ranked.sort((one, other) => inFocus(other) - inFocus(one) || other.weight - one.weight);
}

/** What went well: checks that were met. */
export const metChecks = (ranked: readonly RankedCheck[]): RankedCheck[] =>
  ranked.filter(({ verdict, fault }) => !fault && verdict.verdict === 'met');

/** What to work on: faults that happened, and checks that were missed. */
export const openChecks = (ranked: readonly RankedCheck[]): RankedCheck[] =>
  ranked.filter(({ verdict, fault }) => verdict.verdict === (fault ? 'met' : 'missed'));
