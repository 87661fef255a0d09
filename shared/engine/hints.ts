import type { ScenarioContent } from '@parley/shared/contracts';
import { holds } from './conditions';
import type { EngineState } from './engine-state';

/** The first hint whose conditions all hold now (one without conditions always does); null when none fits. */
export function hintFor(content: ScenarioContent, state: EngineState): string | null {
  const view = {
    value: (variable: string) => (Object.hasOwn(state.state_vars, variable) ? state.state_vars[variable] : undefined),
    hasFlag: (flag: string) => state.flags.includes(flag),
    playerTurns: state.player_turns,
  };
  return content.hints.find((hint) => hint.when.every((condition) => holds(condition, view)))?.text ?? null;
}
