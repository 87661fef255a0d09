const SENTENCES = /[^.!?…\n]+(?:[.!?…]+["'”’)\]]*)?\s*|[.!?…\n]+\s*/g;

/** The sentences of a text with the space after each: joined they are the text. */
export const spokenSentences = (text: string): string[] => text.match(SENTENCES) ?? [];

/** Words in small letters, without marks. */
export const spokenWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];

/** Each three words that stand one after the other. */
export function trigramsOf(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + 3 <= words.length; at += 1) found.add(words.slice(at, at + 3).join(' '));
  return found;
}

/** The share of the trigrams of one text that another has, 0 to 1; 0 for less than three words. */
export function sharedTrigrams(words: readonly string[], others: ReadonlySet<string>): number {
  const own = trigramsOf(words);
  if (own.size === 0) return 0;
  let shared = 0;
  for (const trigram of own) if (others.has(trigram)) shared += 1;
  return shared / own.size;
}
