import type { DebriefDimension } from '@parley/shared/contracts';
import { debriefWords } from '../debrief/debrief-words';
import { BASELINE_SCORE, scoreSession, weightedMean, type ScoredObservation } from '../debrief/scoring';
import { clamp } from '../engine-state';
import { checkVerdicts, type DimensionVerdicts, type JudgedTalk } from './check-verdicts';
import { proofOfCheck } from './proof';

export interface CheckedScores {
  dimensions: DebriefDimension[];
  /** Weighted mean of the dimensions with a verdict, rounded half up; the baseline when there is none. */
  overall_score: number;
  /** false: nothing could be judged. */
  judged: boolean;
  /** Why nothing was judged; null when something was. */
  not_judged_reason: string | null;
}

/** Points of one dimension: what was met adds, what was missed takes off, a fault takes off once. */
export function pointsOf({ checks, faults }: Pick<DimensionVerdicts, 'checks' | 'faults'>): number {
  const sum = (verdicts: DimensionVerdicts['checks'], verdict: 'met' | 'missed'): number =>
    verdicts.filter((one) => one.verdict === verdict).reduce((total, one) => total + one.points, 0);
  return sum(checks, 'met') - sum(checks, 'missed') - sum(faults, 'met');
}

const isJudged = ({ checks, faults }: DimensionVerdicts): boolean =>
  checks.some((check) => check.verdict !== 'not_judged') || faults.some((fault) => fault.verdict === 'met');

/**
 * Scores of a rubric with checks: 50 plus what was met, minus what was missed and what went wrong, within 0 to 100. A
 * dimension without a verdict keeps its 50, says that it was not observed and stays out of the overall score. A dimension
 * that has no checks at all keeps the other formula (docs/interface.md, Formula without checks).
 */
export function scoreChecks(
  talk: JudgedTalk,
  observations: readonly ScoredObservation[],
  selfRatings: Readonly<Record<string, number>> | null,
): CheckedScores {
  const verdicts = checkVerdicts(talk);
  const byObservation = scoreSession(talk.content, observations, selfRatings).dimensions;
  const dimensions = talk.content.rubric.dimensions.map((dimension, index): DebriefDimension => {
    const base = byObservation[index] as DebriefDimension;
    const own = verdicts[index] as DimensionVerdicts;
    const why = { skill: dimension.skill, framework: dimension.framework, sources: dimension.sources };
    if (dimension.checks.length === 0) return { ...base, ...why, checks: [], faults: [] };
    const observed = isJudged(own);
    return {
      ...base,
      ...why,
      score: observed ? clamp(BASELINE_SCORE + pointsOf(own), 0, 100) : BASELINE_SCORE,
      observed,
      checks: own.checks,
      faults: own.faults,
    };
  });
  const counted = dimensions.filter((dimension) => dimension.observed);
  const judged = counted.length > 0;
  return {
    dimensions,
    overall_score: judged ? weightedMean(counted) : BASELINE_SCORE,
    judged,
    not_judged_reason: judged ? null : whyNotJudged(talk),
  };
}

function whyNotJudged(talk: JudgedTalk): string {
  const words = debriefWords(talk.content.language);
  return talk.player_lines > 0 && talk.judgements.length > 0 && hasOnlyModelChecks(talk)
    ? words.nobodyToJudge
    : words.nothingSaid;
}

/** In the language of the talk: signs that do not know it leave everything to the model. */
const hasOnlyModelChecks = ({ content, language }: JudgedTalk): boolean =>
  content.rubric.dimensions.every((dimension) =>
    dimension.checks.every((check) => proofOfCheck(content, check, language) === 'model'),
  );
