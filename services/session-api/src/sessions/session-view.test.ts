import { DamagedRowError } from '@parley/shared/contracts';
import { startState } from '@parley/shared/engine';
import type { SessionRow } from '@parley/shared/store';
import { scenarioFixture } from '@parley/shared/testing';
import { engineState, sessionView } from './session-view';

describe('the state of the engine in a stored session', () => {
  const content = scenarioFixture();
  const state = startState(content, 'standard');
  const row = (engine_state: unknown): SessionRow =>
    ({ id: 'a-session', flow_state: 'PlayerTurnListening', flags: [], state_vars: {}, engine_state }) as never;

  it('is read as it was stored', () => {
    const played = { ...state, player_turns: 2, move_counts: { asks: 1 }, demo_said: [3], demo_voice: true };
    expect(engineState(row(played))).toEqual(played);
  });

  it('has counted no moves and no lines where it is older than they are', () => {
    const { move_counts, half_moves, demo_said, demo_voice, ...older } = state;
    expect(engineState(row(older))).toEqual({ ...older, move_counts, half_moves, demo_said, demo_voice });
  });

  it.each([
    ['no object', 'walnut'],
    ['without its variables', { ...state, state_vars: undefined }],
    ['with text for a number', { ...state, player_turns: 'walnut' }],
  ])('is refused by table, id and column, without a value, where it is damaged: %s', (_what, damaged) => {
    const told = (): unknown => engineState(row(damaged));
    expect(told).toThrow(DamagedRowError);
    expect(told).toThrow(/^(?!.*walnut).*table sessions, id a-session, column engine_state/);
  });

  it('leaves the session to be seen without a hint', () => {
    const context = { scenarios: { known: () => content } } as never;
    expect(sessionView(context, row('walnut'))).toMatchObject({ id: 'a-session', hint: null });
  });
});
