import { UNSPACED_LETTER } from '@parley/shared/contracts';

/** Whether a text has letters of a script that puts no spaces between words. */
export const UNSPACED = new RegExp(UNSPACED_LETTER, 'u');

/** The beginning of a text, at most so many UTF-16 units and never half of a character. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Sentences of a text with their marks; a line break ends one too. */
export function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?。！？।؟\n]+(?:[.!?。！？।؟]+["”’'»«“」』)\]）]*|\n|$)(?:\s+|$)?|[.!?。！？।؟]+/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Sentences as one text again; after full-width marks comes no space. */
export const joinedSentences = (sentences: readonly string[]): string =>
  sentences.reduce((text, next) => (text === '' || /[。！？」』]$/u.test(text) ? text + next : `${text} ${next}`), '');
