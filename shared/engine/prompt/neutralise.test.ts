import fc from 'fast-check';
import { neutralise } from './neutralise';

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
        '[',
        ']',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = neutralise(pieces.join(''));
        expect(text).not.toMatch(/[<>]|\[\/?INST\]|[\u200b\u{e0000}-\u{e007f}]|^\s*system:/imu);
        expect(text).not.toContain('OUTPUT_SCHEMA');
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
});
