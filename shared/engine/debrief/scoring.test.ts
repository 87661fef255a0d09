import { scenarioFixture } from '../../testing/scenario-fixture';
import { content, delta, events, points, scores } from '../../testing/engine/finished-talk';
import { scoreSession } from './scoring';
import { stateSeries, turningPoints } from './turning-points';

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
      [3, 'state_change', 'Trust rose from 50 to 62.'],
      [5, 'event_flag', 'This changed how the talk went on.'],
      [5, 'event_flag', 'The phone on the bench rings.'],
      [5, 'safety', 'The talk was led back to its matter.'],
      [5, 'state_change', 'Patience fell from 60 to 45 and trust fell from 62 to 61.'],
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
