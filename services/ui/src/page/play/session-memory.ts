import { tabMemory } from '../client/tab-memory';
import { pinnedSuggestion } from './pinned-suggestion';
import type { PendingTurn } from './play-ports';

const draftKey = (sessionId: string): string => `parley.draft.${sessionId}`;
const pendingKey = (sessionId: string): string => `parley.pending.${sessionId}`;

/** What the tab remembers of a session over a reload: the draft, and a turn that was sent and not answered yet. */
export const sessionMemory = {
  readDraft: (id: string): string => tabMemory.read(draftKey(id)) ?? '',
  writeDraft: (id: string, draft: string): void => tabMemory.write(draftKey(id), draft),
  readPending: (id: string): PendingTurn | null => parsePending(tabMemory.read(pendingKey(id))),
  writePending: (id: string, pending: PendingTurn | null): void =>
    tabMemory.write(pendingKey(id), pending === null ? null : JSON.stringify(pending)),
  /** For a session that is deleted: none of its words stay behind. */
  forget(id: string): void {
    tabMemory.write(draftKey(id), null);
    tabMemory.write(pendingKey(id), null);
    pinnedSuggestion.write(id, null);
  },
};

function parsePending(stored: string | null): PendingTurn | null {
  if (stored === null) return null;
  try {
    const { text, key, turnCount } = JSON.parse(stored) as Partial<PendingTurn>;
    return typeof text === 'string' && typeof key === 'string' && typeof turnCount === 'number'
      ? { text, key, turnCount }
      : null;
  } catch {
    return null;
  }
}
