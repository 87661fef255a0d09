import { ENDING_TYPES, type EndingType, type ScenarioContent } from '@parley/shared/contracts';
import { allHold, type ConditionView } from './conditions';

export interface EndingReached {
  type: EndingType;
  /** Id of the scenario's ending; null when it has none. */
  id: string | null;
}

/**
 * Step 7, second half. Priority: safety_stop, player_exit, success, failure, timeout; within a type the scenario's own
 * endings in the order of the file. Running out of duration.max_turns is a timeout always, listed or not.
 */
export function reachedEnding(
  content: ScenarioContent,
  view: ConditionView,
  safetyStop: boolean,
): EndingReached | null {
  if (safetyStop) return { type: 'safety_stop', id: null };
  for (const type of ENDING_TYPES) {
    const listed = content.endings.find((ending) => ending.type === type && allHold(ending.when, view));
    if (listed) return { type, id: listed.id };
  }
  return view.playerTurns >= content.duration.max_turns ? { type: 'timeout', id: null } : null;
}
