const SMALL_ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS_ENGLISH = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ENGLISH: ReadonlyMap<string, number> = new Map([
  ...SMALL_ENGLISH.map((word, value): [string, number] => [word, value]),
  ...TENS_ENGLISH.map((word, index): [string, number] => [word, 20 + 10 * index]),
  ['fourty', 40],
]);

const SMALL_GERMAN: Readonly<Record<string, number>> = {
  null: 0, ein: 1, eins: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10, elf: 11, zwölf: 12,
  dreizehn: 13, vierzehn: 14, fünfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18, neunzehn: 19,
}; // prettier-ignore
const TENS_GERMAN: Readonly<Record<string, number>> = {
  zwanzig: 20,
  dreißig: 30,
  dreissig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
};
const LONGEST_GERMAN = 60;

/** The value of a German number word below a thousand, such as dreiundfünfzig or hundertzwanzig. */
function germanBelowThousand(word: string): number | null {
  const hundred = /^(.*?)hundert(?:und)?(.*)$/.exec(word);
  if (hundred !== null) {
    const [, before = '', behind = ''] = hundred;
    const count = before === '' ? 1 : SMALL_GERMAN[before];
    const rest = behind === '' ? 0 : germanBelowThousand(behind);
    return count === undefined || count > 9 || rest === null ? null : count * 100 + rest;
  }
  const small = Object.hasOwn(SMALL_GERMAN, word) ? SMALL_GERMAN[word] : undefined;
  const tens = Object.hasOwn(TENS_GERMAN, word) ? TENS_GERMAN[word] : undefined;
  if (small !== undefined) return small;
  if (tens !== undefined) return tens;
  const joined = /^(.+?)und(.+)$/.exec(word);
  if (joined === null) return null;
  const ones = SMALL_GERMAN[joined[1] ?? ''];
  const ten = TENS_GERMAN[joined[2] ?? ''];
  return ones === undefined || ten === undefined || ones > 9 ? null : ones + ten;
}

/** The value of one German number word, or null: dreiundfünfzigtausend is 53,000. */
export function germanNumber(word: string): number | null {
  if (word.length > LONGEST_GERMAN) return null;
  const thousand = /^(.*?)tausend(?:und)?(.*)$/.exec(word);
  if (thousand === null) return germanBelowThousand(word);
  const [, before = '', behind = ''] = thousand;
  if (before === '' && behind === '') return null;
  const count = before === '' ? 1 : germanBelowThousand(before);
  const rest = behind === '' ? 0 : germanBelowThousand(behind);
  return count === null || rest === null ? null : count * 1000 + rest;
}

/** The value of one English number word below a hundred, or null. */
export const englishNumber = (word: string): number | null => ENGLISH.get(word) ?? null;
