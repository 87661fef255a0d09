import type { ChatMessage } from '@parley/shared/contracts';

/** The content of the last user message; empty when there is none. */
export function lastUserMessage(messages: readonly ChatMessage[]): string {
  return messages.findLast((message) => message.role === 'user')?.content ?? '';
}

/**
 * What the player said: the fenced text of the PLAYER_UTTERANCE section of the last user message. Without a fence it is
 * the paragraph under the heading, without such a section the whole message.
 */
export function playerUtterance(messages: readonly ChatMessage[]): string {
  const message = lastUserMessage(messages);
  const section = /^[#\s]*PLAYER_UTTERANCE\b[^\n]*\n([\s\S]*)$/m.exec(message)?.[1];
  if (section === undefined) return message.trim();
  const fenced = /^\s*<+TEXT ([^>\n]*)>+\n([\s\S]*?)\n?<+END \1>+/.exec(section)?.[2];
  return (fenced ?? section.trim().split(/\n\s*\n/)[0] ?? '').trim();
}

/** The number of the player's turn: as the prompt states it, else by the user messages that are here. */
export function playerTurn(messages: readonly ChatMessage[]): number {
  const stated = /\bPlayer turn (\d{1,3})\b/i.exec(lastUserMessage(messages))?.[1];
  return stated === undefined ? messages.filter((message) => message.role === 'user').length : Number(stated);
}
