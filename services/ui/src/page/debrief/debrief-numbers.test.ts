import { scoreLevel } from './score-level';
import { spreadLabels } from './spread-labels';

describe('scoreLevel', () => {
  it.each([
    [0, 'low'],
    [33, 'low'],
    [34, 'medium'],
    [50, 'medium'],
    [66, 'medium'],
    [67, 'high'],
    [100, 'high'],
  ])('matches a score of %i with the %s anchor', (score, level) => {
    expect(scoreLevel(score)).toBe(level);
  });
});

describe('spreadLabels', () => {
  it('leaves labels alone that have room', () => {
    expect(spreadLabels([100, 20, 60], 15, 0, 200)).toEqual([100, 20, 60]);
  });

  it('keeps labels of the same height apart, in their order, inside the box', () => {
    const placed = spreadLabels([190, 190, 190, 10], 15, 0, 200);
    const sorted = [...placed].sort((a, b) => a - b);
    expect(sorted.slice(1).every((place, at) => place - (sorted[at] ?? 0) >= 15)).toBe(true);
    expect(Math.max(...placed)).toBeLessThanOrEqual(200);
    expect(placed[3]).toBe(10);
  });
});
