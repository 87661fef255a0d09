import type { Debrief, DebriefDimension } from '@parley/shared/contracts';
import { scenarioFixture } from '../../testing/scenario-fixture';
import { composeDebrief } from './compose-debrief';
import { content, delta, events, npcTurn, scores, values } from '../../testing/engine/finished-talk';
import { relationshipRecap } from './relationship-recap';
import { scoreSession } from './scoring';
import { changeInWords, changeWeight, turningPoints } from './turning-points';

const narrative = { summary: 'Fine.', strengths: [], improvements: [], replay_suggestions: [] };
const composed = (more: object = {}): Debrief =>
  composeDebrief({
    session_id: 'abcdefghijklmnopqrstuvwx',
    content,
    difficulty: 'standard',
    ending_type: 'failure',
    events,
    scores,
    narrative,
    used_fallback: false,
    model_id: null,
    generated_at: '2026-01-01T00:00:00.000Z',
    ...more,
  });

describe('what the summary says about how it came to be', () => {
  it.each<[object, string]>([
    [{}, 'Fine.'],
    [{ dropped_turns: 0, text_lost: false }, 'Fine.'],
    [{ dropped_turns: 3, used_fallback: true }, 'Fine.'],
    [
      { dropped_turns: 3 },
      'Fine. Written without 3 turns in which little changed: the talk was too long for the model.',
    ],
    [{ text_lost: true }, 'Fine. The words of this talk were not kept, so this is made from the scores alone.'],
  ])('%j', (more, summary) => {
    expect(composed(more).summary).toBe(summary);
  });
});

describe('relationshipRecap, in its details', () => {
  const dimension = (name: string, score: number, observed = true): DebriefDimension => ({
    id: name.toLowerCase(),
    name,
    weight: 1,
    score,
    observed,
    self_rating: null,
    observations: [],
  });
  const recap = (improvements: string[], dimensions: DebriefDimension[] = [], texts: (string | null)[] = ['Hm.']) =>
    relationshipRecap({
      content,
      previous: null,
      debrief: { ...composed(), improvements, dimensions },
      texts,
      at: '2026-01-02T00:00:00.000Z',
    });

  it.each([
    ['Ask sooner (turn 4).', 'Ask sooner.'],
    ['Ask sooner, in turn 14, and wait.', 'Ask sooner, and wait.'],
    ['Ask sooner [turns 4, 6 and 8].', 'Ask sooner.'],
    ['Ask sooner at Turn #12 to 14: it helps.', 'Ask sooner: it helps.'],
    ['Ask sooner; turns  2–4  ; then wait.', 'Ask sooner; then wait.'],
    ['Ask in turns 2 - 4 again.', 'Ask again.'],
    ['  Ask. ', 'Ask.'],
    ['Turn 4', undefined],
  ])('takes turn numbers out of %j', (improvement, kept) => {
    expect(recap([improvement]).key_observations[0]).toBe(kept);
  });

  it('cuts at a word, in 150 characters', () => {
    expect(recap(['a'.repeat(150)]).key_observations[0]).toBe('a'.repeat(150));
    expect(recap([`${'a'.repeat(140)} ${'b'.repeat(8)} c`]).key_observations[0]).toBe(`${'a'.repeat(140)}…`);
    expect(recap([`${'a '.repeat(90)}`]).key_observations[0]).toBe(`${'a '.repeat(74).trim()}…`);
  });

  it('reads words in other letters and with other apostrophes as the same', () => {
    const said = ['She DIDN’T hear you well', null];
    expect(recap(["didn't hear you"], [], [said[0]!]).key_observations).toEqual([]);
    expect(recap(['didn hear you'], [], [said[0]!]).key_observations).toEqual(['didn hear you']);
    expect(recap(['hear you'], [], [said[0]!]).key_observations).toEqual(['hear you']);
    expect(recap(['...'], [], [said[0]!]).key_observations).toEqual(['...']);
    expect(recap(['didn hear you'], [], []).key_observations).toEqual([]);
  });

  it('tags the three observed dimensions that stand out most, in thirty characters', () => {
    const dimensions = [
      dimension('A', 54),
      dimension('B', 45),
      dimension('C', 60),
      dimension('D', 20),
      dimension('E', 90, false),
      dimension('F', 71),
    ];
    expect(recap([], dimensions).player_style_tags).toEqual(['practises: d', 'strong: f', 'strong: c']);
    expect(recap([], [dimension('B', 45), dimension('A', 54)]).player_style_tags).toEqual(['practises: b']);
    const long = dimension('Says it in so many words that', 80);
    expect(recap([], [long]).player_style_tags).toEqual(['strong: says it in so many wor']);
    expect(recap([], [dimension('One two three', 80)], ['one two three']).player_style_tags).toEqual([]);
  });
});

