import type { Session } from '@parley/shared/contracts';
import { callApi } from '../client/call-api';
import { randomKey } from '../client/random-key';
import { pinnedSuggestion, type PinnedSuggestion } from './pinned-suggestion';
import { sessionMemory } from './session-memory';

export interface ForkWish {
  /** The turn of the character to go on from. */
  readonly turn: number;
  /** Said at once, as the player's next line. */
  readonly say?: string;
  /** What the retry is for. */
  readonly pinned?: PinnedSuggestion | undefined;
}

/**
 * Makes a session that goes on at an earlier turn; its stage finds what is to be said, or kept in sight, in the tab's
 * memory.
 * @throws ApiError as forkSession does.
 */
export async function forkAt(sessionId: string, { turn, say, pinned }: ForkWish): Promise<Session> {
  const made = await callApi('forkSession', { params: { id: sessionId }, body: { turn } });
  if (say !== undefined)
    sessionMemory.writePending(made.id, { text: say, key: randomKey(), turnCount: made.turn_count });
  if (pinned !== undefined) pinnedSuggestion.write(made.id, pinned);
  return made;
}
