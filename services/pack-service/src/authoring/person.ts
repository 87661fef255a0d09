/** Whom a talk is with, out of one answer of a form. */
export interface Person {
  /** What the character is called on the page: "Marta", "Landlord". */
  readonly name: string;
  /** How the player would introduce them, as it was written. */
  readonly described: string;
}

const trimmed = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<![.!])[.!]+$/, '');

/** Reads whom a talk is with: "Marta, my team lead" is called Marta; "my landlord", without its article, Landlord. */
export const withoutArticle =
  (article: RegExp) =>
  (who: string): Person => {
    const described = trimmed(who);
    const first = (described.split(/[,;(]/, 1)[0] ?? described).trim();
    const name = first.replace(article, '').slice(0, 40);
    return { name: name.charAt(0).toUpperCase() + name.slice(1), described };
  };

/** Reads a phrase that a sentence of ours can end with: without its own full stop, and without "I want to" before it. */
export const withoutLead =
  (leads: readonly RegExp[]) =>
  (text: string): string =>
    leads.reduce((left, lead) => left.replace(lead, ''), trimmed(text));

const LONGEST_ID = 40;

/** A text as the part of an id: letters, digits and `_`. */
export function slugOf(text: string): string {
  const slug = text
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, LONGEST_ID)
    .replace(/^_+|(?<!_)_+$/g, '');
  return slug === '' ? 'talk' : slug;
}
