import type { SignTone } from '@parley/shared/contracts';
import type { LineParts } from '../line-parts';
import { FUNCTION_WORDS } from '../function-words';
import { namedText, rangesOf, type TokenRange } from '../token-text';
import { ABSOLUTE, HEDGE } from './certainty';
import { APOLOGY, THANKS } from './courtesy';
import { INSULT, THREAT } from './hostility';
import type { TonePattern } from './pattern';
import { GERMAN_TONES } from './german';
import { BLAME, OWN_PART, YOU_STATEMENT } from './reproach';

type PatternTones = Readonly<Record<Exclude<SignTone, 'shouting'>, TonePattern>>;

/** Shouting is not among them: it is read from capitals and marks. */
const ENGLISH_TONES: PatternTones = {
  apology: APOLOGY,
  thanks: THANKS,
  hedge: HEDGE,
  absolute: ABSOLUTE,
  blame: BLAME,
  insult: INSULT,
  threat: THREAT,
  you_statement: YOU_STATEMENT,
  own_part: OWN_PART,
};

/** By language. */
const PATTERNS: Readonly<Record<string, PatternTones>> = { en: ENGLISH_TONES, de: GERMAN_TONES };

/** What the player says of themselves does not count where it reports another: you said you were sorry. */
const OF_THEMSELVES: ReadonlySet<SignTone> = new Set(['apology', 'thanks', 'hedge', 'own_part']);

const overlaps = (one: TokenRange, other: TokenRange): boolean => one.from < other.to && other.from < one.to;

function patternRanges(parts: LineParts, tone: Exclude<SignTone, 'shouting'>): TokenRange[] {
  const patterns = Object.hasOwn(PATTERNS, parts.language) ? PATTERNS[parts.language] : undefined;
  if (patterns === undefined) return [];
  const { shows, harmless, names } = patterns[tone];
  const text = namedText(parts.tokenText, names);
  const found = rangesOf(text, shows);
  if (found.length === 0) return [];
  const excused = rangesOf(text, harmless);
  const { quoted } = parts;
  const reported = OF_THEMSELVES.has(tone) ? parts.reported.behind : [];
  let next = 0;
  return found.filter((range) => {
    // Both lists are in the order of the text.
    while (next < excused.length && (excused[next]?.to ?? 0) <= range.from) next += 1;
    const excuse = excused[next];
    if (excuse !== undefined && overlaps(excuse, range)) return false;
    return !parts.copied[range.from] && !quoted[range.from] && reported[range.from] !== true;
  });
}

/** With one of these a row of exclamation marks is joy. */
const GLAD =
  /^(?:thanks|thank|great|love|lovely|happy|congratulations|congrats|yay|wow|amazing|welcome|awesome|brilliant|wonderful|fantastic|glad|good|cool|super|danke|toll|schön|klasse|juhu|hurra|gern|gerne)$/;
/** Short words that are shouted alone: I said NO! */
const SHOUTED = /^(?:no|not|now|you|all|why|me|my|nie|du)$/;
/** Capitals that are a name and no raised voice. */
const LONGEST_INITIALS = 4;

/** Words in capitals, two and more in a row, and rows of exclamation marks: what a raised voice looks like in writing. */
function shoutedRanges(parts: LineParts): TokenRange[] {
  const { tokens, text, sentences } = parts;
  const found: TokenRange[] = [];
  // Most lines have neither.
  if (!/\p{Lu}\p{Lu}|[!！]/u.test(text)) return found;
  const loudTokens = tokens.map(({ kind, start, end }) => {
    if (kind !== 'word') return false;
    const surface = text.slice(start, end);
    return /\p{Lu}/u.test(surface) && !/\p{Ll}/u.test(surface);
  });
  const isLoud = (index: number): boolean => loudTokens[index] === true;
  const lengthOf = (index: number): number => (tokens[index]?.end ?? 0) - (tokens[index]?.start ?? 0);
  for (const { from, to, mark } of sentences) {
    let start = -1;
    let loud = 0;
    const close = (end: number): void => {
      if (start >= 0 && loud >= 2) {
        const words = Array.from({ length: end - start }, (_, offset) => start + offset).filter(isLoud);
        const isMoreThanInitials =
          words.some((index) => lengthOf(index) > LONGEST_INITIALS) ||
          words.filter((index) => lengthOf(index) >= 3).length >= 3 ||
          (words.length >= 3 && words.some((index) => lengthOf(index) >= 4));
        if (isMoreThanInitials || (words.length >= 2 && /!/.test(mark) && words.some((index) => lengthOf(index) >= 4)))
          found.push({ from: start, to: end });
      }
      start = -1;
      loud = 0;
    };
    let end = from;
    for (let index = from; index < to; index += 1) {
      if (tokens[index]?.kind !== 'word') continue;
      if (isLoud(index)) {
        if (start < 0) start = index;
        loud += 1;
        end = index + 1;
      } else close(end);
    }
    close(end);
    const isGlad = tokens.slice(from, to).some((token) => GLAD.test(token.text));
    const words = tokens.slice(from, to).filter((token) => token.kind === 'word').length;
    const isAllLoud =
      words >= 2 && tokens.slice(from, to).every((token, offset) => token.kind !== 'word' || isLoud(from + offset));
    if (
      isAllLoud &&
      found.at(-1)?.from !== from &&
      tokens.slice(from, to).some((token) => FUNCTION_WORDS.has(token.text))
    )
      found.push({ from, to });
    const single = tokens
      .slice(from, to)
      .findIndex(
        (_, offset) =>
          isLoud(from + offset) && (lengthOf(from + offset) >= 4 || SHOUTED.test(tokens[from + offset]?.text ?? '')),
      );
    if (single >= 0 && /!/.test(mark) && !isGlad) found.push({ from: from + single, to: from + single + 1 });
    else if (words > 0 && !isGlad && /!{3,}|!\?!|\?!\?|(?:!.?){3,}/.test(mark)) found.push({ from, to });
  }
  return found.filter(({ from }) => !parts.copied[from]);
}

/** Where a line has a tone, in the order of the text. What is copied or quoted as the other's does not count. */
export function tonesIn(parts: LineParts, tone: SignTone): TokenRange[] {
  return tone === 'shouting' ? shoutedRanges(parts) : patternRanges(parts, tone);
}
