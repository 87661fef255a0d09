import type { ConditionView } from '../../conditions';
import type { LetterInput } from './letter-input';

/** What conditions look at after each change of a talk, oldest first; flags are those raised by then. */
export function* viewsOf(events: LetterInput['events']): Generator<ConditionView> {
  const flags = new Set<string>();
  let values: Readonly<Record<string, number>> = {};
  let playerTurns = 0;
  for (const event of events) {
    if (event.kind === 'npc_turn') {
      playerTurns += 1;
      event.payload.event_flags.forEach((flag) => flags.add(flag));
    } else if (event.kind === 'scenario_event') event.payload.flags.forEach((flag) => flags.add(flag));
    else if (event.kind === 'state_delta') values = event.payload.state_vars;
    else continue;
    const now = { values, playerTurns };
    yield { value: (name) => now.values[name], hasFlag: (flag) => flags.has(flag), playerTurns: now.playerTurns };
  }
}
