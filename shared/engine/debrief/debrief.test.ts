import fc from 'fast-check';
import { Debrief, DebriefNarrative, Recap } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import type { StoredEventLike } from '../engine-state';
import { openSession } from '../open-session';
import { checkNarrative } from './check-narrative';
import { composeDebrief } from './compose-debrief';
import { buildDebriefPrompt } from './debrief-prompt';
import { debriefSchema } from './debrief-schema';
import { fallbackNarrative } from './fallback-narrative';
import { parseNarrative } from './parse-narrative';
import { relationshipRecap } from './relationship-recap';
import { scoreSession, type ScoredObservation } from './scoring';
import { stateSeries, turningPoints } from './turning-points';

const content = scenarioFixture();
const start = openSession(content, 'standard');
const values = start.state.state_vars;
const turns = [
  { index: 1, role: 'npc' as const, text: 'You said you had news about my part.' },
  { index: 2, role: 'player' as const, text: 'Yes. It comes two weeks late, and I’m sorry.' },
  { index: 3, role: 'npc' as const, text: 'Two weeks? I have promised the kitchen for Friday.' },
  { index: 4, role: 'player' as const, text: 'Calm down, it is only a part.' },
  { index: 5, role: 'npc' as const, text: 'Only a part.' },
];
const delta = (turn: number, changes: Record<string, number>, after: Record<string, number>): StoredEventLike => ({
  turn_index: turn,
  kind: 'state_delta',
  payload: { delta: changes, state_vars: { ...values, ...after } },
});
const npcTurn = (turn: number, flags: string[]): StoredEventLike => ({
  turn_index: turn,
  kind: 'npc_turn',
  payload: { emotion: 'neutral', state_delta: {}, event_flags: flags, used_fallback: false },
});
const events: StoredEventLike[] = [
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
const scores = scoreSession(content, observations, { clarity: 70 });
const points = turningPoints(content, events);
const ending = { type: 'failure' as const, id: 'shown_out' };
const context = { content, turns };

describe('scoreSession', () => {
  it('adds what was observed to 50, keeps it within 0 to 100 and weighs the dimensions', () => {
    expect(scores.dimensions.map(({ id, score, observed, self_rating }) => [id, score, observed, self_rating])).toEqual(
      [
        ['clarity', 55, true, 70],
        ['listening', 44, true, null],
      ],
    );
    // (55 * 1 + 44 * 0.5) / 1.5 = 51.33
    expect(scores.overall_score).toBe(51);
    const many = Array.from({ length: 20 }, (_, turn) => ({ turn, dimension: 'clarity', delta: 10, note: null }));
    expect(scoreSession(content, many, null).dimensions[0]?.score).toBe(100);
    const low = many.map((observation) => ({ ...observation, delta: -10 }));
    expect(scoreSession(content, low, null).dimensions[0]?.score).toBe(0);
  });

  it('counts 50 for what was never observed and says so', () => {
    const none = scoreSession(content, [], null);
    expect(none.overall_score).toBe(50);
    expect(none.dimensions.every((dimension) => !dimension.observed && dimension.score === 50)).toBe(true);
  });

  it('rounds half up, and takes weights that are all zero as equal', () => {
    const even = scenarioFixture();
    even.rubric.dimensions.forEach((dimension) => (dimension.weight = 0.3));
    expect(scoreSession(even, [{ turn: 2, dimension: 'clarity', delta: 5, note: null }], null).overall_score).toBe(53);
    even.rubric.dimensions.forEach((dimension) => (dimension.weight = 0));
    expect(scoreSession(even, [{ turn: 2, dimension: 'clarity', delta: 5, note: null }], null).overall_score).toBe(53);
  });

  it('passes over dimensions that the rubric does not have', () => {
    expect(scoreSession(content, [{ turn: 2, dimension: 'x', delta: 5, note: null }], null).overall_score).toBe(50);
  });
});

describe('turningPoints', () => {
  it('finds weighty changes, events, first flags that are no moves, and safety, in the order of the talk', () => {
    expect(points.map(({ turn, kind, description }) => [turn, kind, description])).toEqual([
      [3, 'state_change', 'Trust rose by 12 to 62.'],
      [5, 'event_flag', 'The player promises a date that cannot hold.'],
      [5, 'event_flag', 'The phone on the bench rings.'],
      [5, 'safety', 'The talk was led back to its matter.'],
      [5, 'state_change', 'Patience fell by 15 to 45 and trust fell by 1 to 61.'],
    ]);
    expect(points[1]?.deltas).toEqual({ patience: -15, trust: -1 });
  });

  it('weighs a change more the nearer it is to an ending', () => {
    const far = turningPoints(content, [delta(3, { patience: -7 }, { patience: 99 })]);
    const near = turningPoints(content, [delta(3, { patience: -7 }, { patience: 11 })]);
    expect([far.length, near.length]).toEqual([0, 1]);
  });

  it('keeps the five weightiest changes of a long talk', () => {
    const long = Array.from({ length: 30 }, (_, turn) =>
      delta(2 * turn + 3, { trust: 12 + (turn % 9) }, { trust: 70 }),
    );
    const found = turningPoints(content, long);
    expect(found).toHaveLength(5);
    expect(found.every((point) => (point.deltas.trust ?? 0) >= 19)).toBe(true);
    expect(found.map((point) => point.turn)).toEqual(found.map((point) => point.turn).sort((a, b) => a - b));
  });

  it('keeps the series of values after each turn of the character', () => {
    expect(stateSeries(content, 'standard', events).map(({ turn, state_vars }) => [turn, state_vars.trust])).toEqual([
      [1, 50],
      [3, 62],
      [5, 61],
    ]);
  });
});

describe('buildDebriefPrompt', () => {
  const input = {
    content, difficulty: 'standard' as const, fence: 'abcdef0123456789', language: 'en', turns, events, scores,
    turning_points: points, ending: { type: 'success' as const, id: 'date_agreed' }, focus_dimension: 'listening',
    context_length: null,
  }; // prettier-ignore

  it('shows the rubric with its anchors whole, the evidence, the ending note and the transcript', () => {
    const { messages, dropped_turns } = buildDebriefPrompt(input);
    const text = messages.map((message) => message.content).join('\n');
    for (const part of [
      'Hides the delay.', 'Says it late.', 'Says it in the first two sentences.', 'SPIKES, adapted', 'Baile et al. 2000',
      'The date was agreed because the need came first.', 'turn 2 +8 said the delay at once', '4 PLAYER: Calm down',
      'what the player set out to practise', 'Quote nobody', 'No clinical',
    ]) expect(text).toContain(part); // prettier-ignore
    expect(messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(dropped_turns).toBe(0);
  });

  it('fits a long talk by leaving out its least eventful exchanges and says how many turns', () => {
    const long = Array.from({ length: 61 }, (_, offset) => ({
      index: offset + 1,
      role: offset % 2 === 0 ? ('npc' as const) : ('player' as const),
      text: `words ${offset + 1} ${'and so on and on '.repeat(12)}`,
    }));
    const eventful = [delta(31, { trust: 20 }, { trust: 80 })];
    const built = buildDebriefPrompt({ ...input, turns: long, events: eventful });
    const text = built.messages[1]?.content ?? '';
    expect(built.dropped_turns).toBeGreaterThan(0);
    expect(built.estimated_tokens).toBeLessThanOrEqual(4096 - built.max_tokens);
    expect(text).toContain(`${built.dropped_turns} turns in which little changed are left out.`);
    for (const kept of [1, 2, 3, 30, 31, 60, 61]) expect(text).toContain(`words ${kept} `);
    expect(text.match(/words \d+ /g)).toHaveLength(61 - built.dropped_turns);
  });
});

describe('checkNarrative', () => {
  const narrative = {
    summary: 'Name the delay first, as in turn 2. The talk broke off.',
    strengths: ['Clarity showed in turn 2.'],
    improvements: ['Say back what worries her.', 'Ask what she needs.', 'A third one.'],
    replay_suggestions: [{ turn: 4, suggestion: 'Ask what the delay costs her.' }],
  };
  const summaryOf = (summary: string) =>
    checkNarrative({ ...narrative, summary: `Fine. ${summary}` }, context).narrative?.summary;

  it('leaves a sound narrative as it is but for a third improvement', () => {
    const checked = checkNarrative(narrative, context);
    expect(checked.narrative).toEqual({ ...narrative, improvements: narrative.improvements.slice(0, 2) });
    expect(checked.removed).toEqual(['too_many']);
    expect(DebriefNarrative.safeParse(checked.narrative).success).toBe(true);
  });

  it.each([
    'You said "trust me on this one".',
    'You said “it will be fine. I swear it.” and moved on.',
    "She heard 'nothing can be done' from you.",
    'Das war „nie gesagt worden“.',
    'See turn 40.',
    'Turns 2 and 17 show it.',
    'This looks like a symptom of ADHD.',
    'You should see a therapist about this.',
    'Consider medication for your nerves.',
    'Do this and you will get the raise.',
    'This is guaranteed to work.',
    'It always works.',
    'It works 100% of the time.',
  ])('removes: %s', (sentence) => {
    expect(summaryOf(sentence)).toBe('Fine.');
  });

  it.each([
    'You said "It comes two weeks late, and I\'m sorry."',
    "You called it 'only a part' in turn 4.",
    'In turns 2-4 the pace changed.',
    'The move “plain_news” was made in turn 2.',
    "She didn't hear what the player's plan was.",
    'The treatment of the topic was brief.',
    'The doctor in the story was mentioned.',
    'You promised a date.',
    'The ending was “Shown the door”.',
  ])('keeps: %s', (sentence) => {
    expect(summaryOf(sentence)).toBe(`Fine. ${sentence}`);
  });

  it('takes a reference in brackets to a turn that does not exist without its sentence', () => {
    expect(summaryOf('The pace was even (turn 99).')).toBe('Fine. The pace was even.');
  });

  it('ties suggestions to turns of the player', () => {
    const suggest = (turn: unknown) =>
      checkNarrative({ ...narrative, replay_suggestions: [{ turn, suggestion: 'Again.' }] }, context).narrative
        ?.replay_suggestions;
    expect(suggest(2)).toEqual([{ turn: 2, suggestion: 'Again.' }]);
    expect(suggest(3)).toEqual([{ turn: 4, suggestion: 'Again.' }]);
    expect(suggest(5)).toEqual([{ turn: 4, suggestion: 'Again.' }]);
    expect(suggest(77)).toEqual([]);
    expect(suggest('2')).toEqual([]);
  });

  it('answers null when nothing usable is left', () => {
    expect(checkNarrative({ ...narrative, summary: 'You will get it.' }, context).narrative).toBeNull();
    for (const value of [null, 'text', [], {}, { summary: 5 }])
      expect(checkNarrative(value, context).narrative).toBeNull();
  });

  it('lets no quotation stand when the words were not kept', () => {
    const lost = { content, turns: turns.map((turn) => ({ ...turn, text: null })) };
    const checked = checkNarrative({ ...narrative, summary: 'Fine. You said "only a part".' }, lost);
    expect(checked.narrative?.summary).toBe('Fine.');
  });

  it('never throws and always answers what the contract takes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({
            summary: fc.string({ unit: 'binary' }),
            strengths: fc.anything(),
            improvements: fc.array(fc.string({ maxLength: 900 })),
            replay_suggestions: fc.array(fc.record({ turn: fc.integer(), suggestion: fc.string() })),
          }),
        ),
        (value) => {
          const checked = checkNarrative(value, context);
          if (checked.narrative) expect(DebriefNarrative.safeParse(checked.narrative).success).toBe(true);
        },
      ),
    );
  });
});

