import type { DebriefDimension, ScenarioContent } from '@parley/shared/contracts';
import { clamp } from '../engine-state';

/** Every dimension starts here (docs/interface.md, Scores and debrief). */
export const BASELINE_SCORE = 50;

/** One stored observation: what a player's turn did on a dimension. */
export interface ScoredObservation {
  /** Index of the player's turn. */
  turn: number;
  dimension: string;
  /** Points, after the limit of its turn. */
  delta: number;
  /** null when the text was not kept. */
  note: string | null;
}

export interface SessionScores {
  dimensions: DebriefDimension[];
  /** Weighted mean of all dimensions, rounded half up. */
  overall_score: number;
}

/**
 * Scores of a session: 50 plus the observed deltas per dimension, kept within 0 to 100; a dimension that was never
 * observed keeps its 50 and says so. The same observations always give the same scores, so that a session can be scored
 * again with the rubric that it started with.
 *
 * @param selfRatings the player's own scores by dimension; null when there are none.
 */
export function scoreSession(
  content: ScenarioContent,
  observations: readonly ScoredObservation[],
  selfRatings: Readonly<Record<string, number>> | null,
): SessionScores {
  const dimensions = content.rubric.dimensions.map((dimension): DebriefDimension => {
    const own = observations.filter((observation) => observation.dimension === dimension.id);
    const sum = own.reduce((total, observation) => total + observation.delta, 0);
    return {
      id: dimension.id,
      name: dimension.name,
      weight: dimension.weight,
      score: clamp(BASELINE_SCORE + sum, 0, 100),
      observed: own.length > 0,
      self_rating: selfRatings && Object.hasOwn(selfRatings, dimension.id) ? (selfRatings[dimension.id] ?? null) : null,
      observations: own
        .map(({ turn, delta, note }) => ({ turn, delta, note }))
        .sort((one, other) => one.turn - other.turn),
    };
  });
  return { dimensions, overall_score: weightedMean(dimensions) };
}

/** Whole-number arithmetic, so that a half is a half; weights that are all zero count alike. */
export function weightedMean(dimensions: readonly { weight: number; score: number }[]): number {
  const weights = dimensions.map((dimension) => Math.round(dimension.weight * 1_000_000));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const counted = total === 0 ? weights.map(() => 1) : weights;
  const divisor = total === 0 ? weights.length : total;
  const sum = dimensions.reduce((running, dimension, index) => running + dimension.score * (counted[index] ?? 0), 0);
  return divisor === 0 ? BASELINE_SCORE : Math.floor((2 * sum + divisor) / (2 * divisor));
}
