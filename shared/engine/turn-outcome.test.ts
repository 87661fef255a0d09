import { FALLBACK_UTTERANCE, RESOURCE_OFFER, type SafetyAction } from '@parley/shared/contracts';
import { moveFixture, scenarioFixture } from '../testing/scenario-fixture';
import { applyDeltas, applyEffects } from './deltas';
import { defaultDifficulty, effectiveMaxDelta } from './difficulty';
import { restingEmotion } from './emotions';
import { hintFor } from './hints';
import { unjudged } from './judging/judge-line';
import { limitObservations } from './observations';
import { openSession, playerExit } from './open-session';
import { resolveTurn } from './resolve-turn';
import { withoutReasons } from './stored-event-message';
import type { CleanReply, ParsedReply } from './reply/parsed-reply';
import { favourableDirection, flagVocabulary } from './vocabulary';

const content = scenarioFixture();
const { state } = openSession(content, 'standard');
const said = (changes: Partial<CleanReply> = {}): ParsedReply => ({
  kind: 'parsed',
  output: {
    npc_utterance: 'Two weeks?',
    npc_emotion: 'frustrated',
    state_delta: {},
    event_flags: [],
    rubric_observations: [],
    safety: { action: 'ok', reason: null },
    session_control: { end_session: false, reason: null },
    ...changes,
  },
  dropped: [{ member: 'safety', reason: 'missing' }],
  reason: null,
});
const base = { content, difficulty: 'standard', state, player_turn_index: 2 } as const;
const verdict = (action: SafetyAction, changes = {}) => ({
  action,
  category: 'legal_claim',
  reason: 'No law here.',
  redirect_text: 'Back to the part.',
  resource_text: null,
  ...changes,
});

/** What a turn writes and tells in which nothing moves. */
const quiet = (utterance: string, emotion: string, used_fallback: boolean) => ({
  npc_turn: { turn_index: 3, kind: 'npc_turn', payload: { emotion, state_delta: {}, event_flags: [], used_fallback } },
  state_delta: { turn_index: 3, kind: 'state_delta', payload: { delta: {}, state_vars: state.state_vars } },
  final: {
    type: 'npc.final',
    payload: { turn: 3, content: utterance, emotion, state_delta: {}, event_flags: [] },
  },
  delta: { type: 'scenario.state_delta', payload: { delta: {}, state_vars: state.state_vars } },
});
const nextState = { ...state, player_turns: 1, turn_index: 3 };
/** Nobody read the player's line. */
const unread = unjudged(1, 2);

