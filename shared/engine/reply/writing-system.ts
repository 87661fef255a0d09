/** Scripts of languages that are not written in Latin letters; all others are taken for Latin. */
const OTHER_SCRIPTS: Readonly<Record<string, RegExp>> = Object.fromEntries([
  ...['ru', 'uk', 'bg', 'be', 'sr', 'mk', 'kk', 'mn'].map((code) => [code, /\p{Script=Cyrillic}/gu] as const),
  ...['ar', 'fa', 'ur'].map((code) => [code, /\p{Script=Arabic}/gu] as const),
  ...['hi', 'mr', 'ne'].map((code) => [code, /\p{Script=Devanagari}/gu] as const),
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ja', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /[\p{Script=Hangul}\p{Script=Han}]/gu],
  ['th', /\p{Script=Thai}/gu],
]);
const LATIN = /\p{Script=Latin}/gu;
/** Fewer letters than this may be a name or a quotation. */
const ENOUGH_LETTERS = 8;
/** Letters of the expected scripts that make a text count as written in them, in parts of all letters. */
const EXPECTED_PART = 0.5;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/**
 * Whether a text is mostly in letters that none of the languages is written in: small models slip into the language that
 * they know best. Two languages in the same letters cannot be told apart here.
 *
 * @param languages codes such as `en`; those that are not known count as Latin.
 */
export function writesOtherScript(text: string, languages: readonly string[]): boolean {
  const letters = countOf(text, /\p{L}/gu);
  if (letters < ENOUGH_LETTERS) return false;
  const scripts = new Set(languages.map((code) => OTHER_SCRIPTS[code] ?? LATIN));
  const expected = [...scripts].reduce((sum, script) => sum + countOf(text, script), 0);
  return expected < letters * EXPECTED_PART;
}
