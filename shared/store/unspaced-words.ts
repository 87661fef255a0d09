import { UNSPACED_LETTER } from '@parley/shared/contracts';

const BETWEEN_LETTERS = new RegExp(`(?<=${UNSPACED_LETTER})(?=${UNSPACED_LETTER})`, 'gu');
const SOME = new RegExp(UNSPACED_LETTER, 'u');
/** Takes no room where it is seen. */
const GAP = '\u200b';

/**
 * A text as the full-text index takes it: scripts that put no spaces between words are taken apart into letters, so that
 * any part of a sentence can be found as a phrase. Other text is left as it is.
 */
export const apart = (text: string): string => (SOME.test(text) ? text.replace(BETWEEN_LETTERS, GAP) : text);

/** What `apart` was given. */
export const together = (text: string): string => text.replaceAll(GAP, '');
