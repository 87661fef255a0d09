import { lineName, withLines } from './line-names';

it.each([
  [1, 'the opening'],
  [2, 'your line 1'],
  [7, 'the answer to your line 3'],
])('turn %i is %s', (turn, name) => expect(lineName(turn)).toBe(name));

it.each([
  ['Turn 4 was late (turn 5).', 'Your line 2 was late (the answer to your line 2).'],
  ['In turns 2 and 4 you asked.', 'In your lines 1 and 2 you asked.'],
  ['Turns 2, 3 and 4.', 'Your line 1, the answer to your line 1 and your line 2.'],
  ['Your return 4 and turn 12 stay.', 'Your return 4 and turn 12 stay.'],
])('%j counts lines: %j', (text, told) => expect(withLines(text, 9)).toBe(told));
