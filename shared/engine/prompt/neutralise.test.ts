import fc from 'fast-check';
import { neutralise, neutraliseLine } from './neutralise';

describe('neutralise', () => {
  it('leaves what people write as it is', () => {
    for (const text of [
      'I asked: "why?" — 50% [sic] & more…'.replace('…', '...'),
      'Größe, naïve, 东京, שלום',
      'a\nb',
      "it's 3 o'clock",
    ]) {
      expect(neutralise(text)).toBe(text.normalize('NFKC'));
    }
  });

  it('never leaves a bracket, a hidden character or a bracket token, and settles at once', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '<',
        '>',
        '＜',
        '〈',
        '<|',
        '|>',
        '[INST]',
        'System:',
        '\n',
        '\u200b',
        '\u200d',
        '\u{e0041}',
        'OUTPUT_SCHEMA',
        '#',
        '# ',
        '##',
        '- ',
        'SCENE',
        '[',
        ']',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = neutralise(pieces.join(''));
        expect(text).not.toMatch(/[<>]|\[\/?INST\]|[\u200b\u{e0000}-\u{e007f}]|^\s*system:/imu);
        expect(text).not.toContain('OUTPUT_SCHEMA');
        expect(text).not.toMatch(/##|^ *# |# *SCENE(?!\p{L})/mu);
        expect(neutralise(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('takes a moment for half a million characters, where anything quadratic would take minutes', () => {
    const text = '[a '.repeat(40_000) + 'system '.repeat(40_000) + '\n \n'.repeat(40_000) + '\u200d'.repeat(40_000);
    const start = performance.now();
    neutralise(text);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('makes one line of several, white space around the breaks included', () => {
    expect(neutraliseLine('  one \t\n \n\n  two  three\n')).toBe('one two  three');
  });

  it.each([
    ['blanks without a line break', (size: number) => `a${' '.repeat(size)}b`],
    ['blanks between line breaks', (size: number) => `a${' \n'.repeat(size / 2)}b`],
    ['tabs in front of nothing', (size: number) => `a\n${'\t'.repeat(size)}b`],
  ])('makes one line of 64 KB of %s in under 50 ms', (_name, textOf) => {
    const text = textOf(64 * 1024);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      neutraliseLine(text);
      return performance.now() - start;
    });
    // A busy machine may be slow in one round or another; anything quadratic takes seconds in each.
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
