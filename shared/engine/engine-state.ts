import type { Difficulty, NewStoredEvent, ScenarioContent } from '@parley/shared/contracts';
import { presetStart } from './difficulty';

/** What the engine knows of a session between two turns. Plain JSON: the store keeps it as it is. */
export type EngineState = {
  /** Value of every variable of the scenario. */
  state_vars: Record<string, number>;
  /** Raised flags in the order in which they were raised: the model's, its moves, and ids of fired events. */
  flags: string[];
  /** Ids of events that fired at least once, in the order of their first time. */
  fired_events: string[];
  /** Stored turns of the player: what max_turns counts. */
  player_turns: number;
  /** Index of the last stored turn; 0 before the opening. */
  turn_index: number;
  /** Ids of the events that fired in the last turn: their instructions reach the model in the next one. */
  pending_instructions: string[];
  /** How often each move was proven. */
  move_counts: Record<string, number>;
  /** Moves that only the model named, which had half of their effect for it. */
  half_moves: string[];
  /** Lines of the scenario's `demo` that were said, by their place in it. */
  demo_said: number[];
  /** Whether the demo voice answered in this talk. */
  demo_voice: boolean;
};

/** A stored event as far as the engine reads it: a new one, or one that came back from the store. */
export type StoredEventLike = NewStoredEvent;

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/**
 * The state before the opening. Presets set the starts of patience, openness and pressure unless the scenario's own
 * state.variables does; every start is kept inside the variable's bounds.
 */
export function startState(content: ScenarioContent, difficulty: Difficulty): EngineState {
  const values = Object.entries(content.variables).map(([name, variable]) => {
    const start = variable.authored ? variable.default : (presetStart(content, difficulty, name) ?? variable.default);
    return [name, clamp(start, variable.min, variable.max)] as const;
  });
  return {
    state_vars: Object.fromEntries(values),
    flags: [],
    fired_events: [],
    player_turns: 0,
    turn_index: 0,
    pending_instructions: [],
    move_counts: {},
    half_moves: [],
    demo_said: [],
    demo_voice: false,
  };
}

/**
 * The state as it stood after a turn, made again from the stored events: what a fork starts from. Events of later
 * turns and endings are passed over.
 *
 * @param turnIndex index of an NPC turn; the opening is 1.
 */
export function stateAfterTurn(
  content: ScenarioContent,
  difficulty: Difficulty,
  events: readonly StoredEventLike[],
  turnIndex: number,
): EngineState {
  const state = startState(content, difficulty);
  const flags = new Set<string>();
  const fired = new Set<string>();
  const moves = new Set(content.moves.map((move) => move.id));
  let pending: string[] = [];
  for (const event of events) {
    if (event.turn_index === null || event.turn_index > turnIndex) continue;
    if (event.kind === 'npc_turn') {
      event.payload.event_flags.forEach((flag) => flags.add(flag));
      for (const flag of event.payload.event_flags)
        if (moves.has(flag)) state.move_counts[flag] = (state.move_counts[flag] ?? 0) + 1;
      state.half_moves = [...state.half_moves, ...(event.payload.half_moves ?? [])];
      const { demo } = event.payload;
      if (demo !== undefined) state.demo_voice = true;
      if (demo !== undefined && demo.line !== null) state.demo_said = [...state.demo_said, demo.line];
    } else if (event.kind === 'state_delta') state.state_vars = { ...event.payload.state_vars };
    else if (event.kind === 'scenario_event') {
      for (const id of event.payload.flags) {
        flags.add(id);
        fired.add(id);
      }
      if (event.turn_index === turnIndex) pending = [...pending, ...event.payload.flags];
    }
  }
  return {
    ...state,
    flags: [...flags],
    fired_events: [...fired],
    player_turns: Math.floor(turnIndex / 2),
    turn_index: turnIndex,
    pending_instructions: pending,
  };
}
