/** Letters of other scripts that pass for Latin ones, and digits and signs that stand for letters inside words. */
const LOOK_ALIKES: Record<string, string> = {
  а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's', к: 'k', м: 'm', т: 't', в: 'b', н: 'h',
  ԁ: 'd', ɡ: 'g', ӏ: 'l', α: 'a', ε: 'e', ο: 'o', ρ: 'p', ν: 'v', ι: 'i', κ: 'k', τ: 't', υ: 'u', χ: 'x', ı: 'i', ł: 'l',
}; // prettier-ignore
const IN_WORDS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Letters that are spaced out as one word; where the first may be a word of its own, also without it. */
function joined(spaced: string): string {
  const word = spaced.replace(/[^a-z]/g, '');
  return /^[ai] /.test(spaced) ? `${word} ${word.slice(1)}` : word;
}

/**
 * A text as the rules read it: compatibility form, lower case, without accents, hidden characters and look-alike
 * letters, with one kind of apostrophe and single spaces; digits and signs inside words are read as the letters they
 * stand for, letters that are spaced out are joined, and drawn-out letters shortened. Takes time in proportion to the
 * text.
 */
export function normalForm(text: string): string {
  return (
    text
      // Before the compatibility form, which takes the acute accent apart.
      .replace(/[’‘`´ʼ]/g, "'")
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{Cf}\p{M}\u{e0000}-\u{e007f}]/gu, '')
      .replace(/[^\x00-\x7f]/gu, (letter) => LOOK_ALIKES[letter] ?? letter)
      .replace(/(?<=[a-z])[013457@$!](?=[a-z])/g, (sign) => IN_WORDS[sign] ?? sign)
      .replace(/\b(?:[a-z][ .*_-]){3,40}[a-z]\b/g, joined)
      .replace(/(?<=[a-z])[*_](?=[a-z])/g, '')
      .replace(/([a-z])\1{2,}/g, '$1')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
