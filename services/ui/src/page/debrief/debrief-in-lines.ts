import type { Debrief } from '@parley/shared/contracts';
import type { Messages } from '../messages/en';
import { withLines } from '../messages/line-names';

/** A debrief whose texts count as people do: by the player's lines. Its numbers of turns stay those of the API. */
export function debriefInLines(messages: Messages, debrief: Debrief, lastTurn: number): Debrief {
  const told = (text: string): string => withLines(messages, text, lastTurn);
  return {
    ...debrief,
    summary: told(debrief.summary),
    strengths: debrief.strengths.map(told),
    improvements: debrief.improvements.map(told),
    replay_suggestions: debrief.replay_suggestions.map((one) => ({ ...one, suggestion: told(one.suggestion) })),
    turning_points: debrief.turning_points.map((one) => ({ ...one, description: told(one.description) })),
    dimensions: debrief.dimensions.map((dimension) => ({
      ...dimension,
      observations: dimension.observations.map((one) => ({ ...one, note: one.note === null ? null : told(one.note) })),
    })),
  };
}
