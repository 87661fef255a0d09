import { browserMemory, type TabMemory } from '../client/tab-memory';

const KEY = 'parley.dismissed';
/** More were dismissed long ago. */
const MAX_KEPT = 30;

/** Suggestions that nobody wants to see again: a later talk makes a new one. */
export function dismissedStore(memory: TabMemory) {
  const read = (): string[] => (memory.read(KEY) ?? '').split('\n').filter((line) => line !== '');
  return {
    has: (key: string): boolean => read().includes(key),
    add: (key: string): void =>
      memory.write(KEY, [...read().filter((one) => one !== key), key].slice(-MAX_KEPT).join('\n')),
    forgetAll: (): void => memory.write(KEY, null),
  };
}

export const dismissed = dismissedStore(browserMemory);
