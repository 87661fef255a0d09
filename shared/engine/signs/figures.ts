import { isDenied } from './denials';
import type { LineParts } from './line-parts';
import { MONTH_WORDS } from './calendar-words';
import { imaginedTokens } from './imagined';
import { isOnlyAskedAbout } from './figure-questions';
import type { TokenRange } from './token-text';
import type { Token } from './tokens';
import { isRange, withUnitOf, writtenNumbers, type Written } from './written-numbers';

/** A figure that the player names, with its currency and unit. */
export interface Figure extends TokenRange {
  readonly value: number;
  readonly percent: boolean;
  /** It stands alone and is small, so that in talk of thousands it may mean thousands: "between 52 and 55". */
  readonly mayBeThousands: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const DURATIONS = words(
  `second seconds sec secs minute minutes min mins hour hours hr hrs h day days night nights week weeks wk wks weekend weekends fortnight fortnights month months mo quarter quarters year years yr yrs
  decade decades sekunde sekunden minuten stunde stunden tag tage tagen nacht nächte woche wochen monat monate monaten jahr jahre jahren`,
);
/** What a number of any size behind them only names: extension 4312. */
const NUMBERED = words(
  'case ticket order invoice parcel tracking number extension ext room pin code account id reference customer employee',
);
/** May stand between a number and its unit of time: three full years, 12 or so weeks. */
const BEFORE_DURATIONS = words(
  'full more solid working business whole straight long odd or so good consecutive calendar ganze volle gute',
);
/** What a number behind them only names: grade 6, room 12. */
const LABELS = words(
  `grade band level room flat floor number no line step page part slide year top chapter section point item version phase stage gate counter ward bus platform apartment unit route highway building
  channel question option plan episode table desk window form extension ext case ticket order invoice parcel tracking shelf aisle seat row box bay door house street exit type class model route
  stufe zimmer wohnung stock nummer nr zeile schritt seite teil punkt version phase gleis`,
);
const CLOCK_BEFORE = words('at until till before after since um bis vor nach');
const CHANGES = words(
  'cut cuts cutting reduced reduce fell fall rise rose raised raise grew grow increase increased drop dropped up down lowered lower improved improve off',
);
const YEAR_BEFORE = words(
  'in since of from until till by before after year summer spring autumn winter fall early late mid seit bis ab',
);
/** A figure of words that means "very much": a hundred times, a thousand thanks. */
const IDIOM_BEHIND = words('times time things thing thanks reasons ways apologies sorries questions ideas miles other');
/** A hundred percent sure. */
const SURE = words(
  'sure certain behind agree with committed board honest right serious positive true in on understand convinced',
);
/** Words that may follow a figure which stands for thousands; a noun says what else it counts. */
const MAY_FOLLOW = words(
  `a an per in by for from to and or is would as because since with at on if but so now which that please then right gross net base basic yearly annually total minimum tops max flat i we you it he she they
  this the my your our not than does do can could will should feels seems sounds looks was were are be plus rather instead though when what how given considering works work makes over under between until before after of
  und oder ist wäre wären brutto netto weil bis für pro im ab ich wir sie das die der`,
);

/** Whether a number tells a time, a date, an age or a place in a row, or is part of a name. */
function isOfSomethingElse(parts: LineParts, written: Written): boolean {
  const { tokens } = parts;
  if (written.percent) return written.value === 100 && SURE.has(tokens[written.to]?.text ?? '');
  if (written.currency) return false;
  const before = tokens[written.from - 1];
  const behind = tokens[written.to];
  const beforeText = before?.text.toLowerCase() ?? '';
  const behindText = behind?.text.toLowerCase() ?? '';
  const isDigits = !written.inWords;
  const touches = behind !== undefined && !behind.spaced;
  if (isDigits && touches && behind.kind === 'word') return true;
  if (isDigits && before?.kind === 'word' && tokens[written.from]?.spaced === false) return true;
  if (isDigits && touches && /^[:/]/.test(behindText) && tokens[written.to + 1]?.kind === 'number') return true;
  if (
    isDigits &&
    tokens[written.from]?.spaced === false &&
    /^[:/]$/.test(beforeText) &&
    tokens[written.from - 2]?.kind === 'number'
  )
    return true;
  if (isDigits && /^#/.test(beforeText)) return true;
  // Numbers in a row are a telephone number or a code.
  if (isDigits && (behind?.kind === 'number' || before?.kind === 'number')) return true;
  if (isDuration(tokens, written)) return true;
  if (isOfCalendar(parts, written)) return true;
  if (
    /^(?:am|pm|o'clock|uhr|noon)$/.test(behindText) ||
    (/^[ap]$/.test(behindText) && tokens[written.to + 1]?.text === '.')
  )
    return true;
  if (isClock(tokens, written)) return true;
  // "The number's 53" is a sentence and no label.
  const isLabel = before !== undefined && !/['’]/u.test(parts.text.slice(before.start, before.end));
  if (isLabel && written.value < 1000 && LABELS.has(beforeText)) return true;
  if (isLabel && isDigits && NUMBERED.has(beforeText)) return true;
  if (isDigits && beforeText === 'in' && /^end(?:s|ing)?$/.test(tokens[written.from - 2]?.text ?? '')) return true;
  if (isOfScale(tokens, written)) return true;
  const isNumbering = isDigits && written.value <= 20 && touches && /^[.)]$/.test(behindText);
  if (
    isNumbering &&
    (before === undefined || tokens[written.from]?.newLine === true || /^[.!?]$/.test(beforeText)) &&
    tokens[written.to + 1] !== undefined
  )
    return true;
  if (IDIOM_BEHIND.has(behindText) && (written.inWords || written.value >= 100)) return true;
  return written.value >= 1e9 && written.scale === 1;
}

/** On a scale from 1 to 10. */
const isOfScale = (tokens: readonly Token[], { from, value }: Written): boolean =>
  value <= 100 && tokens.slice(Math.max(0, from - 6), from).some((token) => /^(?:scale|skala)$/.test(token.text));

function isDuration(tokens: readonly Token[], { to }: Written): boolean {
  const isHalf = ['and', 'a', 'half'].every((word, offset) => tokens[to + offset]?.text === word);
  let index = isHalf ? to + 3 : to;
  while (index < to + 6 && (tokens[index]?.text === '-' || BEFORE_DURATIONS.has(tokens[index]?.text ?? ''))) index += 1;
  const unit = tokens[index]?.text ?? '';
  if (unit === 'h' && index > to) return false;
  return DURATIONS.has(unit);
}

function isOfCalendar({ tokens, text }: LineParts, { from, to, value, inWords }: Written): boolean {
  const isMonth = (index: number): boolean => {
    const token = tokens[index];
    if (token === undefined || !MONTH_WORDS.has(token.text)) return false;
    // may and march are words too.
    return !/^(?:may|march|mar|sun|sat)$/.test(token.text) || /^[A-Z]/.test(text.slice(token.start, token.end));
  };
  const isDayOfMonth = value >= 1 && value <= 31 && Number.isInteger(value);
  if (isDayOfMonth && (isMonth(to) || (tokens[to]?.text === 'of' && isMonth(to + 1)) || isMonth(from - 1))) return true;
  if (isDayOfMonth && tokens[to]?.text === '.' && isMonth(to + 1)) return true;
  const digits = tokens[from]?.text ?? '';
  if (inWords || !/^(?:19|20)\d\d$/.test(digits)) return false;
  const before = tokens[from - 1]?.text ?? '';
  const behind = tokens[to];
  return YEAR_BEFORE.has(before) || isMonth(from - 1) || behind === undefined || behind.kind === 'mark';
}

/** From eight to five, where somebody works or is there. */
function opensHours(tokens: readonly Token[], from: number, to: number, value: number): boolean {
  const isHour = (index: number): boolean =>
    /^(?:\d|1\d|2[0-4]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/.test(
      tokens[index]?.text ?? '',
    );
  const isFirst =
    tokens[from - 1]?.text === 'from' && /^(?:to|till|until)$/.test(tokens[to]?.text ?? '') && isHour(to + 1);
  const isSecond =
    /^(?:to|till|until)$/.test(tokens[from - 1]?.text ?? '') && isHour(from - 2) && tokens[from - 3]?.text === 'from';
  if (value > 24 || !(isFirst || isSecond)) return false;
  return tokens.slice(Math.max(0, from - 10), from).some((token) => HOURS_OF.test(token.text));
}

const HOURS_OF = /^(?:work|works|working|worked|open|awake|asleep|sleep|shift|shifts|busy|home|office|there|here)$/;

function isClock(tokens: readonly Token[], { from, to, value }: Written): boolean {
  if (!(value >= 0 && value <= 24)) return false;
  const before = tokens[from - 1]?.text ?? '';
  const behind = tokens[to]?.text ?? '';
  const isBare =
    tokens[to] === undefined ||
    tokens[to]?.kind === 'mark' ||
    /^(?:tomorrow|today|tonight|on|in|and|or|sharp|if|so|then|because|when|but|i|we|you|to|is)$/.test(behind);
  if (!isBare && !/^(?:to|until|till)$/.test(behind)) return false;
  if (opensHours(tokens, from, to, value)) return true;
  if (!isBare) return false;
  if (CLOCK_BEFORE.has(before)) return true;
  if (/^(?:half|quarter|past)$/.test(before)) return true;
  if (before !== 'by') return false;
  return !tokens.slice(Math.max(0, from - 8), from).some((token) => CHANGES.has(token.text));
}

/** Small numbers in words count things more often than they are figures: two jobs, one thing. */
function isSmallTalk(written: Written, partner: boolean): boolean {
  return (
    written.inWords && written.value < 10 && written.scale === 1 && !written.percent && !written.currency && !partner
  );
}

function mayBeThousands(tokens: readonly Token[], { to, value, scale, percent, currency }: Written): boolean {
  if (scale > 1 || percent || currency || value < 1 || value >= 1000) return false;
  const behind = tokens[to];
  return behind === undefined || behind.kind === 'mark' || MAY_FOLLOW.has(behind.text);
}

/**
 * The figures that a player names, in the order of the text. A figure that is denied, reported, quoted, copied, imagined or
 * only asked about is none; neither is a number that tells a time, an age, a date or a place in a row.
 */
export function figuresIn(parts: LineParts): Figure[] {
  const { tokens, language } = parts;
  const all = writtenNumbers(tokens, language);
  if (all.length === 0) return [];
  const { all: reported } = parts.reported;
  const { quoted } = parts;
  const imagined = imaginedTokens(parts);
  const figures: Figure[] = [];
  all.forEach((written, index) => {
    const next = all[index + 1];
    const last = all[index - 1];
    const opensRange = next !== undefined && isRange(tokens, written, next);
    const closesRange = last !== undefined && isRange(tokens, last, written);
    const whole = opensRange ? withUnitOf(written, next) : written;
    const partnerCounts = (opensRange && !isSmallTalk(next, false)) || (closesRange && !isSmallTalk(last, false));
    if (isSmallTalk(whole, partnerCounts)) return;
    if (isOfSomethingElse(parts, whole) || (opensRange && isOfSomethingElse(parts, next) && whole.scale === 1)) return;
    const at = written.from;
    if (parts.copied[at] || reported[at] || reported[written.to - 1] || quoted[at] || imagined[at]) return;
    if (isDenied(parts, whole) || isOnlyAskedAbout(parts, whole)) return;
    const { from, to, value, percent } = whole;
    figures.push({
      from,
      to,
      value,
      percent,
      mayBeThousands: mayBeThousands(tokens, opensRange ? next : whole) && whole.scale === 1 && !percent,
    });
  });
  return figures;
}
