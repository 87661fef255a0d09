import { sentenceAt, type LineParts } from './line-parts';
import type { Sentence } from './sentences';
import type { Token } from './tokens';
import type { TokenRange } from './token-text';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const NEGATORS = words(
  'not never no without neither nor nobody none nothing hardly nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder ohne',
);
/** Marks and words that end the reach of a negation: what comes behind them is another statement. */
const CLAUSE_MARK = /^(?:[,;:()—–]+|[.!?…]+|-{2,})$/u;
const CLAUSE_WORDS = words(
  'but because since if whether when unless while though although yet so however instead where which who why how what aber weil sondern wenn dass denn',
);
const OWN_SUBJECTS = words('i we my our let ich wir mein unser');
/** "no doubt", "no problem": the no belongs to a set phrase and denies nothing else. */
const NO_PHRASES = words('doubt problem problems question matter wonder worries need');
/** Between a negation and a thing they turn it round again: not less than 53,000, don't forget the 41,000. */
const TURNS_ROUND = words(
  'less lower below under fewer beneath only just merely simply forget ignore overlook dismiss underestimate neglect mention unter weniger nur vergessen',
);
/** Two words before a figure that deny it by themselves. */
const INSTEAD = [
  ['instead', 'of'],
  ['rather', 'than'],
  ['let', 'alone'],
  ['opposed', 'to'],
  ['nowhere', 'near'],
  ['far', 'from'],
  ['never', 'mind'],
];
const JUDGES_TOO_MUCH = words(
  'unreasonable much unfair crazy lot outrageous greedy wrong unusual impossible excessive ridiculous mad absurd high big extreme unheard steep asking',
);
const QUESTION_HEADS = words('is are was were do does did can could would will should have has why may might am');

const LONGEST_REACH = 25;

/** Whether a negation at `index` asks and does not deny: isn't 53,000 fair, why don't we say 53,000. */
function onlyAsks(tokens: readonly Token[], from: number, index: number): boolean {
  const before = tokens[index - 1];
  const first = tokens.slice(from, index).findIndex((token) => token.kind === 'word' && QUESTION_HEADS.has(token.text));
  if (tokens[index - 1]?.text === 'why' || tokens[index - 2]?.text === 'why') return true;
  return first >= 0 && from + first === index - 1 && index - from <= 3 && before !== undefined;
}

/** How many negations reach a range from before it in its clause; none where they are turned round. */
function negationsOf(tokens: readonly Token[], range: TokenRange, sentenceFrom: number, isQuestion: boolean): number {
  let negations = 0;
  const first = Math.max(sentenceFrom, range.from - LONGEST_REACH);
  for (let index = range.from - 1; index >= first; index -= 1) {
    const token = tokens[index];
    if (token === undefined) break;
    const next = tokens[index + 1]?.text ?? '';
    const isInstead = token.text === 'instead' && next === 'of';
    // No reason why it can't be 53,000: the one negation undoes the other.
    if (
      token.text === 'why' &&
      negations > 0 &&
      tokens.slice(Math.max(first, index - 4), index).some((one) => NEGATORS.has(one.text))
    )
      negations += 1;
    if (token.kind === 'mark' ? CLAUSE_MARK.test(token.text) : CLAUSE_WORDS.has(token.text) && !isInstead) break;
    if (token.text === 'and' && OWN_SUBJECTS.has(next)) break;
    if (INSTEAD.some(([one, two]) => token.text === one && next === two) && range.from - index <= 5) negations += 1;
    else if (token.text === 'forget' && range.from - index <= 3) negations += 1;
    if (!NEGATORS.has(token.text)) continue;
    if (token.text === 'no' && (NO_PHRASES.has(next) || tokens[index + 1]?.kind === 'mark')) continue;
    if (isQuestion && onlyAsks(tokens, sentenceFrom, index)) continue;
    if (tokens[index - 1]?.text === 'why') continue;
    const between = tokens.slice(index + 1, range.from).map((one) => one.text);
    const atMost =
      between[0] === 'more' || (between.at(-1) === 'than' && between.at(-2) === 'more') || between.at(-1) === 'above';
    const sayNo = between.some((one, at) => one === 'say' && between[at + 1] === 'no');
    if (atMost || sayNo || between.some((one) => TURNS_ROUND.has(one))) {
      // What stands between belongs to this negation: its own no and forget are counted with it.
      return 0;
    }
    // Neither 50,000 nor 53,000 is one negation.
    if (token.text === 'nor' || token.text === 'neither') return 1;
    negations += 1;
  }
  return negations;
}

