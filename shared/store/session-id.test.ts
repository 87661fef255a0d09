import { randomBytes } from 'node:crypto';
import { SessionId } from '@parley/shared/contracts';
import { newSessionId } from './session-id';

const AT = Date.UTC(2026, 2, 4);

describe('newSessionId', () => {
  it('makes ids that the contract takes, in the order of their time', () => {
    const ids = [0, 1, 31, 32, 1000, 86_400_000].map((after) => newSessionId(AT + after, randomBytes));
    for (const id of ids) expect(SessionId.parse(id)).toBe(id);
    expect([...ids].sort()).toEqual(ids);
    expect(newSessionId(Date.UTC(9999, 0), randomBytes) > (ids[0] as string)).toBe(true);
  });

  it('carries every one of 128 random bits', () => {
    const zeros = newSessionId(AT, (size) => new Uint8Array(size));
    const seen = new Set<string>();
    for (let bit = 0; bit < 128; bit += 1) {
      seen.add(
        newSessionId(AT, (size) => {
          const bytes = new Uint8Array(size);
          bytes[bit >> 3] = 1 << (bit & 7);
          return bytes;
        }),
      );
    }
    expect(seen.size).toBe(128);
    expect(seen.has(zeros)).toBe(false);
  });
});
