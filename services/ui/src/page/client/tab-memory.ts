/**
 * What a tab remembers over a reload: drafts, and turns that were sent and not yet answered. Storage that is full or
 * forbidden only costs that memory.
 */
export interface TabMemory {
  read(key: string): string | null;
  write(key: string, value: string | null): void;
  clear(): void;
}

export function storageMemory(storage: () => Storage): TabMemory {
  return {
    read(key) {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (value === null || value === '') storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        // Nothing is lost but the memory over a reload.
      }
    },
    clear() {
      try {
        storage().clear();
      } catch {
        // What is forbidden holds nothing.
      }
    },
  };
}

export const tabMemory = storageMemory(() => window.sessionStorage);
export const browserMemory = storageMemory(() => window.localStorage);
