import { en } from './en';
import { lineLabel, lineOf, withLines } from './line-names';

it.each([
  [1, 0, 'The opening'],
  [2, 1, 'Your line 1'],
  [3, 1, 'Answer to your line 1'],
  [14, 7, 'Your line 7'],
])('turn %i belongs to line %i: %s', (turn, line, label) => {
  expect(lineOf(turn)).toBe(line);
  expect(lineLabel(en, turn)).toBe(label);
});

describe('withLines', () => {
  it.each([
    ['After turn 4, offer two ways.', 'After your line 2, offer two ways.'],
    ['Turn 4 was late.', 'Your line 2 was late.'],
    ['The date stood (turn 6).', 'The date stood (your line 3).'],
    ['It rose with turn 5.', 'It rose with the answer to your line 2.'],
    ['Turn 3: patience fell.', 'The answer to your line 1: patience fell.'],
    ['She was open in turn 1.', 'She was open in the opening.'],
    ['In turns 2 and 4 you asked.', 'In your lines 1 and 2 you asked.'],
    ['See turns 2, 4, and 6.', 'See your lines 1, 2, and 3.'],
    ['From turns 2 to 6 it held.', 'From your lines 1 to 3 it held.'],
    ['Turns 4 and 5 belong together.', 'Your line 2 and the answer to your line 2 belong together.'],
    ['In turn 2 and turn 4 you asked.', 'In your lines 1 and 2 you asked.'],
    ['In your turn 2 you asked.', 'In your line 1 you asked.'],
    ['The 4th turn was late.', 'Your line 2 was late.'],
    ['Clarity, turn 2: said it at once.', 'Clarity, your line 1: said it at once.'],
  ])('tells %p as %p', (text, told) => {
    expect(withLines(en, text, 11)).toBe(told);
  });

  it.each([
    'The talk ended after 2 turns of yours.',
    'See turn 40.',
    'You return 4 times.',
    'It is your turn.',
    'Turn 0 does not exist.',
    'A nocturne 4 you.',
    'Your line 2 was late.',
  ])('leaves %p as it is', (text) => {
    expect(withLines(en, text, 11)).toBe(text);
  });

  it('takes no longer with a long text than it has to', () => {
    const long = `${'turn 2, '.repeat(4_000)}${'turns '.repeat(4_000)}${'2 and '.repeat(4_000)}`;
    const begun = performance.now();
    withLines(en, long, 11);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
