import type { Condition } from '@parley/shared/contracts';
import { allHold, holds } from './conditions';

const view = {
  value: (variable: string) => (variable === 'trust' ? 50 : undefined),
  hasFlag: (flag: string) => flag === 'raised',
  playerTurns: 3,
};

describe('holds', () => {
  it.each<[Condition, boolean]>([
    [{ type: 'variable_above', variable: 'trust', threshold: 49 }, true],
    [{ type: 'variable_above', variable: 'trust', threshold: 50 }, false],
    [{ type: 'variable_below', variable: 'trust', threshold: 51 }, true],
    [{ type: 'variable_below', variable: 'trust', threshold: 50 }, false],
    [{ type: 'variable_above', variable: 'unknown', threshold: -1000 }, false],
    [{ type: 'variable_below', variable: 'unknown', threshold: 1000 }, false],
    [{ type: 'max_turns', value: 3 }, true],
    [{ type: 'max_turns', value: 4 }, false],
    [{ type: 'flag', flag_id: 'raised' }, true],
    [{ type: 'flag', flag_id: 'other' }, false],
  ])('%j is %s', (condition, expected) => {
    expect(holds(condition, view)).toBe(expected);
  });
});

describe('allHold', () => {
  it('wants every condition, and at least one', () => {
    const yes: Condition = { type: 'flag', flag_id: 'raised' };
    const no: Condition = { type: 'flag', flag_id: 'other' };
    expect(allHold([yes], view)).toBe(true);
    expect(allHold([yes, no], view)).toBe(false);
    expect(allHold([], view)).toBe(false);
  });
});
