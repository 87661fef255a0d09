import { UNSPACED_LETTER } from '@parley/shared/contracts';
import type { CompiledScenario } from '../compiled-scenario';
import { cleanUtterance, MAY_BE_THE_MODEL } from './clean-utterance';
import { copyRisk, type SaidBefore } from './copies';
import { mayBecomeLeak } from './leaks';
import { mayBecomeCue } from './speaker-cues';
import { spokenSentences, spokenWords } from './spoken-words';

export interface SpeechGate {
  /**
   * Takes what became sayable; answers what may be shown now, possibly nothing.
   * @param isWhole Nothing of the utterance is still to come.
   */
  push(text: string, isWhole?: boolean): string;
  /** What was shown so far. */
  readonly shown: string;
}

/** From here on only whole sentences are shown: what is too long is cut after one. */
const NEARLY_TOO_LONG = 1100;
/** Nothing is shown of what comes after so many characters. */
const FAR_TOO_LONG = 1300;
/** The longer a reply is, the more comes before it is looked at again: a thirtieth. */
const SELDOM = 30;
/** A sentence is shown from so many words on. */
const FEWEST_WORDS = 2;
/** A stage direction, or a mark of a template, is over by then. */
const LONGEST_GROUP = 170;
/** Behind one of these a word is over. */
const WORD_ENDS = new RegExp(String.raw`(?:\s|${UNSPACED_LETTER}|[。！？、，])`, 'u');
const SENTENCE_MARKS = /(?:[.!?…]["'”’)\]]*|[。！？])$/;
const GROUP_MARKS = /[*([<`]|(?<![\p{L}\p{N}])_/gu;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '<': '>' };

/** Whether a sentence or a line is over where the text ends. */
function endsSentence(text: string): boolean {
  const words = text.trimEnd();
  return SENTENCE_MARKS.test(words) || text.slice(words.length).includes('\n');
}

/** Where the words end that are whole. */
function endOfWords(raw: string): number {
  for (let at = raw.length; at > 0; at -= 1) if (WORD_ENDS.test(raw.charAt(at - 1))) return at;
  return 0;
}

/** Where a group in brackets or marks begins that is still open; the length of the text without one. */
function openGroup(text: string): number {
  GROUP_MARKS.lastIndex = 0;
  for (let mark = GROUP_MARKS.exec(text); mark !== null; mark = GROUP_MARKS.exec(text)) {
    const end = text.indexOf(CLOSING[mark[0]] ?? mark[0], mark.index + 1);
    if (end >= 0) GROUP_MARKS.lastIndex = end + 1;
    else if (text.length - mark.index <= LONGEST_GROUP && !text.slice(mark.index).includes('\n')) return mark.index;
  }
  return text.length;
}

/** Marks around the whole are taken off, and only its end tells whether they are that. */
function mayBeQuoted(text: string): boolean {
  const opened = /^\s*(["“])/.exec(text)?.[1];
  if (opened === undefined) return false;
  const begin = text.indexOf(opened) + 1;
  const end = text.indexOf(opened === '"' ? '"' : '”', begin);
  return end < 0 || text.slice(end + 1).trim() === '';
}

/**
 * Lets a reply through word by word, and holds back what may still have to be taken out: a sentence that may turn out to be
 * a line that was said, a stage direction, the name of a variable before its value, the model speaking of itself. What was
 * shown is a prefix of the cleaned reply, but where a sentence that began well ends badly: see `keepShown`.
 */
export function createSpeechGate(said: SaidBefore, scenario: CompiledScenario): SpeechGate {
  const risk = copyRisk(said);
  let raw = '';
  let shown = '';
  let lookedAt = 0;

  /** How much of what came is not changed by what follows. */
  const settled = (words: string): number => {
    if (mayBeQuoted(words)) return 0;
    const line = words.lastIndexOf('\n') + 1;
    if (mayBecomeCue(words.slice(line), scenario.content, line === 0)) return line;
    const sentence = endsSentence(words) ? '' : (spokenSentences(words).at(-1) ?? '');
    const begin = words.length - sentence.length;
    if (sentence === '') return begin;
    const isTooEarly = spokenWords(sentence).length < FEWEST_WORDS || words.length > NEARLY_TOO_LONG;
    if (isTooEarly || MAY_BE_THE_MODEL.test(sentence) || risk(sentence)) return begin;
    const harmless = mayBecomeLeak(sentence, scenario.leaks);
    // A word or two before what is held back would be left over without it.
    const isFragment = harmless < sentence.length && spokenWords(sentence.slice(0, harmless)).length <= FEWEST_WORDS;
    return isFragment ? begin : begin + harmless;
  };

  /** What can be said of it by now. */
  const sayable = (isWhole: boolean): string => {
    if (isWhole) return raw;
    const words = raw.slice(0, endOfWords(raw));
    const known = words.slice(0, openGroup(words));
    // A group may close in the sentence that is held back.
    return known.slice(0, openGroup(known.slice(0, settled(known))));
  };

  return {
    get shown() {
      return shown;
    },
    push(text, isWhole = false) {
      if (raw.length > FAR_TOO_LONG) return '';
      raw += text;
      if (!isWhole && (!WORD_ENDS.test(text) || raw.length - lookedAt < raw.length / SELDOM)) return '';
      lookedAt = raw.length;
      const clean = cleanUtterance(sayable(isWhole), scenario, said)?.utterance ?? '';
      if (clean.length <= shown.length || !clean.startsWith(shown)) return '';
      const piece = clean.slice(shown.length);
      shown = clean;
      return piece;
    },
  };
}

/**
 * The cleaned reply, going on from what was shown of it. Where a sentence that began well was taken out, its beginning stays
 * and trails off, as people do: what somebody has read is never taken back.
 */
export function keepShown(clean: string, shown: string): string {
  if (shown === '' || clean.startsWith(shown)) return clean;
  let same = 0;
  for (const sentence of spokenSentences(clean)) {
    if (!shown.startsWith(clean.slice(0, same + sentence.length).trimEnd())) break;
    same += sentence.length;
  }
  const broken = endsSentence(shown) ? shown : `${shown}…`;
  return `${broken} ${clean.slice(same)}`.trim();
}
