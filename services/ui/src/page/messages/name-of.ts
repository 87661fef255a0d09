import type { Messages } from './en';

/** An id as words, for what the catalogue does not name. */
export const spoken = (id: string): string => id.replaceAll('_', ' ');

/** Name of a state variable for people: from the catalogue, else its id as words. */
export function variableName(messages: Messages, id: string): string {
  const words = spoken(id);
  return messages.variables[id] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** An emotion as a word. */
export const emotionWord = (messages: Messages, id: string): string => messages.emotions[id] ?? spoken(id);
