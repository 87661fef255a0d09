/** What a message costs beside its text: role marks of the usual chat templates. */
export const TOKENS_PER_MESSAGE = 5;

/**
 * How many tokens a text takes, without a tokenizer, on the safe side (rather too many) for the vocabularies of common
 * open models from 32k up: a run of letters costs one token up to six letters and one more per four letters begun beyond
 * that, digits, punctuation and line breaks one each, letters beyond ASCII one per character, other scripts two,
 * pictures four. On English prose that comes to about 3.5 characters a token, where such tokenizers reach 3.7 to 4.5.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (letters === 0 || (letters >= 6 && (letters - 6) % 4 === 0)) tokens += 1;
      letters += 1;
      continue;
    }
    letters = 0;
    // A single space or `_` belongs to the word after it.
    if (code === 95) tokens += text.charCodeAt(index + 1) === 95 ? 1 : 0;
    else if (code === 32) tokens += text.charCodeAt(index + 1) === 32 ? 1 : 0;
    else if (code < 0x800) tokens += 1;
    // Both halves of a pair count two: four for the character.
    else tokens += 2;
  }
  return tokens;
}