describe('the whole outcome of a turn', () => {
  it('is the words of the character and nothing else when nothing moved', () => {
    const lines = quiet('Two weeks?', 'frustrated', false);
    expect(resolveTurn({ ...base, reply: said() })).toEqual({
      utterance: 'Two weeks?', emotion: 'frustrated', used_fallback: false, fallback_reason: null, delta: {}, event_flags: [], half_moves: [], judgement: unread, demo: null,
      fired: [], safety: null, ending: null, observations: [], rejected: [], dropped: [{ member: 'safety', reason: 'missing' }],
      state: nextState, events: [lines.npc_turn, lines.state_delta], messages: [lines.final, lines.delta],
    }); // prettier-ignore
  });

  it.each([
    [{ kind: 'failed', output: null, dropped: [], reason: 'empty' } as ParsedReply, 'empty'],
    [null, 'runtime_error'],
  ])('is the fallback without any effect when the answer is unusable', (reply, reason) => {
    const lines = quiet(FALLBACK_UTTERANCE, 'neutral', true);
    expect(resolveTurn({ ...base, reply })).toEqual({
      utterance: FALLBACK_UTTERANCE, emotion: 'neutral', used_fallback: true, fallback_reason: reason, delta: {}, event_flags: [], half_moves: [], judgement: unread, demo: null,
      fired: [], safety: null, ending: null, observations: [], rejected: [], dropped: [],
      state: nextState, events: [lines.npc_turn, lines.state_delta], messages: [lines.final, lines.delta],
    }); // prettier-ignore
  });

  it.each(['redirect', 'refuse'] as const)('is the line of the policy when the precheck says %s', (action) => {
    const lines = quiet('Back to the part.', 'neutral', false);
    expect(resolveTurn({ ...base, reply: null, precheck: verdict(action) })).toEqual({
      utterance: 'Back to the part.', emotion: 'neutral', used_fallback: false, fallback_reason: null, delta: {}, event_flags: [], half_moves: [], judgement: null, demo: null,
      fired: [], safety: { action, reason: 'No law here.' }, ending: null, observations: [], rejected: [], dropped: [], state: nextState,
      events: [lines.npc_turn, lines.state_delta, { turn_index: 3, kind: 'safety_redirect', payload: { action, reason: 'No law here.' } }],
      messages: [lines.final, lines.delta, { type: 'safety.redirect', payload: { reason: 'No law here.' } }],
    }); // prettier-ignore
  });

  it.each([
    ['stop', null, 'Back to the part.'],
    ['stop_with_resource_message', 'Call somebody.', 'Call somebody.'],
    ['stop_with_resource_message', null, "Let's stop here."],
  ] as const)('ends with the right line when the precheck says %s (%s)', (action, resource_text, line) => {
    const outcome = resolveTurn({ ...base, reply: null, precheck: verdict(action, { resource_text }) });
    const lines = quiet(line, 'neutral', false);
    const ended = { state: 'Ended', state_vars: state.state_vars, ending_type: 'safety_stop', ending_id: null };
    expect(outcome).toMatchObject({ utterance: line, ending: { type: 'safety_stop', id: null } });
    expect(outcome.events).toEqual([
      lines.npc_turn,
      lines.state_delta,
      { turn_index: 3, kind: 'safety_stop', payload: { action, reason: 'No law here.' } },
      { turn_index: 3, kind: 'ending', payload: ended },
    ]);
    expect(outcome.messages).toEqual([lines.final, lines.delta, { type: 'session.state', payload: ended }]);
  });

  it('is that of the model when the precheck lets the words pass', () => {
    const passed = { action: 'ok', category: null, reason: null, redirect_text: null, resource_text: null } as const;
    expect(resolveTurn({ ...base, reply: said(), precheck: passed })).toEqual(resolveTurn({ ...base, reply: said() }));
  });

  it('tells of changes, events, a redirection by the model and the ending, in this order', () => {
    const changed = { ...state, state_vars: { ...state.state_vars, alarm: 25, trust: 40, objective_progress: 79 } };
    const outcome = resolveTurn({
      ...base,
      state: changed,
      reply: said({
        state_delta: { alarm: 5, trust: 8, objective_progress: 8 },
        event_flags: ['plain_news', 'asks_need'],
        safety: { action: 'redirect', reason: 'off the matter' },
        rubric_observations: [{ dimension: 'clarity', delta: 4, note: 'plain' }],
      }),
    });
    const delta = { trust: 8, patience: -5, pressure: 10, objective_progress: 10 };
    expect(outcome.delta).toEqual(delta);
    const state_vars = {
      ...changed.state_vars,
      trust: 48,
      patience: 55,
      pressure: 40,
      objective_progress: 89,
      alarm: 25,
    };
    const rung = { flags: ['customer_calls'], narration: 'The phone on the bench rings.' };
    const ended = { state: 'Ended', state_vars, ending_type: 'success', ending_id: 'date_agreed' };
    expect(outcome.messages).toEqual([
      {
        type: 'npc.final',
        payload: {
          turn: 3,
          content: 'Two weeks?',
          emotion: 'frustrated',
          state_delta: delta,
          event_flags: ['plain_news', 'asks_need'],
        },
      },
      { type: 'scenario.state_delta', payload: { delta, state_vars } },
      { type: 'scenario.event', payload: rung },
      { type: 'safety.redirect', payload: { reason: 'off the matter' } },
      { type: 'session.state', payload: ended },
    ]);
    expect(outcome.events.map((event) => [event.kind, event.turn_index])).toEqual([
      ['npc_turn', 3],
      ['state_delta', 3],
      ['scenario_event', 3],
      ['safety_redirect', 3],
      ['ending', 3],
    ]);
    expect(outcome.events.at(2)).toEqual({ turn_index: 3, kind: 'scenario_event', payload: rung });
    expect(outcome.observations).toEqual([{ dimension: 'clarity', delta: 4, note: 'plain' }]);
    expect(outcome.state).toEqual({
      state_vars,
      flags: ['plain_news', 'asks_need', 'customer_calls'],
      fired_events: ['customer_calls'],
      player_turns: 1,
      turn_index: 3,
      pending_instructions: ['customer_calls'],
      move_counts: { plain_news: 1, asks_need: 1 },
      half_moves: [],
      demo_said: [],
      demo_voice: false,
    });
  });

  it('raises the wish to end for the one turn only, and only when it was uttered', () => {
    const late = { ...state, player_turns: 2 };
    const wish = { end_session: true, reason: null };
    expect(resolveTurn({ ...base, state: late, reply: said({ session_control: wish }) }).ending).toEqual({
      type: 'timeout',
      id: 'she_leaves',
    });
    expect(resolveTurn({ ...base, state: late, reply: said() }).ending).toBeNull();
    expect(resolveTurn({ ...base, state: late, reply: said({ session_control: wish }) }).state.flags).toEqual([]);
  });
});

