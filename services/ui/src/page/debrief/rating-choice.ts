import { tabMemory } from '../client/tab-memory';

const decidedKey = (sessionId: string): string => `parley.rated.${sessionId}`;
const draftKey = (sessionId: string): string => `parley.rating.${sessionId}`;

export type Ratings = Readonly<Record<string, number>>;

/** What the tab remembers of the player's own rating of a session: whether it was given or skipped, and until then what is filled in. */
export const ratingChoice = {
  isDecided: (id: string): boolean => tabMemory.read(decidedKey(id)) !== null,
  decide(id: string): void {
    tabMemory.write(decidedKey(id), 'yes');
    tabMemory.write(draftKey(id), null);
  },
  /** null: the player was not asked yet in this tab. */
  readDraft: (id: string): Ratings | null => parseRatings(tabMemory.read(draftKey(id))),
  writeDraft: (id: string, ratings: Ratings): void => tabMemory.write(draftKey(id), JSON.stringify(ratings)),
  /** For a session that is deleted. */
  forget(id: string): void {
    tabMemory.write(decidedKey(id), null);
    tabMemory.write(draftKey(id), null);
  },
};

function parseRatings(stored: string | null): Ratings | null {
  if (stored === null) return null;
  try {
    const parsed: unknown = JSON.parse(stored);
    if (typeof parsed !== 'object' || parsed === null) return null;
    return Object.fromEntries(Object.entries(parsed).filter(([, rating]) => typeof rating === 'number'));
  } catch {
    return null;
  }
}
