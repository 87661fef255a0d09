import type { EngineState } from '@parley/shared/engine';
import type { SessionRow } from '@parley/shared/store';

type InPlay = Pick<SessionRow, 'flow_state' | 'state_vars' | 'flags' | 'engine_state' | 'ending_type' | 'ending_id'>;

/** A talk that waits for the player's next line in this state, whatever it has ended with since. */
export const inPlay = (state: EngineState): InPlay => ({
  flow_state: 'PlayerTurnListening',
  state_vars: state.state_vars,
  flags: state.flags,
  engine_state: state,
  ending_type: null,
  ending_id: null,
});
