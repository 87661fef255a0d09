import type { ScenarioContent } from '@parley/shared/contracts';
import { allHold } from '../conditions';
import type { EngineState } from '../engine-state';
import { bandsInWords } from './bands';
import { fenced } from './fence';
import { neutraliseLine } from './neutralise';

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
  const secrets = openSecrets(content, state);
  const bands = bandsInWords(content, state.state_vars);
  return [
    '## STATE',
    `Player turn ${turn} of ${content.duration.max_turns}; ${left} left after it.`,
    `Variables: ${values.join(', ')}.`,
    ...(bands.length > 0 ? [`How you are now:\n${fenced(bands.join('\n'), fence)}`] : []),
    ...(secrets.length > 0 ? [`You may tell this now, when it fits:\n${fenced(secrets.join('\n'), fence)}`] : []),
    ...(state.flags.length > 0 ? [`Flags: ${state.flags.join(', ')}.`] : []),
    ...(state.fired_events.length > 0 ? [`Events so far: ${state.fired_events.join(', ')}.`] : []),
    ...(instructions.length > 0 ? [`Work this into your reply:\n${fenced(instructions.join('\n'), fence)}`] : []),
    '',
    '## PLAYER_UTTERANCE',
    fenced(playerText, fence),
    '',
    'Answer with the JSON object of section 11.',
  ].join('\n');
}

/** Secrets whose conditions hold now. Before they do they are in no prompt: what is not there cannot leak. */
function openSecrets(content: ScenarioContent, state: EngineState): string[] {
  const view = {
    value: (name: string) => (Object.hasOwn(state.state_vars, name) ? state.state_vars[name] : undefined),
    hasFlag: (flag: string) => state.flags.includes(flag),
    playerTurns: state.player_turns,
  };
  return content.secrets.filter((secret) => allHold(secret.when, view)).map(({ text }) => neutraliseLine(text));
}
