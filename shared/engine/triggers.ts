import type { ScenarioContent } from '@parley/shared/contracts';
import { allHold } from './conditions';
import { applyEffects } from './deltas';

export interface FiredEvent {
  id: string;
  /** What the player is shown; null when the author wrote nothing. */
  narration: string | null;
}

export interface TriggerInput {
  content: ScenarioContent;
  /** Current values; effects of fired events are written into it. */
  values: Map<string, number>;
  /** Raised flags; ids of fired events are added to it. */
  flags: Set<string>;
  /** Flags that hold in this turn only. */
  turnFlags: ReadonlySet<string>;
  firedBefore: ReadonlySet<string>;
  playerTurns: number;
}

/**
 * Step 7, first half: events in the order of the file, each at most once a turn and once a session unless it repeats.
 * An event sees the effects and flags of those before it in the file, so that one may lead to the next.
 */
export function fireTriggers(input: TriggerInput): FiredEvent[] {
  const { content, values, flags, turnFlags } = input;
  const view = {
    value: (variable: string) => values.get(variable),
    hasFlag: (flag: string) => flags.has(flag) || turnFlags.has(flag),
    playerTurns: input.playerTurns,
  };
  const fired: FiredEvent[] = [];
  for (const event of content.events) {
    if (!event.repeat && input.firedBefore.has(event.id)) continue;
    if (!allHold(event.when, view)) continue;
    applyEffects(content, values, event.effects);
    flags.add(event.id);
    fired.push({ id: event.id, narration: event.narration });
  }
  return fired;
}
