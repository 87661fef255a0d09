/** Scripts that a language is written in beside the usual one. */
const ALSO_WRITTEN_IN: Readonly<Record<string, readonly string[]>> = {
  az: ['Cyrl', 'Arab'],
  bs: ['Cyrl'],
  ha: ['Arab'],
  kk: ['Latn', 'Arab'],
  ks: ['Deva'],
  ku: ['Arab'],
  ky: ['Latn', 'Arab'],
  mn: ['Mong'],
  ms: ['Arab'],
  pa: ['Arab'],
  sd: ['Deva'],
  sr: ['Latn'],
  tg: ['Latn', 'Arab'],
  tk: ['Cyrl', 'Arab'],
  tt: ['Latn'],
  ug: ['Cyrl', 'Latn'],
  uz: ['Cyrl', 'Arab'],
};
/** Names of writing systems that mix scripts of the Unicode standard. */
const MIXED: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani'],
  Hant: ['Hani'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
};
/** Fewer letters than this may be a name or a quotation. */
const ENOUGH_LETTERS = 8;
/** Letters of the expected scripts that make a text count as written in them, in parts of all letters. */
const EXPECTED_PART = 0.5;

/** English needs no tables. */
const scriptsByLanguage = new Map<string, readonly string[] | null>([['en', ['Latn']]]);
const lettersByScript = new Map<string, RegExp>();

/** The scripts that a language is written in, by their four-letter codes; null for a code that nobody knows. */
function scriptsOf(code: string): readonly string[] | null {
  const known = scriptsByLanguage.get(code);
  if (known !== undefined) return known;
  const usual = /^[a-z]{2,3}$/.test(code) ? new Intl.Locale(code).maximize().script : undefined;
  const scripts = usual === undefined ? null : [...(MIXED[usual] ?? [usual]), ...(ALSO_WRITTEN_IN[code] ?? [])];
  scriptsByLanguage.set(code, scripts);
  return scripts;
}

function lettersOf(script: string): RegExp {
  const letters = lettersByScript.get(script) ?? new RegExp(`\\p{Script=${script}}`, 'gu');
  lettersByScript.set(script, letters);
  return letters;
}

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/**
 * Whether a text is mostly in letters that none of the languages is written in: small models slip into the language that
 * they know best. Two languages in the same letters cannot be told apart here, and of a language that is not known
 * nothing can be said.
 *
 * @param languages codes such as `en`.
 */
export function writesOtherScript(text: string, languages: readonly string[]): boolean {
  const letters = countOf(text, /\p{L}/gu);
  if (letters < ENOUGH_LETTERS) return false;
  const scripts = new Set<string>();
  for (const code of languages) {
    const own = scriptsOf(code);
    if (own === null) return false;
    own.forEach((script) => scripts.add(script));
  }
  let expected = 0;
  for (const script of scripts) expected += countOf(text, lettersOf(script));
  return expected < letters * EXPECTED_PART;
}
