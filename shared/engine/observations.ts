import type { ScenarioContent } from '@parley/shared/contracts';
import { clamp } from './engine-state';
import type { ReplyObservation } from './reply/parsed-reply';

/** What the model may move a dimension in one observation, in points of the score. */
export const MAX_OBSERVATION_DELTA = 10;

/**
 * Observations of one turn after the limit of each dimension: several for one dimension add up to at most its
 * max_delta_per_turn either way (docs/interface.md, Member rules). What goes beyond is cut from the later ones; notes stay.
 */
export function limitObservations(
  content: ScenarioContent,
  observations: readonly ReplyObservation[],
): ReplyObservation[] {
  const sums = new Map<string, number>();
  const limits = new Map(content.rubric.dimensions.map((dimension) => [dimension.id, dimension.max_delta_per_turn]));
  return observations.flatMap((observation) => {
    const limit = limits.get(observation.dimension);
    if (limit === undefined || Math.abs(observation.delta) > MAX_OBSERVATION_DELTA) return [];
    const before = sums.get(observation.dimension) ?? 0;
    const after = clamp(before + observation.delta, -limit, limit);
    sums.set(observation.dimension, after);
    return [{ ...observation, delta: after - before }];
  });
}
