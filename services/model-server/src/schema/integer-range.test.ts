import { integerRange } from './integer-range';

/** The expression as a regular expression: literals without their quotes, no spaces. */
const matcher = (expression: string): RegExp => new RegExp(`^(?:${expression.replace(/[" ]/g, '')})$`);

const BOUNDS = [0, 1, 7, 9, 10, 11, 42, 99, 100, 109, 190, 256, 999, 1000];

describe('integerRange', () => {
  it('allows exactly the integers between two bounds', () => {
    const all = [...BOUNDS.map((one) => -one || 0), ...BOUNDS];
    for (const low of all)
      for (const high of all.filter((one) => one >= low)) {
        const pattern = matcher(integerRange(low, high) ?? '');
        for (let value = -1101; value <= 1101; value += 1)
          if (pattern.test(String(value)) !== (value >= low && value <= high))
            throw new Error(`${value} between ${low} and ${high}`);
      }
  });

  it('writes no number in two ways', () => {
    const pattern = matcher(integerRange(-20, 20) ?? '');
    for (const text of ['-0', '00', '07', '+1', '1.0', '']) expect(pattern.test(text)).toBe(false);
  });

  it('takes one bound or none', () => {
    expect(matcher(integerRange(5, null) ?? '').test('999999999999999')).toBe(true);
    expect(matcher(integerRange(5, null) ?? '').test('4')).toBe(false);
    expect(matcher(integerRange(null, -3) ?? '').test('-2')).toBe(false);
    expect(matcher(integerRange(null, null) ?? '').test('-123456')).toBe(true);
  });

  it('rounds bounds inwards and knows when nothing is left', () => {
    expect(integerRange(1.5, 2.5)).toBe('"2"');
    expect(integerRange(1.2, 1.8)).toBeNull();
  });
});
