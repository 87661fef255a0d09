import type { Debrief } from '@parley/shared/contracts';
import { placeOf } from './place';

const check = (id: string, text: string) => ({
  id,
  text,
  points: 10,
  verdict: 'missed',
  turn: null,
  line: null,
  evidence: null,
  by: 'signs',
  quote: null,
});
const ADVICE = { turn: 4, line: 2, dimension: 'close', check: 'day', said: 'x', better: 'y', why: 'z', adapted: false };
const MOMENT = { turn: 6, line: 3, check: 'figure', kind: 'lost', author_note: 'A note.' };

const debrief = (parts: object): Debrief =>
  ({
    dimensions: [
      { id: 'ask', checks: [check('figure', 'Names a figure'), check('day', 'Another day')] },
      { id: 'close', checks: [check('day', 'Names a day')] },
    ],
    ...parts,
  }) as unknown as Debrief;

describe('placeOf', () => {
  it('is the line that decided most', () => {
    expect(placeOf(debrief({ moment: MOMENT, say_instead: [ADVICE] }), null, 9)).toEqual({
      turn: 6,
      kind: 'lost',
      about: 'Names a figure',
      note: 'A note.',
      advice: null,
    });
  });

  it('is the first line that has a better one when none decided', () => {
    expect(placeOf(debrief({ moment: null, say_instead: [ADVICE] }), null, 9)).toEqual({
      turn: 4,
      kind: null,
      about: 'Names a day',
      note: null,
      advice: ADVICE,
    });
  });

  it('is the line that was asked for', () => {
    expect(placeOf(debrief({ moment: MOMENT, say_instead: [ADVICE] }), 4, 9)).toMatchObject({ turn: 4, kind: null });
    expect(placeOf(debrief({ moment: MOMENT }), 2, 9)).toMatchObject({ turn: 2, about: null, advice: null });
  });

  it.each([
    ['nothing was judged', {}, null],
    ['nothing moved', { moment: null, say_instead: [] }, null],
    ['the turn is the character’s', { moment: MOMENT }, 5],
    ['the turn never was', { moment: MOMENT }, 12],
    ['the turn is no number', { moment: MOMENT }, NaN],
  ])('is none when %s', (_why, parts, turn) => expect(placeOf(debrief(parts), turn, 9)).toBeNull());
});