describe('scoreSession, in its details', () => {
  it('lists the observations of a dimension in the order of the talk, and nothing else of them', () => {
    const observed = [
      { turn: 8, dimension: 'clarity', delta: 1, note: 'c', more: true },
      { turn: 2, dimension: 'clarity', delta: 2, note: 'a', more: true },
      { turn: 4, dimension: 'clarity', delta: 3, note: null, more: true },
    ];
    expect(scoreSession(content, observed, null).dimensions[0]?.observations).toEqual([
      { turn: 2, delta: 2, note: 'a' },
      { turn: 4, delta: 3, note: null },
      { turn: 8, delta: 1, note: 'c' },
    ]);
  });

  it('is the plain mean where no dimension has a weight', () => {
    const bare = scenarioFixture();
    for (const dimension of bare.rubric.dimensions) dimension.weight = 0;
    expect(scoreSession(bare, [{ turn: 2, dimension: 'clarity', delta: 9, note: null }], null).overall_score).toBe(55);
  });
});

describe('turning points, in their details', () => {
  it('names the three largest changes, up or down', () => {
    expect(changeInWords({}, {}, 'en')).toBe('');
    expect(changeInWords({ trust: -3 }, { trust: 47 }, 'en')).toBe('trust fell from 50 to 47');
    expect(
      changeInWords({ objective_progress: 1, trust: -9, rapport: 4, alarm: 2 }, { trust: 41, rapport: 54 }, 'en'),
    ).toBe('trust fell from 50 to 41, rapport rose from 50 to 54 and alarm rose from -2 to 0');
  });

  it('weighs a change by its share of the range, doubled at the threshold of an ending', () => {
    const weight = (change: Record<string, number>, after: Record<string, number>) =>
      changeWeight(content, change, { ...values, ...after });
    expect(weight({ rapport: 10 }, { rapport: 60 })).toBeCloseTo(0.1);
    expect(weight({ alarm: 6 }, { alarm: 10 })).toBeCloseTo(0.1);
    expect(weight({ objective_progress: 10 }, { objective_progress: 80 })).toBeCloseTo(0.2);
    expect(weight({ objective_progress: 10 }, { objective_progress: 95 })).toBeCloseTo(0.2);
    expect(weight({ objective_progress: 10 }, { objective_progress: 30 })).toBeCloseTo(0.15);
    expect(weight({ patience: -10 }, { patience: 9 })).toBeCloseTo(0.2);
    expect(weight({ patience: -10 }, { patience: 2 })).toBeCloseTo(0.2);
    expect(weight({ patience: -10 }, { patience: 59 })).toBeCloseTo(0.15);
    expect(weight({ made_up: 10 }, {})).toBe(0);
    expect(changeWeight(content, { objective_progress: 10 }, {})).toBeCloseTo(0.12);
  });

  it('tells of flags once, of moves never, of safety always, and of the five weightiest changes in order', () => {
    const changes = [12, 30, 13, 14, 15, 16, 5].map((size, index) =>
      delta(3 + 2 * index, { rapport: size }, { rapport: 50 }),
    );
    const told = turningPoints(content, [
      ...changes,
      npcTurn(3, ['plain_news', 'false_promise', 'odd_flag']),
      npcTurn(5, ['false_promise']),
      { turn_index: 7, kind: 'scenario_event', payload: { flags: ['coffee_offered'], narration: null } },
      { turn_index: 9, kind: 'safety_redirect', payload: { action: 'redirect', reason: 'r' } },
      { turn_index: 11, kind: 'safety_stop', payload: { action: 'stop', reason: 'r' } },
      { turn_index: null, kind: 'safety_stop', payload: { action: 'stop', reason: 'r' } },
      { turn_index: 0, kind: 'safety_stop', payload: { action: 'stop', reason: 'r' } },
    ]);
    expect(told.map(({ turn, kind, description, deltas }) => [turn, kind, description, deltas])).toEqual([
      [3, 'event_flag', 'This changed how the talk went on.', { rapport: 12 }],
      [3, 'event_flag', 'This changed how the talk went on.', { rapport: 12 }],
      [5, 'state_change', 'Rapport rose from 20 to 50.', { rapport: 30 }],
      [7, 'event_flag', 'Something changed on the other side.', { rapport: 13 }],
      [7, 'state_change', 'Rapport rose from 37 to 50.', { rapport: 13 }],
      [9, 'safety', 'The talk was led back to its matter.', { rapport: 14 }],
      [9, 'state_change', 'Rapport rose from 36 to 50.', { rapport: 14 }],
      [11, 'safety', 'The talk was stopped for safety.', { rapport: 15 }],
      [11, 'state_change', 'Rapport rose from 35 to 50.', { rapport: 15 }],
      [13, 'state_change', 'Rapport rose from 34 to 50.', { rapport: 16 }],
    ]);
    expect(turningPoints(content, [delta(3, { rapport: 11 }, {})])).toEqual([]);
    expect(turningPoints(content, [delta(3, { rapport: 12 }, {})])).toHaveLength(1);
  });
});