describe('parseNarrative', () => {
  it('finds the object as the reply parser does', () => {
    expect(parseNarrative('', { summary: 'x' })).toEqual({ summary: 'x' });
    expect(parseNarrative('Here: {"summary":"x"} bye', null)).toEqual({ summary: 'x' });
    expect(parseNarrative('{"summary":"x", "strengths": ["a', null)).toEqual({ summary: 'x', strengths: ['a'] });
    expect(parseNarrative('no object', null)).toBeNull();
  });
});

describe('fallbackNarrative', () => {
  const written = fallbackNarrative({ content, turns, events, scores, turning_points: points, ending });

  it('says what to do next first, then the evidence, then the score', () => {
    expect(written.summary).toBe(
      'Next time, work on listening: says back what matters to her. One move was not tried yet: asks what she needs most. ' +
        'The talk broke off (Shown the door) after 2 turns of yours. The largest change came with turn 5: patience fell by 15 to 45 and trust fell by 1 to 61. ' +
        'The overall score is 51 of 100.',
    );
    expect(written.strengths).toEqual([
      'Clarity, turn 2: said the delay at once. That moved it up by 8. Do the same again where it fits.',
    ]);
    expect(written.improvements).toEqual([
      'Listening, turn 4: brushed her worry aside. That moved it down by 6. Instead: says back what matters to her.',
      'Clarity, turn 4: That moved it down by 3. Instead: says it in the first two sentences.',
    ]);
    expect(written.replay_suggestions.map(({ turn }) => turn)).toEqual([2, 4]);
  });

  it('is the same every time and passes its own guardrails', () => {
    expect(fallbackNarrative({ content, turns, events, scores, turning_points: points, ending })).toEqual(written);
    expect(checkNarrative(written, context)).toEqual({ narrative: written, removed: [] });
    expect(DebriefNarrative.safeParse(written).success).toBe(true);
  });

  it('leaves a note out that would not pass them', () => {
    const noted = [{ turn: 2, dimension: 'clarity', delta: 8, note: 'said "never said this"' }];
    const other = fallbackNarrative({
      content, turns, events, scores: scoreSession(content, noted, null), turning_points: points, ending,
    }); // prettier-ignore
    expect(JSON.stringify(other)).not.toContain('never said this');
  });

  it('has something to say about a talk in which nothing was observed', () => {
    const bare = fallbackNarrative({
      content, turns: turns.slice(0, 1), events: start.events, scores: scoreSession(content, [], null),
      turning_points: [], ending: { type: 'player_exit', id: null },
    }); // prettier-ignore
    expect(bare.summary).toContain('was ended by you after 0 turns');
    expect(bare.improvements).toHaveLength(2);
    expect(bare.improvements[0]).toContain('was not observed');
    expect(bare.replay_suggestions).toEqual([]);
  });
});

