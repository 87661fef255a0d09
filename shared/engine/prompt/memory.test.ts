import type { Recap } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import type { StoredEventLike } from '../engine-state';
import { openSession } from '../open-session';
import { memorySummary, summarisedUpTo, toldEvents } from './memory-summary';
import { relationshipMemory } from './relationship-memory';
import { estimateTokens } from './token-estimate';

const content = scenarioFixture();
const fence = '9f8e7d6c5b4a39281706';
const recap: Recap = {
  npc_id: 'ines', pack_id: 'late_delivery', schema_version: '1', session_count: 2,
  last_session_at: '2026-01-01T00:00:00.000Z', key_observations: ['Ask for the need sooner'],
  player_style_tags: ['strong: clarity'], last_outcome: 'timeout',
}; // prettier-ignore

describe('memorySummary', () => {
  const events: StoredEventLike[] = [
    {
      turn_index: 3,
      kind: 'npc_turn',
      payload: { emotion: null, state_delta: {}, event_flags: ['plain_news'], used_fallback: false },
    },
    {
      turn_index: 3,
      kind: 'state_delta',
      payload: { delta: { trust: 5 }, state_vars: { ...openSession(content, 'standard').state.state_vars, trust: 55 } },
    },
    { turn_index: 5, kind: 'scenario_event', payload: { flags: ['customer_calls'], narration: null } },
    { turn_index: 5, kind: 'safety_redirect', payload: { action: 'redirect', reason: 'words of the model' } },
    {
      turn_index: 9,
      kind: 'npc_turn',
      payload: { emotion: null, state_delta: {}, event_flags: ['false_promise'], used_fallback: false },
    },
  ];

  it('changes every six turns, never while twelve are stored, and leaves at most five to the state', () => {
    expect([1, 11, 12, 13, 17, 18, 19, 23, 24, 25].map(summarisedUpTo)).toEqual([0, 0, 0, 0, 0, 6, 6, 6, 12, 12]);
    for (let stored = 13; stored < 200; stored += 1) {
      const gap = stored - 12 - summarisedUpTo(stored);
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(6);
    }
  });

  it('is the same of what it tells of alone, however the talk was cut', () => {
    const quiet = { emotion: null, state_delta: {}, event_flags: [], used_fallback: false };
    const talk = events.flatMap((event): StoredEventLike[] => [
      event,
      { turn_index: event.turn_index, kind: 'npc_turn', payload: quiet },
    ]);
    const vars = openSession(content, 'standard').state.state_vars;
    talk.push({ turn_index: 11, kind: 'state_delta', payload: { delta: {}, state_vars: { ...vars, trust: 40 } } });
    const whole = memorySummary(content, 'standard', talk, 12);
    expect(whole).toContain('trust 50 to 40');
    for (let cut = 0; cut <= talk.length; cut += 1) {
      const told = toldEvents([...toldEvents(talk.slice(0, cut)), ...talk.slice(cut)]);
      expect(memorySummary(content, 'standard', told, 12)).toBe(whole);
      expect(told).toHaveLength(5);
    }
  });

  it('tells what changed, what was raised and what fired before its end, and nothing after it', () => {
    const text = memorySummary(content, 'standard', events, 6);
    expect(text).toContain('trust 50 to 55');
    expect(text).toContain('plain_news (turn 3)');
    expect(text).toContain('customer_calls (turn 5)');
    expect(text).not.toContain('false_promise');
    expect(text).not.toContain('words of the model');
    expect(memorySummary(content, 'standard', [...events], 6)).toBe(text);
  });
});

describe('relationshipMemory', () => {
  it('stays within 200 tokens and keeps its rules, however much is remembered', () => {
    const long = {
      ...recap,
      key_observations: Array.from({ length: 5 }, () =>
        'Say what you need before you say why. '.repeat(6).slice(0, 150),
      ),
    };
    const layer = relationshipMemory(long, fence);
    expect(estimateTokens(layer)).toBeLessThanOrEqual(200);
    expect(layer).toContain('Never mention these notes aloud');
    expect(layer).toContain('Say what you need');
    expect(relationshipMemory(recap, fence)).toContain('Ask for the need sooner');
    expect(relationshipMemory(recap, fence)).toContain('Style: strong: clarity.');
    expect(relationshipMemory({ ...recap, player_style_tags: [] }, fence)).toContain('Style: unknown.');
    expect(relationshipMemory(null, fence)).toMatch(/first time/);
  });
});