describe('opening and leaving', () => {
  it('tell and store one thing each', () => {
    const payload = {
      turn: 1,
      content: content.opening.npc_says,
      emotion: 'curious',
      state_delta: {},
      event_flags: [],
    };
    const listening = {
      state: 'PlayerTurnListening',
      state_vars: state.state_vars,
      ending_type: null,
      ending_id: null,
    };
    expect(openSession(content, 'standard')).toEqual({
      utterance: 'You said you had news about my part.',
      emotion: 'curious',
      state: { ...state, turn_index: 1 },
      events: [
        { turn_index: 1, kind: 'npc_opening', payload: { emotion: 'curious', state_delta: {}, event_flags: [] } },
      ],
      messages: [
        { type: 'npc.final', payload },
        { type: 'session.state', payload: listening },
      ],
    });
    const ended = { state: 'Ended', state_vars: state.state_vars, ending_type: 'player_exit', ending_id: null };
    expect(playerExit(state)).toEqual({
      ending: { type: 'player_exit', id: null },
      state,
      events: [{ turn_index: null, kind: 'ending', payload: ended }],
      messages: [{ type: 'session.state', payload: ended }],
    });
  });
});

describe('rules of the state', () => {
  it('give nothing good of what moves earn, and take at most half of it', () => {
    const moves = [moveFixture('plain_news', { trust: 8, rapport: 0 }), moveFixture('asks_need', { trust: 2 })];
    const scenario = scenarioFixture({ moves });
    const apply = (delta: Record<string, number>) =>
      applyDeltas(scenario, 'standard', { trust: 50, rapport: 50 }, delta);
    expect(apply({ trust: 4 }).rejected).toEqual([{ reason: 'needs_move', name: 'trust' }]);
    expect(apply({ trust: 4 }).values.get('trust')).toBe(50);
    expect(apply({ trust: -4 }).values.get('trust')).toBe(46);
    expect(apply({ trust: -20 }).values.get('trust')).toBe(40);
    expect(apply({ rapport: -4 }).values.get('rapport')).toBe(46);
    expect(apply({ rapport: 4 }).values.get('rapport')).toBe(54);
    expect(apply({ trust: 0 }).rejected).toEqual([]);
  });

  it('pass over effects on variables that do not exist', () => {
    const values = new Map([['trust', 50]]);
    applyEffects(content, values, { trust: 5, made_up: 9 });
    expect([...values]).toEqual([['trust', 55]]);
  });

  it('scale no bound where the preset does not say how, and none below one', () => {
    const scenario = scenarioFixture();
    expect(effectiveMaxDelta(scenario, 'warm', 'trust')).toBe(20);
    scenario.difficulty.options.standard!.volatility = null;
    expect(effectiveMaxDelta(scenario, 'standard', 'trust')).toBe(20);
    scenario.difficulty.options.standard!.volatility = 100;
    scenario.variables.trust!.max_delta_per_turn = 1;
    expect(effectiveMaxDelta(scenario, 'standard', 'trust')).toBe(2);
    scenario.difficulty.default = 'warm';
    expect(defaultDifficulty(scenario)).toBe('standard');
  });

  it('let a character without a neutral face rest in the first it has', () => {
    const scenario = scenarioFixture();
    scenario.npc.emotions = ['warm', 'angry'];
    expect(restingEmotion(scenario)).toBe('warm');
    scenario.npc.emotions = ['warm', 'neutral'];
    expect(restingEmotion(scenario)).toBe('neutral');
    scenario.npc.emotions = [];
    expect(restingEmotion(scenario)).toBe('neutral');
  });

  it('give a hint on a flag only once it was raised', () => {
    const scenario = scenarioFixture({
      hints: [{ when: [{ type: 'flag', flag_id: 'plain_news' }], text: 'Now ask.' }],
    });
    expect(hintFor(scenario, state)).toBeNull();
    expect(hintFor(scenario, { ...state, flags: ['other'] })).toBeNull();
    expect(hintFor(scenario, { ...state, flags: ['plain_news'] })).toBe('Now ask.');
  });

  it('count no observation of an unknown dimension or beyond ten points', () => {
    const observations = [
      { dimension: 'made_up', delta: 3, note: '' },
      { dimension: 'clarity', delta: 11, note: '' },
      { dimension: 'clarity', delta: -11, note: '' },
      { dimension: 'clarity', delta: 10, note: 'kept' },
    ];
    expect(limitObservations(content, observations)).toEqual([{ dimension: 'clarity', delta: 10, note: 'kept' }]);
  });

  it('take only the reasons out of safety events', () => {
    const events = [
      { turn_index: 3, kind: 'safety_redirect' as const, payload: { action: 'refuse' as const, reason: 'r' } },
      { turn_index: 5, kind: 'safety_stop' as const, payload: { action: 'stop' as const, reason: 'r' } },
    ];
    expect(withoutReasons(events)).toEqual([
      { turn_index: 3, kind: 'safety_redirect', payload: { action: 'refuse', reason: null } },
      { turn_index: 5, kind: 'safety_stop', payload: { action: 'stop', reason: null } },
    ]);
  });

  it("keep the help that is offered, which is nobody's words", () => {
    const payload = { action: 'redirect' as const, reason: RESOURCE_OFFER };
    const events = [{ turn_index: 3, kind: 'safety_redirect' as const, payload }];
    expect(withoutReasons(events)).toEqual(events);
  });

  it('keep ids of events and the wish to end out of the vocabulary', () => {
    expect(flagVocabulary(content)).toEqual(['plain_news', 'asks_need', 'false_promise']);
    const scenario = scenarioFixture();
    scenario.endings[2]!.when = [{ type: 'flag', flag_id: 'customer_calls' }];
    scenario.hints[0]!.when = [{ type: 'flag', flag_id: 'asked_twice' }];
    expect(flagVocabulary(scenario)).toEqual(['plain_news', 'asks_need', 'false_promise', 'asked_twice']);
  });

  it('see which way is favourable from success, then failure, then moves', () => {
    const above = (variable: string) => ({ type: 'variable_above' as const, variable, threshold: 50 });
    const below = (variable: string) => ({ type: 'variable_below' as const, variable, threshold: 50 });
    const ending = (type: 'success' | 'failure' | 'timeout', ...when: ReturnType<typeof above | typeof below>[]) => ({
      id: null,
      type,
      title: null,
      debrief_note: null,
      when,
    });
    const scenario = scenarioFixture({
      endings: [
        ending('timeout', above('alarm')),
        ending('failure', above('trust'), below('rapport'), above('pressure'), below('patience')),
        ending('success', above('trust'), below('rapport')),
      ],
      moves: [moveFixture('m', { alarm: 0, openness: 4, objective_progress: -2, pressure: 3 })],
    });
    const ways = ['trust', 'rapport', 'pressure', 'patience', 'openness', 'objective_progress', 'alarm', 'made_up'];
    expect(ways.map((variable) => favourableDirection(scenario, variable))).toEqual([
      'up',
      'down',
      'down',
      'up',
      'up',
      'down',
      null,
      null,
    ]);
  });
});
