import { CONTENTLESS } from './contentless-words';
import { FUNCTION_WORDS } from './function-words';
import { tokensOf } from './tokens';

const SHORTEST = 3;

/** The words of a text that say what it is about, in lower case, each once, in their order. */
export function contentWords(text: string, language: string): string[] {
  const words = tokensOf(text, language).filter(
    ({ kind, text: word }) =>
      kind === 'word' && word.length >= SHORTEST && !CONTENTLESS.has(word) && !FUNCTION_WORDS.has(word),
  );
  return [...new Set(words.map(({ text: word }) => word))];
}
