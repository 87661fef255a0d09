import { FUNCTION_WORDS } from './function-words';
import type { LineParts } from './line-parts';
import type { Token } from './tokens';

/** From so many words on a line that is no sentence is noticed. */
const FEWEST_WORDS = 8;
/** Fewer function words than this part of all are no sentence of English or German; of few words, nearly none. */
const FEWEST_FUNCTION_WORDS = 0.22;
const FEWEST_OF_FEW = 0.12;
/** The same without the words for people, which stand in lists too. */
const FEWEST_JOINING = 0.1;
const MORE_THAN_FEW = 12;
/** More of the same: fewer different words than this part, in lines of many words. */
const FEWEST_DIFFERENT = 0.4;
const MANY_WORDS = 14;

const JOINS = new Set(
  'because since although unless whether if and or but so while aber und oder weil wenn dass'.split(' '),
);
const ASKS = new Set('what how why who where which when'.split(' '));
const SUBJECTS = new Set('i we he she they'.split(' '));

const PERSONS = new Set('i me my you your he him his she her we us our they them their myself yourself'.split(' '));
const AFTER_NO_SUBJECT = new Set('by because since sorry thanks please what how'.split(' '));
const EXCLAIMS = new Set('sorry thanks please okay agreed'.split(' '));

/** Words in each piece of a telegram, on average: keywords come one or two at a time. */
const TELEGRAM_WORDS = 2.5;
/** What makes a few words a statement without a verb in person: freight down 118k, stock-outs 31 to 9. */
const STATES = new Set(
  (
    'down up off back out over under to of from in on at by per not no never none minus plus than less more ' +
    'runter rauf zurück von auf um bei pro nicht kein keine nie weniger mehr unter über gesunken gestiegen'
  ).split(' '),
);
const PARTICIPLE = /^(?:\p{L}{3,}(?:ed|ing)|ge\p{L}{3,}(?:t|en))$/u;

const isWord = (token: Token): boolean => token.kind !== 'mark';

/** Two words that do not follow each other in a sentence: because since, we I, what how. */
function clashes(one: string, other: string): boolean {
  if (ASKS.has(one) && ASKS.has(other)) return true;
  if (SUBJECTS.has(one) && SUBJECTS.has(other)) return true;
  if (SUBJECTS.has(one) && AFTER_NO_SUBJECT.has(other)) return true;
  if (EXCLAIMS.has(one) && EXCLAIMS.has(other) && one !== other) return true;
  if (!JOINS.has(one)) return false;
  if ((one === 'because' || one === 'since') && ASKS.has(other)) return true;
  return JOINS.has(other) && !/^(?:and|but|or|so)$/.test(one);
}

/** Whether sentences of a line say the same words again. */
function repeatsItself({ tokens, sentences }: LineParts): boolean {
  if (sentences.length < 2) return false;
  const seen = new Map<string, number>();
  let words = 0;
  let again = 0;
  for (const { from, to } of sentences) {
    const own = tokens.slice(from, to).filter(isWord);
    const key = own.map((token) => token.text).join(' ');
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    words += own.length;
    if (count > 0 && own.length >= 2) again += own.length;
  }
  return again >= 6 && again >= 0.45 * words;
}

/** The words of a line, by the marks between them. */
function piecesOf(tokens: readonly Token[]): Token[][] {
  const pieces: Token[][] = [[]];
  for (const token of tokens)
    if (isWord(token)) pieces.at(-1)?.push(token);
    else if (pieces.at(-1)?.length !== 0) pieces.push([]);
  return pieces.filter((piece) => piece.length > 0);
}

/** Facts in short sentences, as people jot them down: express freight down 118k, claims 41k recovered. */
function isTelegram(pieces: readonly (readonly Token[])[], words: number): boolean {
  if (pieces.length < 2 || words / pieces.length < TELEGRAM_WORDS) return false;
  const stating = pieces.filter((piece) => piece.some(({ text }) => STATES.has(text) || PARTICIPLE.test(text)));
  return 2 * stating.length >= pieces.length;
}

