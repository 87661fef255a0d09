import { tabMemory } from '../client/tab-memory';

/** What a retry was started for. It stands over the composer until the line is said again. */
export interface PinnedSuggestion {
  /** Index of the player's turn that is said again. */
  readonly turn: number;
  /** The player's old words; null when they were not kept. */
  readonly said: string | null;
  /** The better line where `isLine`, else advice in words. */
  readonly suggestion: string;
  readonly isLine: boolean;
}

const key = (sessionId: string): string => `parley.pinned.${sessionId}`;

/** What the tab remembers of a retry over a reload. */
export const pinnedSuggestion = {
  read: (id: string): PinnedSuggestion | null => parse(tabMemory.read(key(id))),
  write: (id: string, pinned: PinnedSuggestion | null): void =>
    tabMemory.write(key(id), pinned === null ? null : JSON.stringify(pinned)),
};

function parse(stored: string | null): PinnedSuggestion | null {
  if (stored === null) return null;
  try {
    const { turn, said = null, suggestion, isLine } = JSON.parse(stored) as Partial<PinnedSuggestion>;
    return typeof turn === 'number' && typeof suggestion === 'string' && (said === null || typeof said === 'string')
      ? { turn, said, suggestion, isLine: isLine === true }
      : null;
  } catch {
    return null;
  }
}
