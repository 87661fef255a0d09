import fc from 'fast-check';
import { ENDING_TYPES, type Difficulty } from '@parley/shared/contracts';
import { scenarioFixture } from '../testing/scenario-fixture';
import { compileScenario } from './compiled-scenario';
import { allowedDifficulties, defaultDifficulty, effectiveMaxDelta } from './difficulty';
import { startState, stateAfterTurn, type EngineState, type StoredEventLike } from './engine-state';
import { hintFor } from './hints';
import { openSession, playerExit } from './open-session';
import { parseReply } from './reply/parse-reply';
import { resolveTurn } from './resolve-turn';
import { storedEventMessage, withoutReasons } from './stored-event-message';

const content = scenarioFixture();

describe('startState', () => {
  it('takes starts from the preset where the scenario itself sets none', () => {
    expect(startState(content, 'standard').state_vars).toEqual({
      trust: 50,
      patience: 60,
      pressure: 30,
      rapport: 50,
      openness: 45,
      objective_progress: 0,
      alarm: 10,
    });
    expect(startState(content, 'hard').state_vars).toMatchObject({ patience: 60, openness: 20, pressure: 60 });
    const plain = scenarioFixture({ difficulty: { declared: false, default: 'standard', options: {} } });
    expect(startState(plain, 'adversarial').state_vars).toMatchObject({ openness: 50, pressure: 25 });
  });

  it('keeps a preset inside the bounds of the variable', () => {
    const narrow = scenarioFixture();
    narrow.variables.openness = {
      min: 30,
      max: 40,
      default: 35,
      visibility: 'visible',
      max_delta_per_turn: 5,
      authored: false,
    };
    expect(startState(narrow, 'hard').state_vars.openness).toBe(30);
    expect(startState(narrow, 'standard').state_vars.openness).toBe(40);
  });
});

describe('difficulty', () => {
  it('offers the presets that are listed, or all four without a block', () => {
    expect(allowedDifficulties(content)).toEqual(['standard', 'hard']);
    const plain = scenarioFixture({ difficulty: { declared: false, default: 'standard', options: {} } });
    expect(allowedDifficulties(plain)).toEqual(['warm', 'standard', 'hard', 'adversarial']);
    expect(defaultDifficulty(content)).toBe('standard');
    const odd = scenarioFixture();
    odd.difficulty.default = 'warm';
    delete odd.difficulty.options.standard;
    expect(defaultDifficulty(odd)).toBe('hard');
  });

  it.each([
    [20, 50, 20],
    [20, 90, 28],
    [15, 90, 21],
    [15, 0, 8],
    [1, 0, 1],
    [3, 0, 2],
    [5, 40, 5],
    [5, 30, 4],
    [0, 100, 0],
    [100, 100, 150],
  ])('scales a bound of %d at volatility %d to %d, halves going up', (bound, volatility, expected) => {
    const scaled = scenarioFixture();
    scaled.variables.trust = { ...scaled.variables.trust!, max_delta_per_turn: bound };
    scaled.difficulty.options.hard!.volatility = volatility;
    expect(effectiveMaxDelta(scaled, 'hard', 'trust')).toBe(expected);
  });

  it('takes all four where a difficulty block lists none', () => {
    const empty = scenarioFixture({ difficulty: { declared: true, default: 'hard', options: {} } });
    expect(allowedDifficulties(empty)).toHaveLength(4);
    expect(defaultDifficulty(empty)).toBe('hard');
  });

  it('allows nothing of a variable that does not exist', () => {
    expect(effectiveMaxDelta(content, 'standard', '__proto__')).toBe(0);
  });
});

describe('hintFor', () => {
  it('wants every condition of a hint to hold', () => {
    const both = scenarioFixture();
    both.hints = [{ when: [...both.hints.flatMap((hint) => hint.when)], text: 'Both.' }];
    const state = { ...startState(content, 'standard'), player_turns: 2 };
    expect(hintFor(both, state)).toBeNull();
    expect(hintFor(both, { ...state, state_vars: { ...state.state_vars, patience: 39 } })).toBe('Both.');
  });

  it('answers the first hint that fits now', () => {
    const state = startState(content, 'standard');
    expect(hintFor(content, state)).toBeNull();
    expect(hintFor(content, { ...state, player_turns: 2 })).toBe('Ask what the delay costs her.');
    const impatient = { ...state, player_turns: 2, state_vars: { ...state.state_vars, patience: 39 } };
    expect(hintFor(content, impatient)).toBe('Say the news in one sentence.');
  });
});