/**
 * Whether the player denies what stands in a range: "I'm not asking for 53,000" denies the figure, "not less than 53,000",
 * "I don't think 53,000 is too much" and "isn't 53,000 fair?" do not.
 */
export function isDenied(parts: LineParts, range: TokenRange): boolean {
  const { tokens } = parts;
  const sentence = sentenceAt(parts, range.from);
  if (sentence === undefined) return false;
  const behind = tokens.slice(range.to, Math.min(sentence.to, range.to + 12));
  const isJudged = behind.slice(0, 8).some((token) => JUDGES_TOO_MUCH.has(token.text));
  const negations = negationsOf(tokens, range, sentence.from, sentence.mark.includes('?'));
  if (negations % 2 === 1) return !isJudged;
  // Anything less than 53,000 does not work.
  const before = tokens.slice(Math.max(sentence.from, range.from - 2), range.from);
  if (before.some((token) => TURNS_ROUND.has(token.text))) return false;
  const [verb, not] = behind;
  return /^(?:is|was|are|were|does|do|would|can|will)$/.test(verb?.text ?? '') && not?.text === 'not' && !isJudged;
}

/** What may stand between a negation and the word that it denies directly: I'm not going to leave, no real promise. */
const LIGHT = words(
  'going to want wanting trying try plan planning hope wish expect about meaning mean meant intend intending threatening saying asking suggesting be been being a an any the that this really actually even so very too all quite particularly exactly ever at make making give giving have your my our wirklich ernsthaft gerade sehr ganz mehr mich dich mir dir es ein eine einen je überhaupt gern gerne mal',
);

/** What may stand between a verb of German and the nicht behind it: das stört mich eigentlich nicht. */
const BEFORE_NICHT = words('mich dich mir dir uns euch es das ja doch auch eigentlich überhaupt gar jetzt da hier');

/** In German the negation follows its verb: das stört mich nicht. A noun before it is another part: ich lasse den Topf nicht stehen. */
function isDeniedBehind({ tokens, text, language }: LineParts, range: TokenRange, sentence: Sentence): boolean {
  const last = tokens[range.to - 1];
  if (language !== 'de' || sentence.mark.includes('?') || last === undefined) return false;
  if (/^\p{Lu}/u.test(text.slice(last.start, last.end)) && range.to - 1 > sentence.from) return false;
  let next = range.to;
  while (next < range.to + 3 && BEFORE_NICHT.has(tokens[next]?.text ?? '')) next += 1;
  return /^(?:nicht|nie|niemals)$/.test(tokens[next]?.text ?? '') && !TURNS_ROUND.has(tokens[next + 1]?.text ?? '');
}

/** Whether a negation stands directly before a range: I won't leave, no promise, not sorry; in German also behind it. */
export function isDeniedDirectly(parts: LineParts, range: TokenRange): boolean {
  const { tokens } = parts;
  const sentence = sentenceAt(parts, range.from);
  if (sentence === undefined) return false;
  if (isDeniedBehind(parts, range, sentence)) return true;
  const first = Math.max(sentence.from, range.from - 5);
  for (let index = range.from - 1; index >= first; index -= 1) {
    const text = tokens[index]?.text ?? '';
    if (NEGATORS.has(text)) {
      const isQuestion = sentence.mark.includes('?');
      if (tokens[index - 1]?.text === 'why' || tokens[index - 2]?.text === 'why') return false;
      if (text === 'no' && tokens[index + 1]?.kind === 'mark') return false;
      return !(isQuestion && onlyAsks(tokens, sentence.from, index));
    }
    if (!LIGHT.has(text)) return false;
  }
  return false;
}
