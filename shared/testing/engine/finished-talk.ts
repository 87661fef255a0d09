import { scenarioFixture } from '../scenario-fixture';
import type { StoredEventLike } from '../../engine/engine-state';
import { openSession } from '../../engine/open-session';
import { scoreSession, type ScoredObservation } from '../../engine/debrief/scoring';
import { turningPoints } from '../../engine/debrief/turning-points';

/** A short talk that ended badly, with its events and observations: what the tests of this folder look at. */
export const content = scenarioFixture();
export const start = openSession(content, 'standard');
export const values = start.state.state_vars;
export const turns = [
  { index: 1, role: 'npc' as const, text: 'You said you had news about my part.' },
  { index: 2, role: 'player' as const, text: 'Yes. It comes two weeks late, and I’m sorry.' },
  { index: 3, role: 'npc' as const, text: 'Two weeks? I have promised the kitchen for Friday.' },
  { index: 4, role: 'player' as const, text: 'Calm down, it is only a part.' },
  { index: 5, role: 'npc' as const, text: 'Only a part.' },
];
export const delta = (
  turn: number,
  changes: Record<string, number>,
  after: Record<string, number>,
): StoredEventLike => ({
  turn_index: turn,
  kind: 'state_delta',
  payload: { delta: changes, state_vars: { ...values, ...after } },
});
export const npcTurn = (turn: number, flags: string[]): StoredEventLike => ({
  turn_index: turn,
  kind: 'npc_turn',
  payload: { emotion: 'neutral', state_delta: {}, event_flags: flags, used_fallback: false },
});
export const events: StoredEventLike[] = [
  ...start.events,
  npcTurn(3, ['plain_news']),
  delta(3, { trust: 12 }, { trust: 62 }),
  npcTurn(5, ['false_promise']),
  delta(5, { patience: -15, trust: -1 }, { trust: 61, patience: 45 }),
  {
    turn_index: 5,
    kind: 'scenario_event',
    payload: { flags: ['customer_calls'], narration: 'The phone on the bench rings.' },
  },
  { turn_index: 5, kind: 'safety_redirect', payload: { action: 'redirect', reason: null } },
];
const observations: ScoredObservation[] = [
  { turn: 2, dimension: 'clarity', delta: 8, note: 'said the delay at once' },
  { turn: 4, dimension: 'clarity', delta: -3, note: null },
  { turn: 4, dimension: 'listening', delta: -6, note: 'brushed her worry aside' },
];
export const scores = scoreSession(content, observations, { clarity: 70 });
export const points = turningPoints(content, events);
export const ending = { type: 'failure' as const, id: 'shown_out' };
export const context = { content, turns };