/**
 * Whether a line is keywords in a row, one thing over and over or no language, in the place of sentences. Only English and
 * German are read for sentences; repetition is seen in any language.
 */
export function isStuffed(parts: LineParts): boolean {
  if (repeatsItself(parts)) return true;
  const { tokens, language } = parts;
  const words = tokens.filter(isWord);
  if (words.length < FEWEST_WORDS) return false;
  const different = new Set(words.map((token) => token.text)).size;
  if (words.length >= MANY_WORDS && different < FEWEST_DIFFERENT * words.length && different < 60) return true;
  if (language !== 'en' && language !== 'de') return false;
  const pieces = piecesOf(tokens);
  const isFunctionWord = (token: Token): boolean => FUNCTION_WORDS.has(token.text);
  const functionWords = words.filter(isFunctionWord).length;
  const fewest = words.length < MORE_THAN_FEW ? FEWEST_OF_FEW : FEWEST_FUNCTION_WORDS;
  if (functionWords < fewest * words.length && !isTelegram(pieces, words.length)) return true;
  // I feel pot tuesday you hob mondays: people, and nothing that joins them. With commas it may be a plan: you Mondays, me Tuesdays.
  if (language === 'en' && words.length >= MORE_THAN_FEW && words.length > 6 * (tokens.length - words.length)) {
    const joining = words.filter((token) => isFunctionWord(token) && !PERSONS.has(token.text)).length;
    if (joining < FEWEST_JOINING * words.length) return true;
  }
  const clashing = pieces
    .map((piece) => piece.filter((token, at) => clashes(token.text, piece[at + 1]?.text ?? '')).length)
    .reduce((sum, count) => sum + count, 0);
  if (clashing >= 2 && clashing * 12 >= words.length) return true;
  // Sorry, thanks, Friday, 53,000, because, what do you need?
  return pieces.length >= 6 && words.length / pieces.length < 2;
}

/** How much of the longer line's groups of three words the other one must hold for both to be the same. */
const SAME_PART = 0.8;
const GROUP = 3;
/** Beyond this many UTF-16 units of earlier lines nothing is compared. */
const LONGEST_COMPARED = 40_000;

const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Groups of words that follow each other; numbers are parts of them in any spelling, since marks are none. */
function groupsOf(words: readonly string[]): Set<string> {
  const groups = new Set<string>();
  for (let index = 0; index + GROUP <= words.length; index += 1)
    groups.add(`${words[index] ?? ''} ${words[index + 1] ?? ''} ${words[index + 2] ?? ''}`);
  return groups;
}

const PROBES = 8;

/** Some words from all over a line: an earlier one that lacks most of them need not be looked at closely. */
function probesOf(words: readonly string[]): string[] {
  const long = words.filter((word) => word.length > 3);
  const step = Math.max(1, Math.floor(long.length / PROBES));
  return long.filter((_, index) => index % step === 0).slice(0, PROBES);
}

/** Whether the player said the same, or nearly so, in an earlier line. Lines of one or two words (I see) never repeat. */
export function isRepeated(line: string, earlierLines: readonly string[]): boolean {
  if (earlierLines.length === 0) return false;
  const words = plainWords(line);
  if (words.length < GROUP) return false;
  const probes = probesOf(words);
  let groups: Set<string> | undefined;
  let left = LONGEST_COMPARED;
  // The last lines first: that is where repetition is.
  for (const earlier of [...earlierLines].reverse()) {
    left -= earlier.length;
    if (left < 0) return false;
    const lower = earlier.toLowerCase();
    if (probes.filter((word) => lower.includes(word)).length < probes.length / 2) continue;
    const theirs = plainWords(earlier);
    if (theirs.length < SAME_PART * words.length || words.length < SAME_PART * theirs.length) continue;
    groups ??= groupsOf(words);
    const theirGroups = groupsOf(theirs);
    let shared = 0;
    for (const group of groups) if (theirGroups.has(group)) shared += 1;
    if (shared >= SAME_PART * Math.max(groups.size, theirGroups.size)) return true;
  }
  return false;
}
