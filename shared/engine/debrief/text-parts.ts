import { UNSPACED_LETTER } from '@parley/shared/contracts';

/** Whether a text has letters of a script that puts no spaces between words. */
export const UNSPACED = new RegExp(UNSPACED_LETTER, 'u');

/** The beginning of a text, at most so many UTF-16 units and never half of a character. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Sentences of a text with their marks; a line break ends one too. */
export function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?。！？।؟\n]+(?:[.!?。！？।؟]+["”’'»«“」』)\]）]*)?\s*|[.!?。！？।؟]+/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const FULL_WIDTH_MARKS = ['。', '！', '？', '」', '』'];

/** Sentences as one text again; after full-width marks comes no space. */
export function joinedSentences(sentences: readonly string[]): string {
  const parts: string[] = [];
  let previous = '';
  for (const sentence of sentences) {
    if (sentence === '') continue;
    if (previous !== '' && !FULL_WIDTH_MARKS.includes(previous.slice(-1))) parts.push(' ');
    parts.push(sentence);
    previous = sentence;
  }
  return parts.join('');
}
