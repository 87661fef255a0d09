/** Whom a talk is with, out of one answer of a form. */
export interface Person {
  /** What the character is called on the page: "Marta", "Landlord". */
  readonly name: string;
  /** How the player would introduce them, as it was written. */
  readonly described: string;
}

/** "Marta, my team lead" is called Marta; "my landlord" is called Landlord. */
export function personOf(who: string): Person {
  const described = who
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<![.!])[.!]+$/, '');
  const first = (described.split(/[,;(]/, 1)[0] ?? described).trim();
  const name = first.replace(/^(?:my|our|the|an?)\s+(?=\S)/i, '').slice(0, 40);
  return { name: name.charAt(0).toUpperCase() + name.slice(1), described };
}

/** A phrase that a sentence of ours can end with: without its own full stop, and without "to" or "I want to" before it. */
export const phraseOf = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<![.!])[.!]+$/, '')
    .replace(/^(?:(?:I|we) (?:want|would like|need|wish)(?: them| her| him)? )?(?:to|for) /i, '')
    .replace(/^(?:I|we) (?:want|would like|need|wish) /i, '');

const LONGEST_ID = 40;

/** A text as the part of an id: letters, digits and `_`. */
export function slugOf(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST_ID)
    .replace(/^_+|(?<!_)_+$/g, '');
  return slug === '' ? 'talk' : slug;
}
