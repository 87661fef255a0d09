import { ChatItem } from '@parley/shared/contracts';

/** Every line of a chat's answer, checked against its contract. @throws when a line does not match or the last has no end. */
export function readChatLines(text: string): ChatItem[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => ChatItem.parse(JSON.parse(line)));
}
