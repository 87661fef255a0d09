import { tabMemory } from '../client/tab-memory';

const keyOf = (sessionId: string): string => `parley.rated.${sessionId}`;

/** Whether the player has rated this session, or chose not to: asked once only. */
export const isRatedOrSkipped = (sessionId: string): boolean => tabMemory.read(keyOf(sessionId)) !== null;

export const rememberSkip = (sessionId: string): void => tabMemory.write(keyOf(sessionId), 'yes');
