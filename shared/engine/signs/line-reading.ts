import type { SignTone } from '@parley/shared/contracts';
import { copiedTokens, otherLine, type OtherLine } from './copied-tokens';
import { daysIn } from './days';
import { echoesOf } from './echo';
import { FUNCTION_WORDS } from './function-words';
import { figuresIn, type Figure } from './figures';
import type { LineParts, SignContext } from './line-parts';
import { stemsOf } from './phrases';
import { questionsIn, type Question } from './questions';
import { quotedTokens, reportedTokens } from './reports';
import { sentencesOf } from './sentences';
import { isRepeated, isStuffed } from './stuffing';
import { tokenText, type TokenRange } from './token-text';
import { tokensAlone, tokensOf, type Span, type Token } from './tokens';
import { tonesIn } from './tones/tones-in';

/** A line of the player taken apart once, for all signs that look at it. */
export interface LineReading extends LineParts {
  /** Keywords in a row or one thing over and over in the place of sentences: such a line should earn nothing. */
  readonly stuffed: boolean;
  /** The player said the same in an earlier line: it should earn nothing twice. */
  readonly repeated: boolean;
  /** What the character said just before. */
  readonly other: OtherLine | null;
  /** Figures that the player names; found when first asked for. */
  readonly figures: readonly Figure[];
  readonly days: readonly TokenRange[];
  readonly questions: readonly Question[];
  /** Where the line has a tone; found when first asked for. */
  readonly toneRanges: (tone: SignTone) => readonly TokenRange[];
  /** What the line takes up of another text; found when first asked for. */
  readonly echoRanges: (other: string) => readonly TokenRange[];
  /** Reads a piece of the line as if it had been said alone; made when first asked for. */
  readonly pieceAlone: (piece: Span) => LineReading;
}

/** What a piece of a line has in common with the whole. */
interface KnownParts {
  /** The character's last line; null when there is none. */
  readonly other: OtherLine | null;
  /** The piece's own tokens; null when they must be found. */
  readonly tokens: readonly Token[] | null;
}

/**
 * How far a line is read, in UTF-16 units. A line of the player may have half of that (docs/contract.md, Limits); what
 * somebody hands in beyond it must cost nothing.
 */
export const LONGEST_READ = 4_000;

const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|the|herr|frau)$/;

/** The words of names, in lower case, without titles. */
const nameWordsOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names.flatMap((name) => name.toLowerCase().match(/\p{L}[\p{L}'-]+/gu) ?? []).filter((word) => !TITLES.test(word)),
  );

/** Runs a function once, when its value is first needed. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same for a function of one text. */
function onceEach<K extends string, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/**
 * Takes a line of the player apart for its signs. Pure; takes time in proportion to the line and the context, whatever the
 * text is.
 * @param line the player's words as they were typed; offsets of spans are UTF-16 units of it. Only the first
 *   {@link LONGEST_READ} are read.
 * @param known what the reading of the whole line has of a piece already
 */
export function readLine(line: string, context: SignContext, known?: KnownParts): LineReading {
  const language = context.language.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  const tokens = known?.tokens ?? tokensOf(line.slice(0, LONGEST_READ), language);
  const sentences = sentencesOf(line, tokens);
  const lastNpcLine = context.lastNpcLine?.slice(0, LONGEST_READ) ?? null;
  const other = known?.other ?? (lastNpcLine === null ? null : otherLine(lastNpcLine, language));
  const nameWords = nameWordsOf(context.names);
  const sentenceOf = new Array<number>(tokens.length).fill(-1);
  sentences.forEach(({ from, to }, index) => sentenceOf.fill(index, from, to));
  // Will you? is no Will.
  const isName = (index: number): boolean => {
    const { text, start } = tokens[index] ?? { text: '', start: 0 };
    if (!nameWords.has(text)) return false;
    const isFirst = sentences[sentenceOf[index] ?? -1]?.from === index;
    return !FUNCTION_WORDS.has(text) || (!isFirst && /\p{Lu}/u.test(line.charAt(start)));
  };
  const quoted = once(() => quotedTokens(reading));
  const reported = once(() => reportedTokens(reading));
  const stems = once(() => stemsOf(tokens, language));
  const figures = once(() => figuresIn(reading));
  const days = once(() => daysIn(reading));
  const questions = once(() => questionsIn(reading));
  const stuffed = once(() => isStuffed(reading));
  const repeated = once(() => isRepeated(line.slice(0, LONGEST_READ), context.earlierLines));
  const pieces = onceEach((place) => {
    const [start = 0, end = 0] = place.split(' ').map(Number);
    const alone = tokensAlone(tokens, { start, end });
    return readLine(line.slice(start, end), { ...context, earlierLines: [] }, { other, tokens: alone });
  });
  const reading: LineReading = {
    text: line,
    context,
    language,
    tokens,
    tokenText: tokenText(tokens, isName),
    sentences,
    sentenceOf,
    nameWords,
    other,
    copied: copiedTokens(tokens, sentences, other),
    toneRanges: onceEach((tone) => tonesIn(reading, tone)),
    echoRanges: onceEach((text) => echoesOf(reading, text)),
    pieceAlone: ({ start, end }) => pieces(`${start} ${end}`),
    get quoted() {
      return quoted();
    },
    get reported() {
      return reported();
    },
    get stems() {
      return stems();
    },
    get stuffed() {
      return stuffed();
    },
    get repeated() {
      return repeated();
    },
    get figures() {
      return figures();
    },
    get days() {
      return days();
    },
    get questions() {
      return questions();
    },
  };
  return reading;
}
