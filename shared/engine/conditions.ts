import type { Condition } from '@parley/shared/contracts';

/** What conditions look at. */
export interface ConditionView {
  value(variable: string): number | undefined;
  hasFlag(flag: string): boolean;
  playerTurns: number;
}

/** Both comparisons are strict; a variable or flag that does not exist never holds (docs/interface.md, Conditions). */
export function holds(condition: Condition, view: ConditionView): boolean {
  switch (condition.type) {
    case 'variable_above':
      return (view.value(condition.variable) ?? -Infinity) > condition.threshold;
    case 'variable_below':
      return (view.value(condition.variable) ?? Infinity) < condition.threshold;
    case 'max_turns':
      return view.playerTurns >= condition.value;
    case 'flag':
      return view.hasFlag(condition.flag_id);
    case 'no_flag':
      return !view.hasFlag(condition.flag_id);
    case 'line':
      return view.playerTurns === condition.value;
  }
}

/** A `when` list holds when all of its conditions do; an empty one never does, so that it cannot end a talk. */
export function allHold(conditions: readonly Condition[], view: ConditionView): boolean {
  return conditions.length > 0 && conditions.every((condition) => holds(condition, view));
}
