import { valueOfDigits } from './digits';
import type { LineParts } from './line-parts';
import { englishNumber, germanNumber } from './number-words';
import { familyOf } from './stems';
import { CONTENTLESS } from './contentless-words';
import type { TokenRange } from './token-text';
import { tokensOf, type Token } from './tokens';

/** What a token says, so that forms of one word are equal and 3 equals three; null for words without content. */
function contentOf(token: Token, language: string, names: ReadonlySet<string>): string | null {
  if (token.kind === 'mark') return token.text === '%' ? familyOf('percent', language) : null;
  const value =
    token.kind === 'number'
      ? valueOfDigits(token.text)
      : language === 'de'
        ? germanNumber(token.text)
        : englishNumber(token.text);
  // One is a pronoun more often than a number.
  if (value !== null && value !== 1) return `#${value}`;
  if (token.kind === 'number' || token.text.length < 2 || CONTENTLESS.has(token.text) || names.has(token.text))
    return null;
  return familyOf(token.text, language);
}

/** Narrations and lines of a character have at most 4,000 UTF-16 units. */
const LONGEST_COMPARED = 4_000;

/**
 * Which content words of the other's text the player takes up, in any form and order; one range for each, the first.
 * Copied sentences take nothing up.
 */
export function echoesOf(parts: LineParts, other: string): TokenRange[] {
  const { tokens, language, nameWords, copied } = parts;
  const theirs = new Set<string>();
  for (const token of tokensOf(other.slice(0, LONGEST_COMPARED), language)) {
    const content = contentOf(token, language, nameWords);
    if (content !== null) theirs.add(content);
  }
  const found: TokenRange[] = [];
  tokens.forEach((token, at) => {
    if (copied[at] || theirs.size === 0) return;
    const content = contentOf(token, language, nameWords);
    if (content === null || !theirs.delete(content)) return;
    found.push({ from: at, to: at + 1 });
  });
  return found;
}