describe('openSession and playerExit', () => {
  it('open with turn 1 and the listening state', () => {
    const opening = openSession(content, 'standard');
    expect(opening).toMatchObject({ utterance: 'You said you had news about my part.', emotion: 'curious' });
    expect(opening.state).toMatchObject({ turn_index: 1, player_turns: 0 });
    expect(opening.events).toEqual([
      { turn_index: 1, kind: 'npc_opening', payload: { emotion: 'curious', state_delta: {}, event_flags: [] } },
    ]);
    expect(opening.messages.map((message) => message.type)).toEqual(['npc.final', 'session.state']);
  });

  it('end with an ending that no turn wrote', () => {
    const { state } = openSession(content, 'standard');
    const exit = playerExit(state);
    const payload = { state: 'Ended', state_vars: state.state_vars, ending_type: 'player_exit', ending_id: null };
    expect(exit.events).toEqual([{ turn_index: null, kind: 'ending', payload }]);
    expect(exit.messages).toEqual([{ type: 'session.state', payload }]);
  });
});

/** Any answers of a model, likely ones and wild ones. */
const delta = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.integer(), fc.constant(1e300), fc.constant(-0));
const answers = fc.array(
  fc.record({
    npc_utterance: fc.constant('Hm.'),
    npc_emotion: fc.constantFrom('neutral', 'angry', 'made_up'),
    state_delta: fc.dictionary(
      fc.constantFrom(...Object.keys(content.variables), 'nonsense', '__proto__', 'constructor'),
      delta,
    ),
    event_flags: fc.array(
      fc.constantFrom('plain_news', 'asks_need', 'false_promise', 'customer_calls', 'npc_requests_end', 'x'),
      { maxLength: 4 },
    ),
    rubric_observations: fc.array(
      fc.record({
        dimension: fc.constantFrom('clarity', 'listening', 'x'),
        delta: fc.integer({ min: -12, max: 12 }),
        note: fc.constant('n'),
      }),
      { maxLength: 5 },
    ),
    safety: fc.record({
      action: fc.constantFrom('ok', 'ok', 'ok', 'redirect', 'refuse', 'stop'),
      reason: fc.constant(null),
    }),
    session_control: fc.record({ end_session: fc.boolean(), reason: fc.constant(null) }),
  }),
  { maxLength: 14 },
);

