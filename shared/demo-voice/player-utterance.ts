import type { ChatMessage } from '@parley/shared/contracts';

/** The content of the last user message; empty when there is none. */
function lastUserMessage(messages: readonly ChatMessage[]): string {
  return messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/**
 * What the player said: the fenced text of the PLAYER_UTTERANCE section of the last user message. Without a fence it is
 * the paragraph under the heading, without such a section the whole message.
 */
export function playerUtterance(messages: readonly ChatMessage[]): string {
  const message = lastUserMessage(messages);
  const heading = HEADING.exec(message);
  if (heading === null) return message.trim();
  const section = message.slice(heading.index + heading[0].length);
  return (fencedText(section) ?? section.trim().split(/\n\s*\n/)[0] ?? '').trim();
}

const HEADING = /^[# \t]*PLAYER_UTTERANCE\b.*\r?\n/m;

/** What stands between the marks at the beginning of a text; null without such marks. */
function fencedText(section: string): string | null {
  const opening = /^\s*<+TEXT ([^>\n]*)>+\n/.exec(section);
  if (opening === null) return null;
  const rest = section.slice(opening[0].length);
  const end = rest.indexOf(`<END ${opening[1] ?? ''}>`);
  return end === -1 ? null : rest.slice(0, end).replace(/(?<!<)<+$/, '');
}

/** The number of the player's turn: as the prompt states it, else by the user messages that are here. */
export function playerTurn(messages: readonly ChatMessage[]): number {
  const stated = /\bPlayer turn (\d{1,3})\b/i.exec(lastUserMessage(messages))?.[1];
  return stated === undefined ? messages.filter((message) => message.role === 'user').length : Number(stated);
}

/** The language that the prompt asks the character to speak: de where it says German, else en, which the demo voice falls back to. */
export const spokenLanguage = (messages: readonly ChatMessage[]): 'de' | 'en' =>
  messages.some(({ role, content }) => role === 'system' && /^Speak German\. Spoken words only/m.test(content))
    ? 'de'
    : 'en';
