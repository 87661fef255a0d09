import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as germanStem } from '@orama/stemmers/german';

/** Forms of English that no rule of endings finds: the base form, then its irregular forms. */
const IRREGULAR = `
be am is are was were been being|become became|begin began begun|bend bent|bite bit bitten|bleed bled|blow blew blown|break broke broken
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug
do does did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
get got gotten|give gave given|go goes went gone|grow grew grown|hang hung|have has had|hear heard|hide hid hidden|hold held|keep kept|know knew known
lay laid|lead led|lean leant|learn learnt|leave left|lend lent|lie lay lain lying|die died dies dying|tie tied ties tying|light lit|lose lost|make made|mean meant|meet met
mistake mistook mistaken|misunderstand misunderstood|overcome overcame|pay paid|prove proven|ride rode ridden|ring rang rung|rise rose risen|run ran
say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spill spilt|stand stood|steal stole stolen|stick stuck|strike struck
swear swore sworn|sweep swept|swim swam swum|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
understand understood|undertake undertook undertaken|wake woke woken|wear wore worn|weep wept|win won|withdraw withdrew withdrawn|write wrote written
man men|woman women|child children|person people|foot feet|tooth teeth|mouse mice|half halves|shelf shelves|knife knives|life lives|wife wives
good better best|bad worse worst|far further farther|dish dishes`;
const BASE_OF: ReadonlyMap<string, string> = new Map(
  IRREGULAR.trim()
    .split(/[|\n]/)
    .flatMap((row) => {
      const [base = '', ...forms] = row.split(' ');
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/** Endings that make another word and not a form of the same one: hopeful is no form of hope. */
const OTHER_WORD = /(?:ful|less|ness|ment|ation|ion|ly|ous|ive|able|ible|al|ity|ism|ist|ship)(?=e?s?$)/;
/** Longer letters in a row are no word of a language. */
const LONGEST_WORD = 40;

const KEPT = 4_000;
const STEMS = { en: new Map<string, string>(), de: new Map<string, string>() };
const FAMILIES = { en: new Map<string, string>(), de: new Map<string, string>() };

const hasStemmer = (language: string): language is keyof typeof STEMS => language === 'en' || language === 'de';

/** What was found of a word, kept while there are few. Text of players must not grow a process: a full map begins anew. */
function kept(found: Map<string, string>, word: string, find: (word: string) => string): string {
  const known = found.get(word);
  if (known !== undefined) return known;
  const value = find(word);
  if (found.size >= KEPT) found.clear();
  found.set(word, value);
  return value;
}

/** One spelling for those of both sides of the Atlantic: apologise and apologize, favour and favor. */
const oneSpelling = (word: string): string =>
  word
    .replace(/(?<=[a-z]{4})is(?=(?:e|es|ed|ing)$)/, 'iz')
    .replace(/(?<=[a-z]{2})our(?=(?:s|ed|ing|ite|ites|able)?$)/, 'or');

function englishKey(word: string): string {
  const base = oneSpelling(BASE_OF.get(word) ?? word);
  const ending = OTHER_WORD.exec(base)?.[0] ?? '';
  return `${englishStem(base)}/${ending}`;
}

const familyOfStem = (stem: string): string =>
  (stem.split('/', 1)[0] ?? '').replace(/(?<=\p{L}{4})(?:[ai]bl|ment|ful|less|ness)e?$/u, '');

/** What words of one family have in common: check, checked and checkable. Looser than {@link stemOf}. */
export function familyOf(word: string, language: string): string {
  const find = (): string => familyOfStem(stemOf(word, language));
  return hasStemmer(language) && word.length <= LONGEST_WORD ? kept(FAMILIES[language], word, find) : find();
}

/**
 * What the inflections of a word have in common, for comparing only: equal for need, needs and needed. Languages without a
 * stemmer here compare whole words.
 */
export function stemOf(word: string, language: string): string {
  if (!hasStemmer(language) || word.length > LONGEST_WORD) return word;
  return kept(STEMS[language], word, language === 'en' ? englishKey : germanStem);
}
