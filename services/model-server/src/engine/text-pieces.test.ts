import { TextPieces } from './text-pieces';

/** Each token is one byte. */
const bytes = { detokenize: (tokens: readonly number[]) => Buffer.from(tokens).toString('utf8') };

describe('TextPieces', () => {
  it('gives whole characters, whatever bytes the tokens hold', () => {
    const pieces = new TextPieces(bytes, []);
    expect([...Buffer.from('é🙂x')].map((byte) => pieces.add(byte))).toEqual(['', 'é', '', '', '', '🙂', 'x']);
    expect(pieces.rest()).toBe('');
  });

  it('drops half a character at the end and does not wait for ever', () => {
    const pieces = new TextPieces(bytes, []);
    expect([0xf0, 0x9f].map((byte) => pieces.add(byte))).toEqual(['', '']);
    expect(pieces.rest()).toBe('');
    expect([0xff, 0xff, 0xff, 0xff].map((byte) => pieces.add(byte)).join('')).toBe('\uFFFD'.repeat(4));
  });
});
