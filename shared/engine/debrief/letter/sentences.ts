import { sentencesOf } from '../text-parts';

export const firstSentence = (text: string): string => sentencesOf(text)[0] ?? text;

/** A text of an author as a sentence of its own. */
export const asSentence = (text: string): string =>
  /[.!?…]["'’”]?$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
