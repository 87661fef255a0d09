import { parseGgufHead } from './gguf-header';
import { smallGguf } from '../../testing/small-gguf';
import { seededRandom } from '../../testing/captured-response';

describe('parseGgufHead', () => {
  it('reads name, context length, quantisation and size', () => {
    expect(parseGgufHead(smallGguf(), 4096)).toEqual({
      name: 'Tiny',
      architecture: 'llama',
      context_length: 8192,
      quantisation: 'Q4_K_M',
      size_bytes: 4096,
    });
  });

  it.each([
    ['a page', Buffer.from('<html></html>'), /no GGUF file/],
    ['an empty file', Buffer.alloc(0), /no GGUF file/],
    ['the first bytes alone', Buffer.from('GGUF\u0003\0\0\0'), /cut off/],
    ['version 1', smallGguf({ version: 1 }), /version 1/],
    ['a big-endian file', smallGguf({ version: 0x03000000 }), /version/],
  ])('says clearly what is wrong with %s', (_what, bytes, message) => {
    expect(() => parseGgufHead(bytes, bytes.length)).toThrow(message);
  });

  it('takes what is there when the head ends in the middle, at any byte', () => {
    const whole = smallGguf({ size: 0 });
    for (let end = 24; end < whole.length; end += 1)
      expect(() => parseGgufHead(whole.subarray(0, end), 5_000_000)).not.toThrow();
  });

  it('neither hangs nor breaks on damaged heads', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 500; round += 1) {
      const bytes = Buffer.from(smallGguf({ size: 300 }));
      for (let flip = 0; flip < 4; flip += 1)
        bytes[8 + Math.floor(random() * (bytes.length - 8))] = Math.floor(random() * 256);
      let message = '';
      try {
        parseGgufHead(bytes, bytes.length);
      } catch (error) {
        message = (error as Error).name;
      }
      expect(['', 'GgufError']).toContain(message);
    }
  });
});
