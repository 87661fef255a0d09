import type { SignTone } from '@parley/shared/contracts';
import { copiedTokens, otherLine, type OtherLine } from './copied-tokens';
import { daysIn } from './days';
import { echoesOf } from './echo';
import { FUNCTION_WORDS } from './function-words';
import { figuresIn, type Figure } from './figures';
import type { LineParts, Reported, SignContext, Stems } from './line-parts';
import { stemsOf } from './phrases';
import { questionsIn, type Question } from './questions';
import { quotedTokens, reportedTokens } from './reports';
import { sentencesOf, type Sentence } from './sentences';
import { isRepeated, isStuffed } from './stuffing';
import { tokenText, type TokenRange, type TokenText } from './token-text';
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
  toneRanges(tone: SignTone): readonly TokenRange[];
  /** What the line takes up of another text; found when first asked for. */
  echoRanges(other: string): readonly TokenRange[];
  /** Reads a piece of the line as if it had been said alone; made when first asked for. */
  pieceAlone(piece: Span): LineReading;
}

/** What a piece of a line has in common with the whole. */
interface KnownParts {
  readonly other: OtherLine | null;
  readonly nameWords: ReadonlySet<string>;
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

/** A reading whose parts are found when a sign first asks for them. */
class LazyReading implements LineReading {
  readonly text: string;
  readonly context: SignContext;
  readonly language: string;
  readonly tokens: readonly Token[];
  readonly tokenText: TokenText;
  readonly sentences: readonly Sentence[];
  readonly sentenceOf: readonly number[];
  readonly nameWords: ReadonlySet<string>;
  readonly other: OtherLine | null;
  readonly copied: readonly boolean[];
  private knownQuoted: readonly boolean[] | undefined;
  private knownReported: Reported | undefined;
  private knownStems: Stems | undefined;
  private knownFigures: readonly Figure[] | undefined;
  private knownDays: readonly TokenRange[] | undefined;
  private knownQuestions: readonly Question[] | undefined;
  private knownStuffed: boolean | undefined;
  private knownRepeated: boolean | undefined;
  private readonly knownTones = new Map<SignTone, readonly TokenRange[]>();
  private readonly knownEchoes = new Map<string, readonly TokenRange[]>();
  /** By their places in the line. */
  private readonly knownPieces = new Map<string, LineReading>();

  constructor(line: string, context: SignContext, known?: KnownParts) {
    const language = context.language.toLowerCase().split(/[-_]/, 1)[0] ?? '';
    const tokens = known?.tokens ?? tokensOf(line.slice(0, LONGEST_READ), language);
    const sentences = sentencesOf(line, tokens);
    const nameWords = known?.nameWords ?? nameWordsOf(context.names);
    const sentenceOf = new Array<number>(tokens.length).fill(-1);
    sentences.forEach(({ from, to }, index) => sentenceOf.fill(index, from, to));
    // Will you? is no Will.
    const isName = (index: number): boolean => {
      const { text, start } = tokens[index] ?? { text: '', start: 0 };
      if (!nameWords.has(text)) return false;
      const isFirst = sentences[sentenceOf[index] ?? -1]?.from === index;
      return !FUNCTION_WORDS.has(text) || (!isFirst && /\p{Lu}/u.test(line.charAt(start)));
    };
    this.text = line;
    this.context = context;
    this.language = language;
    this.tokens = tokens;
    this.tokenText = tokenText(tokens, isName);
    this.sentences = sentences;
    this.sentenceOf = sentenceOf;
    this.nameWords = nameWords;
    this.other = known === undefined ? otherOf(context, language) : known.other;
    this.copied = copiedTokens(tokens, sentences, this.other);
  }

  get quoted(): readonly boolean[] {
    return (this.knownQuoted ??= quotedTokens(this));
  }

  get reported(): Reported {
    return (this.knownReported ??= reportedTokens(this));
  }

  get stems(): Stems {
    return (this.knownStems ??= stemsOf(this.tokens, this.language));
  }

  get stuffed(): boolean {
    return (this.knownStuffed ??= isStuffed(this));
  }

  get repeated(): boolean {
    return (this.knownRepeated ??= isRepeated(this.text.slice(0, LONGEST_READ), this.context.earlierLines));
  }

  get figures(): readonly Figure[] {
    return (this.knownFigures ??= figuresIn(this));
  }

  get days(): readonly TokenRange[] {
    return (this.knownDays ??= daysIn(this));
  }

  get questions(): readonly Question[] {
    return (this.knownQuestions ??= questionsIn(this));
  }

  toneRanges(tone: SignTone): readonly TokenRange[] {
    return onceFor(this.knownTones, tone, () => tonesIn(this, tone));
  }

  echoRanges(other: string): readonly TokenRange[] {
    return onceFor(this.knownEchoes, other, () => echoesOf(this, other));
  }

  pieceAlone({ start, end }: Span): LineReading {
    return onceFor(this.knownPieces, `${start} ${end}`, () => {
      const { other, nameWords, context } = this;
      const tokens = tokensAlone(this.tokens, { start, end });
      return new LazyReading(
        this.text.slice(start, end),
        { ...context, earlierLines: [] },
        { other, nameWords, tokens },
      );
    });
  }
}

/** The character's last line taken apart, as far as it is read. */
const otherOf = ({ lastNpcLine }: SignContext, language: string): OtherLine | null =>
  lastNpcLine === null ? null : otherLine(lastNpcLine.slice(0, LONGEST_READ), language);

/** What is found once for each key. */
function onceFor<K, T>(found: Map<K, T>, key: K, find: () => T): T {
  const known = found.get(key);
  if (known !== undefined) return known;
  const value = find();
  found.set(key, value);
  return value;
}

/**
 * Takes a line of the player apart for its signs. Pure; takes time in proportion to the line and the context, whatever the
 * text is.
 * @param line the player's words as they were typed; offsets of spans are UTF-16 units of it. Only the first
 *   {@link LONGEST_READ} are read.
 */
export function readLine(line: string, context: SignContext): LineReading {
  return new LazyReading(line, context);
}
