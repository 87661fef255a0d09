import type { StoredEvent, Turn } from '@parley/shared/contracts';
import { RESOURCE_OFFER } from '../client/route-paths';
import { fromStoredEvents, mergeTurns, retryPoint } from './play-state';

const turn = (index: number): Turn => ({
  index,
  role: index % 2 === 1 ? 'npc' : 'player',
  text: `turn ${index}`,
  emotion: null,
  used_fallback: false,
  created_at: '2026-01-01T00:00:00.000Z',
});
const five = [1, 2, 3, 4, 5].map(turn);

describe('retryPoint', () => {
  it.each([
    [2, 1],
    [4, 3],
    [5, 5],
    [3, 3],
  ])('lets turn %i of a running talk be said again from turn %i', (index, from) => {
    expect(retryPoint(five, index, false)).toBe(from);
  });

  it('goes back before the reply that ended the talk', () => {
    expect(retryPoint(five, 5, true)).toBe(3);
    expect(retryPoint(five, 4, true)).toBe(3);
  });

  it('finds nothing before the first words of the character', () => {
    expect(retryPoint([turn(1)], 1, true)).toBeNull();
    expect(retryPoint(five, 0, false)).toBeNull();
  });
});

describe('mergeTurns', () => {
  it('keeps one turn an index, the newer one, in order', () => {
    const newer = { ...turn(2), text: 'newer' };
    expect(mergeTurns([turn(1), turn(2)], [turn(3), newer]).map((one) => one.text)).toEqual([
      'turn 1',
      'newer',
      'turn 3',
    ]);
  });
});

describe('fromStoredEvents', () => {
  it('shows narrations and redirects at their turns, and the changes of the last turn', () => {
    const base = { session_id: 'a-session-of-the-test', created_at: '2026-01-01T00:00:00.000Z' };
    const events = [
      { ...base, id: 1, turn_index: 3, kind: 'state_delta', payload: { delta: { trust: 5 }, state_vars: {} } },
      { ...base, id: 2, turn_index: 3, kind: 'scenario_event', payload: { flags: ['a'], narration: 'A mail.' } },
      { ...base, id: 3, turn_index: 5, kind: 'state_delta', payload: { delta: { trust: -2 }, state_vars: {} } },
      { ...base, id: 4, turn_index: 5, kind: 'scenario_event', payload: { flags: ['b'], narration: null } },
      { ...base, id: 5, turn_index: 5, kind: 'safety_redirect', payload: { action: 'redirect', reason: null } },
    ] as StoredEvent[];
    expect(fromStoredEvents(events)).toEqual({
      lastDelta: { trust: -2 },
      happenings: [
        { turn: 3, kind: 'event', text: 'A mail.' },
        { turn: 5, kind: 'redirect', text: null },
      ],
    });
  });

  it('shows the help that is offered after a false alarm, and no reason that a model gave', () => {
    const base = { session_id: 'a-session-of-the-test', created_at: '2026-01-01T00:00:00.000Z', turn_index: 3 };
    const redirect = (reason: string) =>
      ({ ...base, id: 1, kind: 'safety_redirect', payload: { action: 'redirect', reason } }) as StoredEvent;
    expect(fromStoredEvents([redirect(RESOURCE_OFFER)]).happenings).toEqual([
      { turn: 3, kind: 'help', text: RESOURCE_OFFER },
    ]);
    expect(fromStoredEvents([redirect('The player seems upset.')]).happenings).toEqual([
      { turn: 3, kind: 'redirect', text: null },
    ]);
  });
});
