import path from 'node:path';
import { readLabelledLines } from '../../testing/labelled-lines';
import { tokensAlone, tokensOf } from './tokens';

const PROJECT_ROOT = path.join(__dirname, '..', '..', '..');

describe('the tokens of a piece', () => {
  it('are those that the piece has when it is read alone, from any token to any other', () => {
    const lines = readLabelledLines(PROJECT_ROOT).lines;
    let pieces = 0;
    for (const { line, language = 'en' } of lines) {
      const tokens = tokensOf(line, language);
      for (const [at, { start }] of tokens.entries()) {
        const last = tokens[Math.min(tokens.length - 1, at + (at % 7))];
        if (last === undefined || last.end <= start) continue;
        const alone = tokensAlone(tokens, { start, end: last.end });
        expect({ line, start, alone }).toEqual({
          line,
          start,
          alone: tokensOf(line.slice(start, last.end), language),
        });
        pieces += 1;
      }
    }
    expect(pieces).toBeGreaterThan(5_000);
  });

  it('are not taken where an edge cuts one', () => {
    const tokens = tokensOf('About 53,000 it is.', 'en');
    expect(tokensAlone(tokens, { start: 9, end: 18 })).toBeNull();
    expect(tokensAlone(tokens, { start: 6, end: 10 })).toBeNull();
    expect(tokensAlone(tokens, { start: 6, end: 12 })?.map(({ text }) => text)).toEqual(['53,000']);
  });
});