describe('any sequence of answers', () => {
  const play = (sequence: readonly object[], difficulty: Difficulty) => {
    const opening = openSession(content, difficulty);
    const outcomes: ReturnType<typeof resolveTurn>[] = [];
    let state: EngineState = opening.state;
    for (const answer of sequence) {
      const reply = parseReply(JSON.stringify(answer), null, compileScenario(content));
      const outcome = resolveTurn({ content, difficulty, state, reply, player_turn_index: state.turn_index + 1 });
      outcomes.push(outcome);
      state = outcome.state;
      if (outcome.ending) break;
    }
    return { opening, outcomes };
  };

  it('keeps every invariant of the engine', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom<Difficulty>('standard', 'hard'), (sequence, difficulty) => {
        const { opening, outcomes } = play(sequence, difficulty);
        let before = opening.state;
        const fired: string[] = [];
        for (const outcome of outcomes) {
          expect(Object.keys(outcome.state.state_vars)).toEqual(Object.keys(content.variables));
          for (const [name, variable] of Object.entries(content.variables)) {
            const value = outcome.state.state_vars[name] ?? NaN;
            expect(Number.isInteger(value) && !Object.is(value, -0)).toBe(true);
            expect(value).toBeGreaterThanOrEqual(variable.min);
            expect(value).toBeLessThanOrEqual(variable.max);
            const effects = outcome.fired.flatMap(
              (event) => content.events.find((candidate) => candidate.id === event.id)?.effects[name] ?? 0,
            );
            const allowed =
              effectiveMaxDelta(content, difficulty, name) + effects.reduce((sum, effect) => sum + Math.abs(effect), 0);
            expect(Math.abs(value - (before.state_vars[name] ?? 0))).toBeLessThanOrEqual(allowed);
            expect(outcome.delta[name] ?? 0).toBe(value - (before.state_vars[name] ?? 0));
          }
          expect(Object.values(outcome.delta)).not.toContain(0);
          fired.push(...outcome.fired.map((event) => event.id));
          expect(outcome.state.flags).not.toContain('npc_requests_end');
          expect(new Set(outcome.state.flags).size).toBe(outcome.state.flags.length);
          expect(before.flags.every((flag) => outcome.state.flags.includes(flag))).toBe(true);
          expect(outcome.state.player_turns).toBe(before.player_turns + 1);
          expect(outcome.ending !== null).toBe(outcome.events.at(-1)?.kind === 'ending');
          if (outcome.ending) expect(ENDING_TYPES).toContain(outcome.ending.type);
          else expect(outcome.state.player_turns).toBeLessThan(content.duration.max_turns);
          before = outcome.state;
        }
        expect(fired.filter((id) => id === 'customer_calls').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('never tells a player what is hidden', () => {
    const hidden = [
      ...content.goals.hidden,
      ...content.npc.hidden_agenda,
      ...content.npc.biases_to_simulate,
      ...content.npc.boundaries,
      ...content.events.map((event) => event.npc_instruction),
    ];
    fc.assert(
      fc.property(answers, (sequence) => {
        const { opening, outcomes } = play(sequence, 'standard');
        const told = JSON.stringify([opening.messages, outcomes.map(({ messages, events }) => [messages, events])]);
        for (const text of hidden) expect(told).not.toContain(text);
      }),
      { numRuns: 30 },
    );
  });

  it('can be made again from its stored events after any turn', () => {
    fc.assert(
      fc.property(answers, (sequence) => {
        const { opening, outcomes } = play(sequence, 'standard');
        const events: StoredEventLike[] = [...opening.events, ...outcomes.flatMap((outcome) => outcome.events)];
        for (const { state } of [opening, ...outcomes]) {
          const again = stateAfterTurn(content, 'standard', events, state.turn_index);
          expect({ ...again, flags: [...again.flags].sort() }).toEqual({ ...state, flags: [...state.flags].sort() });
        }
      }),
    );
  });
});

describe('storedEventMessage', () => {
  const at = { turn_index: 3 };
  const values = { trust: 50 };
  const ended = { state: 'Ended' as const, state_vars: values, ending_type: 'success' as const, ending_id: null };
  it.each<[StoredEventLike, unknown]>([
    [
      { turn_index: 1, kind: 'npc_opening', payload: { emotion: 'warm', state_delta: {}, event_flags: [] } },
      { type: 'npc.final', payload: { turn: 1, content: 'text 1', emotion: 'warm', state_delta: {}, event_flags: [] } },
    ],
    [
      {
        ...at,
        kind: 'npc_turn',
        payload: { emotion: null, state_delta: values, event_flags: ['a'], used_fallback: true },
      },
      {
        type: 'npc.final',
        payload: { turn: 3, content: 'text 3', emotion: null, state_delta: values, event_flags: ['a'] },
      },
    ],
    [
      { ...at, kind: 'state_delta', payload: { delta: {}, state_vars: values } },
      { type: 'scenario.state_delta', payload: { delta: {}, state_vars: values } },
    ],
    [
      { ...at, kind: 'scenario_event', payload: { flags: ['e'], narration: null } },
      { type: 'scenario.event', payload: { flags: ['e'], narration: null } },
    ],
    [
      { ...at, kind: 'safety_redirect', payload: { action: 'refuse', reason: 'r' } },
      { type: 'safety.redirect', payload: { reason: 'r' } },
    ],
    [{ ...at, kind: 'safety_stop', payload: { action: 'stop', reason: 'r' } }, null],
    [
      { turn_index: null, kind: 'ending', payload: ended },
      { type: 'session.state', payload: ended },
    ],
  ])('replays %j', (event, message) => {
    expect(storedEventMessage(event, (index) => `text ${index}`)).toEqual(message);
  });

  it('leaves the reasons of safety events out where no text is kept', () => {
    const events: StoredEventLike[] = [
      { ...at, kind: 'safety_redirect', payload: { action: 'refuse', reason: 'words' } },
      { ...at, kind: 'safety_stop', payload: { action: 'stop', reason: 'words' } },
      { ...at, kind: 'scenario_event', payload: { flags: ['e'], narration: 'The phone rings.' } },
    ];
    expect(JSON.stringify(withoutReasons(events))).not.toContain('words');
    expect(withoutReasons(events)[2]).toEqual(events[2]);
  });
});