describe('composeDebrief', () => {
  it('makes a document that the contract takes, and says what was left out', () => {
    const debrief = composeDebrief({
      session_id: 'abcdefghijklmnopqrstuvwx', content, difficulty: 'standard', ending_type: 'failure', events, scores,
      narrative: fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
      used_fallback: false, model_id: 'fake-small', generated_at: '2026-01-01T00:00:00.000Z', dropped_turns: 4, text_lost: true,
    }); // prettier-ignore
    expect(Debrief.parse(debrief)).toEqual(debrief);
    expect(debrief.summary).toContain('Written without 4 turns');
    expect(debrief.summary).toContain('were not kept');
    expect(debrief.state_series).toHaveLength(3);
  });

  it('asks the runtime for a narrative that names its members and only turns of the player', () => {
    const schema = debriefSchema([2, 4]) as { properties: Record<string, unknown> };
    expect(Object.keys(schema.properties)).toEqual(['summary', 'strengths', 'improvements', 'replay_suggestions']);
    expect(JSON.stringify(schema)).toContain('"enum":[2,4]');
    expect(JSON.stringify(debriefSchema())).not.toContain('enum');
  });
});

describe('relationshipRecap', () => {
  const debrief = composeDebrief({
    session_id: 'abcdefghijklmnopqrstuvwx', content, difficulty: 'standard', ending_type: 'failure', events, scores,
    narrative: fallbackNarrative({ content, turns, events, scores, turning_points: points, ending }),
    used_fallback: true, model_id: null, generated_at: '2026-01-01T00:00:00.000Z',
  }); // prettier-ignore
  const at = '2026-01-02T00:00:00.000Z';
  const texts = turns.map((turn) => turn.text);

  it('is made from improvements and scores, within its bounds', () => {
    const recap = relationshipRecap({ content, previous: null, debrief, texts, at });
    expect(Recap.parse(recap)).toEqual(recap);
    expect(recap).toMatchObject({
      npc_id: 'ines',
      pack_id: 'late_delivery',
      session_count: 1,
      last_outcome: 'failure',
    });
    expect(recap.key_observations.length).toBeGreaterThan(0);
    expect(recap.key_observations.join(' ')).not.toMatch(/turn \d/);
    expect(recap.player_style_tags).toEqual(['practises: listening', 'strong: clarity']);
  });

  it('shares no three words in a row with the talk', () => {
    const telling = { ...debrief, improvements: ['You told her it is only a part and left it there.', 'Ask sooner.'] };
    const recap = relationshipRecap({ content, previous: null, debrief: telling, texts, at });
    expect(recap.key_observations).not.toContain(telling.improvements[0]);
    expect(recap.key_observations).toContain('Ask sooner.');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('only', 'a', 'part', 'calm', 'down', 'friday'), { minLength: 1, maxLength: 12 }),
        (words) => {
          const made = relationshipRecap({
            content,
            previous: null,
            debrief: { ...debrief, improvements: [words.join(' ')] },
            texts,
            at,
          });
          const spoken = texts
            .join(' | ')
            .toLowerCase()
            .replace(/[^\p{L} |]/gu, '');
          for (const observation of made.key_observations) {
            const parts = observation
              .toLowerCase()
              .split(/[^\p{L}]+/u)
              .filter(Boolean);
            parts.slice(2).forEach((_, index) => expect(spoken).not.toContain(parts.slice(index, index + 3).join(' ')));
          }
        },
      ),
    );
  });

  it('counts on from the one before and keeps five observations, the newest first', () => {
    const previous: Recap = {
      ...relationshipRecap({ content, previous: null, debrief, texts, at }),
      key_observations: ['One', 'Two', 'Three', 'Four', 'Five'],
    };
    const recap = relationshipRecap({ content, previous, debrief, texts, at });
    expect(recap.session_count).toBe(2);
    expect(recap.key_observations).toHaveLength(5);
    expect(recap.key_observations.at(-1)).not.toBe('Five');
  });

  it('uses names of the rubric alone when the words were not kept', () => {
    const recap = relationshipRecap({ content, previous: null, debrief, texts: [null], at });
    expect(recap.key_observations).toEqual(['Practises: Listening', 'Practises: Clarity']);
  });
});
