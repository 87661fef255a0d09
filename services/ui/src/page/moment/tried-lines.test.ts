import type { LineCheck } from '@parley/shared/contracts';
import { countMet, triedBefore } from './tried-lines';

const check = (id: string, verdict: LineCheck['verdict']): LineCheck => ({
  id,
  text: `Does ${id}`,
  verdict,
  evidence: null,
});

it('counts what a rule could tell', () => {
  expect(countMet([check('a', 'met'), check('b', 'missed'), check('c', 'not_judged')])).toEqual({ met: 1, of: 2 });
});

it('takes the first check that an earlier try missed for what comes next', () => {
  const drill = { turn: 4, try: 2, text: 'Hm.', created_at: '2026-01-01T00:00:00.000Z' };
  const checks = [check('a', 'met'), check('b', 'missed')];
  expect(triedBefore({ ...drill, checks })).toEqual({ number: 2, text: 'Hm.', checks, next: 'Does b', reply: null });
  expect(triedBefore({ ...drill, checks: [check('a', 'met')] }).next).toBeNull();
});
