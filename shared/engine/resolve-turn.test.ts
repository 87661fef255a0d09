import { FALLBACK_UTTERANCE } from '@parley/shared/contracts';
import { scenarioFixture } from '../testing/scenario-fixture';
import { compileScenario } from './compiled-scenario';
import { openSession } from './open-session';
import { parseReply } from './reply/parse-reply';
import { failedReply } from './reply/parsed-reply';
import { resolveTurn } from './resolve-turn';

const content = scenarioFixture();
const opened = openSession(content, 'standard').state;

const answer = (members: object = {}) =>
  parseReply(
    JSON.stringify({
      npc_utterance: 'Go on.',
      npc_emotion: 'curious',
      state_delta: {},
      event_flags: [],
      rubric_observations: [],
      safety: { action: 'ok', reason: null },
      session_control: { end_session: false, reason: null },
      ...members,
    }),
    null,
    compileScenario(content),
  );

const turn = (members: object = {}, state = opened) =>
  resolveTurn({
    content,
    difficulty: 'standard',
    state,
    reply: answer(members),
    player_turn_index: state.turn_index + 1,
  });

describe('resolveTurn', () => {
  it('clamps a change to what the variable may move in a turn and reports unknown variables', () => {
    const outcome = turn({ state_delta: { rapport: 90, nonsense: 4 } });
    expect(outcome.delta).toEqual({ rapport: 20 });
    expect(outcome.state.state_vars.rapport).toBe(70);
    expect(outcome.rejected).toEqual([{ reason: 'unknown_variable', name: null }]);
  });

  it('gives what a move earns by itself, and nothing good that the model gives in its place', () => {
    expect(turn({ state_delta: { trust: 8 } }).delta).toEqual({});
    expect(turn({ state_delta: { trust: 8 } }).rejected).toEqual([{ reason: 'needs_move', name: 'trust' }]);
    expect(turn({ state_delta: { trust: 8 }, event_flags: ['plain_news'] }).delta).toEqual({ trust: 8, alarm: -4 });
    expect(turn({ state_delta: { trust: 8 }, event_flags: ['asks_need'] }).delta).toEqual({ objective_progress: 10 });
    expect(turn({ state_delta: { trust: -8 } }).delta).toEqual({ trust: -8 });
  });

  it('fires an event once, applies its effects, raises its id and keeps its instruction for the next turn', () => {
    const state = { ...opened, state_vars: { ...opened.state_vars, alarm: 20, pressure: 95 } };
    const outcome = turn({ state_delta: { alarm: 5 } }, state);
    expect(outcome.fired).toEqual([{ id: 'customer_calls', narration: 'The phone on the bench rings.' }]);
    expect(outcome.delta).toEqual({ alarm: 4, pressure: 5, patience: -5 });
    expect(outcome.state.flags).toEqual(['customer_calls']);
    expect(outcome.state.pending_instructions).toEqual(['customer_calls']);
    const next = turn({}, outcome.state);
    expect(next.fired).toEqual([]);
    expect(next.state.pending_instructions).toEqual([]);
    expect(next.state.fired_events).toEqual(['customer_calls']);
  });

  it('lets an event that repeats fire again', () => {
    const state = { ...opened, flags: ['plain_news'], state_vars: { ...opened.state_vars, trust: 61 } };
    const first = turn({}, state);
    const second = turn({}, first.state);
    expect([first, second].map((outcome) => outcome.fired.map((event) => event.id))).toEqual([
      ['coffee_offered'],
      ['coffee_offered'],
    ]);
    expect(second.state.fired_events).toEqual(['coffee_offered']);
  });

  it('prefers success to failure to timeout and a safety stop to all', () => {
    const state = {
      ...opened,
      player_turns: 9,
      state_vars: { ...opened.state_vars, objective_progress: 85, patience: 5 },
    };
    expect(turn({}, state).ending).toEqual({ type: 'success', id: 'date_agreed' });
    expect(turn({ event_flags: ['false_promise'] }, { ...opened, player_turns: 9 }).ending).toEqual({
      type: 'failure',
      id: 'false_promise_made',
    });
    expect(turn({}, { ...opened, player_turns: 9 }).ending).toEqual({ type: 'timeout', id: null });
    expect(turn({ safety: { action: 'stop', reason: 'x' } }, state).ending).toEqual({ type: 'safety_stop', id: null });
    expect(turn({}, { ...opened, player_turns: 8 }).ending).toBeNull();
  });

  it("lets the character's wish to end decide nothing but the scenario's own conditions", () => {
    const wish = { session_control: { end_session: true, reason: null } };
    expect(turn(wish).ending).toBeNull();
    const outcome = turn(wish, { ...opened, player_turns: 2 });
    expect(outcome.ending).toEqual({ type: 'timeout', id: 'she_leaves' });
    expect(outcome.state.flags).toEqual([]);
    expect(outcome.event_flags).toEqual([]);
  });

  it('drops event ids and the end flag from what the model may raise', () => {
    const outcome = turn({ event_flags: ['customer_calls', 'npc_requests_end', 'false_promise', 'false_promise'] });
    expect(outcome.event_flags).toEqual(['false_promise']);
  });

  it('writes and tells one turn in the order of docs/contract.md', () => {
    const state = { ...opened, player_turns: 9, state_vars: { ...opened.state_vars, alarm: 30 } };
    const redirected = turn({ safety: { action: 'refuse', reason: 'off topic' } }, state);
    expect(redirected.events.map((event) => event.kind)).toEqual([
      'npc_turn',
      'state_delta',
      'scenario_event',
      'safety_redirect',
      'ending',
    ]);
    expect(redirected.messages.map((message) => message.type)).toEqual([
      'npc.final',
      'scenario.state_delta',
      'scenario.event',
      'safety.redirect',
      'session.state',
    ]);
    const stopped = turn({ safety: { action: 'stop_with_resource_message', reason: null } });
    expect(stopped.events.map((event) => event.kind)).toEqual(['npc_turn', 'state_delta', 'safety_stop', 'ending']);
    expect(stopped.messages.map((message) => message.type)).toEqual([
      'npc.final',
      'scenario.state_delta',
      'session.state',
    ]);
    expect(turn().messages.map((message) => message.type)).toEqual(['npc.final', 'scenario.state_delta']);
  });

  it('puts the fallback utterance in the place of an unusable answer and still counts the turn', () => {
    const outcome = resolveTurn({
      content,
      difficulty: 'standard',
      state: { ...opened, player_turns: 9 },
      reply: failedReply('runtime_error'),
      player_turn_index: 20,
    });
    expect(outcome).toMatchObject({
      utterance: FALLBACK_UTTERANCE,
      used_fallback: true,
      fallback_reason: 'runtime_error',
      delta: {},
      ending: { type: 'timeout', id: null },
    });
    expect(outcome.state.turn_index).toBe(21);
  });

  it('adds observations of one dimension up to its limit', () => {
    const observe = (dimension: string, delta: number) => ({ dimension, delta, note: 'seen' });
    const outcome = turn({
      rubric_observations: [
        observe('listening', 4),
        observe('listening', 5),
        observe('listening', -9),
        observe('clarity', 10),
      ],
    });
    expect(outcome.observations.map(({ dimension, delta }) => [dimension, delta])).toEqual([
      ['listening', 4],
      ['listening', 2],
      ['listening', -9],
      ['clarity', 10],
    ]);
  });

  it('answers in character from the policy when the precheck redirects, and ends when it stops', () => {
    const verdict = { category: 'x', reason: 'Why.', redirect_text: 'Back to it.', resource_text: null };
    const run = (precheck: Parameters<typeof resolveTurn>[0]['precheck']) =>
      resolveTurn({
        content,
        difficulty: 'standard',
        state: opened,
        reply: null,
        player_turn_index: 2,
        ...(precheck ? { precheck } : {}),
      });
    const redirected = run({ ...verdict, action: 'redirect' });
    expect(redirected).toMatchObject({ utterance: 'Back to it.', used_fallback: false, ending: null, delta: {} });
    expect(redirected.safety).toEqual({ action: 'redirect', reason: 'Why.' });
    const stopped = run({ ...verdict, action: 'stop_with_resource_message', resource_text: 'Call someone.' });
    expect(stopped).toMatchObject({ utterance: 'Call someone.', ending: { type: 'safety_stop' } });
  });

  it('does not change the state that it was given', () => {
    const before = JSON.stringify(opened);
    turn({ state_delta: { rapport: 5 }, event_flags: ['false_promise'] });
    expect(JSON.stringify(opened)).toBe(before);
  });
});
