import { evaluateCheck } from './static-assertions';

describe('the checks of static assertions', () => {
  const events = [
    { id: 'phone', repeat: false, narration: 'It rings, and rings.' },
    { id: 'door', repeat: true },
  ];

  it.each<[string, unknown, boolean | null]>([
    ['id=phone AND repeat=false', events, true],
    ['id=phone AND repeat=true', events, false],
    ["id = 'door'   AND   repeat = true", events, true],
    ['narration=It rings, and rings.', events, true],
    ['narration="It rings, and rings." AND id=phone', events, true],
    ['id=a\nb', events, null],
    ['id= AND repeat=true', events, null],
    ['id=phone AND AND repeat=false', events, null],
    ['1d=phone', events, null],
    ['anything else', events, null],
  ])('%j', (check, value, result) => {
    expect(evaluateCheck(check, value)).toBe(result);
  });

  it.each([
    ['blanks without an AND', (size: number) => `id=a${' '.repeat(size)}b`],
    ['blanks behind the sign', (size: number) => `id=${' '.repeat(size)}b\nc`],
    ['blanks before the sign', (size: number) => `id${' '.repeat(size)}b`],
    ['AND after AND', (size: number) => 'id=a AND '.repeat(size / 9)],
    ['quotes', (size: number) => `id=${"'".repeat(size)}b`],
    ['digits', (size: number) => `between ${'1'.repeat(size)}`],
  ])('take 64 KB of %s in under 50 ms', (_name, checkOf) => {
    const check = checkOf(64 * 1024);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      evaluateCheck(check, events);
      return performance.now() - start;
    });
    // A busy machine may be slow in one round or another; anything quadratic takes seconds in each.
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
