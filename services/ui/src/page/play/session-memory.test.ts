import { storageMemory } from '../client/tab-memory';
import { sessionMemory } from './session-memory';

function fakeStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('sessionMemory', () => {
  let storage: ReturnType<typeof fakeStorage>;
  beforeEach(() => {
    storage = fakeStorage();
    Object.assign(globalThis, { window: { sessionStorage: storage } });
  });
  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  it('gives back what it was given, session by session', () => {
    const pending = { text: 'Hello', key: 'k', turnCount: 3 };
    sessionMemory.writeDraft('a', 'Half a thought');
    sessionMemory.writePending('a', pending);
    expect(sessionMemory.readDraft('a')).toBe('Half a thought');
    expect(sessionMemory.readPending('a')).toEqual(pending);
    expect(sessionMemory.readDraft('b')).toBe('');
    expect(sessionMemory.readPending('b')).toBeNull();
  });

  it('keeps no word of a session that it forgets', () => {
    sessionMemory.writeDraft('a', 'Half a thought');
    sessionMemory.writePending('a', { text: 'Hello', key: 'k', turnCount: 3 });
    sessionMemory.forget('a');
    expect(storage.kept.size).toBe(0);
  });

  it.each(['{', '{}', '{"text":1,"key":"k","turnCount":1}', 'null'])('takes %s for nothing', (stored) => {
    storage.kept.set('parley.pending.a', stored);
    expect(sessionMemory.readPending('a')).toBeNull();
  });
});

describe('storageMemory', () => {
  it('goes on without a memory where storage is forbidden', () => {
    const memory = storageMemory(() => {
      throw new Error('denied');
    });
    expect(() => memory.write('a', 'b')).not.toThrow();
    expect(() => memory.clear()).not.toThrow();
    expect(memory.read('a')).toBeNull();
  });
});
