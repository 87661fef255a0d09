import type { ScenarioContent } from '@parley/shared/contracts';
import type { EngineState } from '../engine-state';
import { fenced } from './fence';

/**
 * The last user message: where the talk stands and what the player says. It changes every turn, so it comes last.
 * Instructions of events that fired in the last turn are here, and nowhere in the part that is cached.
 */
export function stateAndUtterance(
  content: ScenarioContent,
  state: EngineState,
  playerText: string,
  fence: string,
): string {
  const turn = state.player_turns + 1;
  const left = Math.max(0, content.duration.max_turns - turn);
  const values = Object.entries(state.state_vars).map(([name, value]) => `${name} ${value}`);
  const instructions = content.events
    .filter((event) => state.pending_instructions.includes(event.id))
    .map((event) => event.npc_instruction);
  return [
    '## STATE',
    `Player turn ${turn} of ${content.duration.max_turns}; ${left} left after it.`,
    `Variables: ${values.join(', ')}.`,
    `Flags: ${state.flags.join(', ') || 'none'}.`,
    `Events so far: ${state.fired_events.join(', ') || 'none'}.`,
    ...(instructions.length > 0 ? [`Work this into your reply:\n${fenced(instructions.join('\n'), fence)}`] : []),
    '',
    '## PLAYER_UTTERANCE',
    fenced(playerText, fence),
    '',
    'Answer in character with the JSON object of section 11.',
  ].join('\n');
}
