import type { Sign, SignPerson } from '@parley/shared/contracts';
import type { Figure } from './figures';
import type { LineReading } from './line-reading';
import { phrasesIn } from './phrases';
import { mergedSpans, rangesOf, spanOf, wordPattern, type TokenRange } from './token-text';
import type { Span } from './tokens';

/** Whether a sign, or a list of them, holds in a line, and by which words. */
export interface SignMatch {
  readonly holds: boolean;
  /**
   * Words that show it, in the order of the text and none overlapping another; empty where it does not hold, and for signs
   * that look at the line as a whole (words, line, never_says, not).
   */
  readonly spans: readonly Span[];
}

const FAILS: SignMatch = { holds: false, spans: [] };
const HOLDS: SignMatch = { holds: true, spans: [] };
const DEFAULT_ECHO = 2;

/** Ranges that follow each other without a token between are one: three percent. */
function joined(ranges: readonly TokenRange[]): TokenRange[] {
  const all: { from: number; to: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else all.push({ ...range });
  }
  return all;
}

function found(reading: LineReading, ranges: readonly TokenRange[]): SignMatch {
  if (ranges.length === 0) return FAILS;
  return { holds: true, spans: mergedSpans(ranges.map((range) => spanOf(reading.tokens, range))) };
}

/** The value of a figure that lies within bounds, or null; a bare 53 among thousands is 53 thousand. */
function valueWithin({ value, mayBeThousands }: Figure, from: number, to: number): number | null {
  if (value >= from && value <= to) return value;
  const thousands = value * 1000;
  return mayBeThousands && from >= 1000 && thousands >= from && thousands <= to ? thousands : null;
}

function matchFigure(reading: LineReading, sign: NonNullable<Sign['figure']>): SignMatch {
  const { from = -Infinity, to = Infinity, percent, count = 1 } = sign;
  const values = new Set<string>();
  const ranges = reading.figures.filter((figure) => {
    if (percent !== undefined && figure.percent !== percent) return false;
    const value = valueWithin(figure, from, to);
    if (value === null) return false;
    values.add(`${value}${figure.percent ? '%' : ''}`);
    return true;
  });
  return values.size >= count ? found(reading, ranges) : FAILS;
}

const PERSONS: Readonly<Record<string, Readonly<Record<Exclude<SignPerson, 'name'>, RegExp>>>> = {
  en: {
    i: wordPattern('(?:i|me|my|mine|myself)(?! (?:mean|guess|suppose|see|think)(?= [.,!?]))'),
    we: wordPattern('(?:we|us|our|ours|ourselves)'),
    you: wordPattern('(?:(?<!thank |bless |mind |see )you|your|yours|yourself)(?! (?:know|see)(?= [.,!?]))'),
  },
  de: {
    i: wordPattern('(?:ich|mich|mir|mein(?:e[mnrs]?)?)'),
    we: wordPattern('(?:wir|uns|unser(?:e[mnrs]?)?|unsre)'),
    you: wordPattern('(?:du|dich|dir|dein(?:e[mnrs]?)?|sie|ihnen|ihr(?:e[mnrs]?)?|euch|euer|eure[mnrs]?)'),
  },
};

const surfaceOf = ({ text, tokens }: LineReading, index: number): string =>
  text.slice(tokens[index]?.start, tokens[index]?.end);

function matchPerson(reading: LineReading, sign: NonNullable<Sign['person']>): SignMatch {
  const persons: readonly SignPerson[] = sign === true ? ['i', 'we', 'you', 'name'] : sign;
  const ranges = persons.flatMap((person): TokenRange[] => {
    if (person === 'name')
      return reading.tokens.flatMap(({ kind, text }, from) =>
        kind === 'word' && reading.nameWords.has(text) ? [{ from, to: from + 1 }] : [],
      );
    const pattern = PERSONS[reading.language]?.[person];
    return pattern === undefined ? [] : rangesOf(reading.tokenText, pattern);
  });
  // US is a country where not everything is in capitals.
  const isCountry = ({ from }: TokenRange): boolean =>
    surfaceOf(reading, from) === 'US' && /\p{Ll}/u.test(reading.text);
  return found(
    reading,
    ranges.filter((range) => !reading.copied[range.from] && !isCountry(range)),
  );
}

function matchEcho(
  reading: LineReading,
  { of = 'last_npc', at_least = DEFAULT_ECHO }: NonNullable<Sign['echo']>,
): SignMatch {
  const { lastNpcLine, events } = reading.context;
  const other = of === 'last_npc' ? lastNpcLine : Object.hasOwn(events, of) ? events[of] : null;
  const ranges = other == null ? [] : reading.echoRanges(other);
  return ranges.length < at_least ? FAILS : found(reading, joined(ranges));
}

/** How many words a line has; 53,000 and don't are one each. */
export const wordCount = ({ tokens }: LineReading): number =>
  tokens.filter((token, index) => token.kind !== 'mark' && token.start !== tokens[index - 1]?.start).length;

const within = (value: number, least = 1, most = Infinity): SignMatch =>
  value >= least && value <= most ? HOLDS : FAILS;

/** Whether one sign holds in a line. */
export function matchSign(sign: Sign, reading: LineReading): SignMatch {
  if (sign.figure !== undefined) return matchFigure(reading, sign.figure);
  if (sign.day !== undefined) return found(reading, reading.days);
  if (sign.person !== undefined) return matchPerson(reading, sign.person);
  if (sign.question !== undefined) {
    const { question } = sign;
    return found(
      reading,
      reading.questions.filter(({ open }) => question === 'any' || open === (question === 'open')),
    );
  }
  if (sign.echo !== undefined) return matchEcho(reading, sign.echo);
  if (sign.says !== undefined) return found(reading, phrasesIn(reading, sign.says));
  if (sign.never_says !== undefined) return phrasesIn(reading, sign.never_says).length === 0 ? HOLDS : FAILS;
  if (sign.tone !== undefined)
    return found(
      reading,
      sign.tone.flatMap((tone) => reading.toneRanges(tone)),
    );
  if (sign.words !== undefined) return within(wordCount(reading), sign.words.at_least, sign.words.at_most);
  if (sign.line !== undefined) return within(reading.context.line, sign.line.from, sign.line.by);
  if (sign.any !== undefined) return matchAny(sign.any, reading);
  if (sign.all !== undefined) return matchSigns(sign.all, reading);
  if (sign.not !== undefined) return matchSign(sign.not, reading).holds ? FAILS : HOLDS;
  return FAILS;
}

/** The first that holds is enough: what else would show the same need not be looked for. */
function matchAny(signs: readonly Sign[], reading: LineReading): SignMatch {
  for (const sign of signs) {
    const match = matchSign(sign, reading);
    if (match.holds) return match;
  }
  return FAILS;
}

/**
 * Whether all signs of a list hold in one line of the player, and by which words. An empty list holds nowhere: what names no
 * sign proves nothing.
 */
export function matchSigns(signs: readonly Sign[], reading: LineReading): SignMatch {
  if (signs.length === 0) return FAILS;
  const spans: Span[] = [];
  for (const sign of signs) {
    const match = matchSign(sign, reading);
    if (!match.holds) return FAILS;
    spans.push(...match.spans);
  }
  return { holds: true, spans: mergedSpans(spans) };
}
