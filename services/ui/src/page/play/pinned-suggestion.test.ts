import { pinnedSuggestion } from './pinned-suggestion';
import { sessionMemory } from './session-memory';

const KEY = 'parley.pinned.a';
const PINNED = { turn: 4, said: 'Two things.', suggestion: 'Which is easier?', isLine: true };

describe('pinnedSuggestion', () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
    const sessionStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    Object.assign(globalThis, { window: { sessionStorage } });
  });
  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  it('is kept for its session, and goes with it', () => {
    pinnedSuggestion.write('a', PINNED);
    expect(pinnedSuggestion.read('a')).toEqual(PINNED);
    expect(pinnedSuggestion.read('b')).toBeNull();
    sessionMemory.forget('a');
    expect(kept.size).toBe(0);
  });

  it.each([
    ['no JSON'],
    ['null'],
    ['{"turn":4}'],
    ['{"turn":"4","suggestion":"x"}'],
    ['{"turn":4,"suggestion":"x","said":1}'],
  ])('takes %s for none', (stored) => {
    kept.set(KEY, stored);
    expect(pinnedSuggestion.read('a')).toBeNull();
  });
});
