import type { Difficulty, ScenarioContent } from '@parley/shared/contracts';
import { startState, type EngineState } from './engine-state';
import type { ExitOutcome, OpeningOutcome } from './turn-outcome';

/** The opening line as turn 1: what the start operation stores and tells. */
export function openSession(content: ScenarioContent, difficulty: Difficulty): OpeningOutcome {
  const state = { ...startState(content, difficulty), turn_index: 1 };
  const { npc_says: utterance, emotion } = content.opening;
  return {
    utterance,
    emotion,
    state,
    events: [{ turn_index: 1, kind: 'npc_opening', payload: { emotion, state_delta: {}, event_flags: [] } }],
    messages: [
      { type: 'npc.final', payload: { turn: 1, content: utterance, emotion, state_delta: {}, event_flags: [] } },
      {
        type: 'session.state',
        payload: { state: 'PlayerTurnListening', state_vars: state.state_vars, ending_type: null, ending_id: null },
      },
    ],
  };
}

/** The player ends the session: what the end operation stores and tells. No turn wrote the ending. */
export function playerExit(state: EngineState): ExitOutcome {
  const ending = { type: 'player_exit' as const, id: null };
  const payload = {
    state: 'Ended' as const,
    state_vars: state.state_vars,
    ending_type: ending.type,
    ending_id: ending.id,
  };
  return {
    ending,
    state,
    events: [{ turn_index: null, kind: 'ending', payload }],
    messages: [{ type: 'session.state', payload }],
  };
}
