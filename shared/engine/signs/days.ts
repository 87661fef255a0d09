import { parse as parseEnglish } from 'chrono-node/en';
import { parse as parseGerman } from 'chrono-node/de';
import { isDeniedDirectly } from './denials';
import type { LineParts } from './line-parts';
import { rangesOf, wordPattern, type TokenRange } from './token-text';

/**
 * chrono-node takes more than proportional time on some texts (rows of numbers), so it reads a line only this far, in
 * UTF-16 units. A line of the player has at most 2,000.
 */
const LONGEST_READ = 2_000;
/** Where a day lies does not depend on the day it is; a fixed one keeps the engine pure. */
const REFERENCE = new Date(Date.UTC(2026, 0, 5, 12));

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const NUMBER =
  '(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|a|an|a few|a couple(?: of)?|several|few|half an?)';
const UNIT = '(?:hours?|days?|nights?|weeks?|weekends?|fortnights?|months?|quarters?|years?|minutes?|decades?)';
const PART = '(?:week|month|quarter|year|day|shift|spring|summer|autumn|fall|winter|term|season|weekend)';
/**
 * Weekdays and counted spans, which are the most of all and found here the sooner, and what chrono-node does not know: days
 * that come again, ends of months, feasts, spans without a fixed point.
 */
const ENGLISH = wordPattern(
  [
    `(?:on )?(?:(?:next|last|this) )?(?:${WEEKDAY}|today|tomorrow|yesterday|tonight)s?(?: (?:mornings?|afternoons?|evenings?|nights?))?`,
    `${NUMBER} ${WEEKDAY}s? (?:from now|ago|in a row)`,
    `(?:every|each|any|alternate|every other|every second) (?:${WEEKDAY}|${UNIT}|morning|evening|night|afternoon|month|week)`,
    `(?:at |by |until |before |from |towards? )?(?:the )?(?:end|start|beginning|middle|close|turn) of (?:the |this |next |each |every |last )?(?:${PART}|january|february|march|april|may|june|july|august|september|october|november|december|today|business)`,
    `(?:this|next|last|every|all|the whole|the) ${PART}(?: end)?`,
    `(?:in|by|since|until|before|after|over|during|next|last|this) (?:the )?(?:spring|summer|autumn|winter|new year|christmas|easter|q[1-4])`,
    `(?:in|for|within|after|over|during|under|every|once|twice|past|last|next|another|these|those|at least|about|around|only|nearly|almost|inside) (?:the |a |my |the last |the next |the past |about |around |at least |at most )?(?:${NUMBER} )?(?:(?:full|whole|working|business|solid|more|good) )?${UNIT}`,
    `${NUMBER} (?:(?:full|whole|working|business|solid|more|good|straight) )?${UNIT}(?: and a half)?(?: (?:ago|from now|later|before|earlier|in a row|running|now|long|straight|a (?:day|week|month|year)|per (?:day|week|month|year)|old))?`,
    '(?:once|twice|three times|four times) (?:a|per|every) (?:day|week|month|year|night)',
    '(?:on )?the \\d{1,2} (?:st|nd|rd|th)',
    '(?:at )?(?:half|quarter) (?:past|to) (?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)',
    `(?:at|by|until|till|before|after|around) (?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:sharp|at the latest))?(?= (?:[.,;:!?]|on|in|tomorrow|today|tonight|and|or|so|if|because|when|but|the))`,
    '(?:q[1-4]|christmas|easter|new year|midnight|midday|lunchtime|bedtime|day after tomorrow|mornings|evenings|nights|weekends|weekdays|weeknights)',
    '(?:back )?in (?:(?:early|late|mid) )?(?:19|20)\\d\\d',
    '(?:early|mid|late|mid -) ?(?:-? ?)(?:january|february|march|april|may|june|july|august|september|october|november|december)',
    '(?:by |before |at |until )?(?:the )?(?:end|close) of (?:business|play|day|week|month|quarter|year|shift)',
    '(?:work|works|working|worked|open|awake|asleep|sleep|busy|home|office|there|here|shift) from (?:\\d{1,2}|\\w+) (?:to|till|until) (?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)',
    '(?:daily|weekly|monthly|fortnightly|nightly|quarterly|yearly)',
  ].join('|'),
);
const GERMAN_NUMBER =
  '(?:\\d+|einem|einer|eine|ein|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|vierzehn|paar|ein paar|einigen|mehreren|den|die|der|das|dem)';
const GERMAN_HOUR = '(?:\\d{1,2}|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)';
const GERMAN = wordPattern(
  [
    '(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)(?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)?s?',
    `(?:seit|in|für|vor|nach|binnen|innerhalb von|jede[nrs]?|nächste[nrs]?|letzte[nrs]?|übernächste[nrs]?|diese[nrs]?) (?:${GERMAN_NUMBER} )?(?:letzten |nächsten )?(?:tag|tagen|tage|woche|wochen|monat|monats|monaten|monate|jahr|jahre|jahren|jahres|stunde|stunden|quartal|wochenende)`,
    `(?:\\d+|einer|eine|einen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|vierzehn|paar|einigen|mehreren) (?:woche|tag|monat|jahr|stunde|wochen|tage|tagen|monate|monaten|jahre|jahren|stunden)(?: lang)?`,
    '(?:bis|am|zum) (?:ende|anfang) (?:der|des) (?:woche|monats|jahres)',
    '(?:am|zum|übers|dieses|nächstes|bis zum|jedes) wochenende|unter der woche',
    '(?:seit|im|bis|ab|ende|anfang|mitte|vor|nach) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)',
    '(?:heute|morgen|übermorgen|gestern|vorgestern)(?: (?:früh|morgen|abend|nachmittag|mittag|vormittag|nacht))?',
    '(?:in der früh|am (?:morgen|abend|vormittag|mittag|nachmittag)|bis (?:mittag|mittags|abends)|vor (?:mittag|dem mittag)|morgens|mittags|abends|nachts|vormittags|nachmittags|mitternacht|feierabend|tagsüber|wochentags|werktags)',
    `(?:um|vor|bis|ab|gegen|nach) (?:spätestens |kurz vor |kurz nach |halb |viertel vor |viertel nach )?${GERMAN_HOUR}(?: uhr)?(?= (?:[.,;:!?]|ist|und|oder|wenn|da|den|die|das|der|weg|fertig|leer|reinkomme|komme|kommt|heim|zu|in|am|ins|aus|ich|du|morgen|abends|morgens|sauber|raus|im))`,
    `(?:halb|viertel (?:vor|nach)) ${GERMAN_HOUR}`,
    `${GERMAN_HOUR} uhr(?: \\S+ig)?`,
    '(?:täglich|wöchentlich|monatlich|jährlich)',
    '(?:einmal|zweimal|dreimal|zwei mal|drei mal) (?:am tag|pro tag|die woche|pro woche|in der woche|im monat|diese woche)',
  ].join('|'),
);

/** What chrono-node takes for a time, but people mostly do not: now, a moment, the verbs sat and march. */
const NO_DAY =
  /^(?:(?:right |just )?now|jetzt|sat|sun|mar|march|may|wed|dec|jan|oct|second|the second|a second|(?:in |just |for |within )?(?:a|one|half a|this|the|any|last|first|next) (?:second|sec|minute|min|moment)|this|last|next|someday|one day|in 20)$/i;
const VAGUE =
  /^(?:(?:the|a|an|all) (?:day|week|month|year|season|term|shift|summer|winter|spring|fall|autumn|night)|this (?:season|term|shift|night)|an hour|the (?:seconds?|minutes?)|one (?:day|night)|(?:at )?the end of the day|end of the day|night and day|after day|day after day|every (?:hour )?minute)$/;

/** Words for times that mean something else together. */
const IDIOMS = wordPattern(
  'good (?:night|morning|evening|day|afternoon)|day and night|night and day|day in , day out|day in day out|guten (?:morgen|tag|abend)|gute nacht|morgen zusammen|at the end of the day|one (?:fine )?day|the other day and age|like there is no tomorrow|sooner or later',
);

/** Numbers that may be a time, a date or a year: 9:30, 3 pm, 12/5, the 5th, 2027, at 6. Amounts (53,000, 12 %) are none. */
const CLOCK =
  /\d ?(?:[ap]\.?m\b|uhr|h\b|st\b|nd\b|rd\b|th\b)|\d[:/-]\d|\d\.\d{1,2}(?:\.|\b)(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\p{L})(?:at|by|until|till|before|after|around|about|from|to|and|on|in|um|gegen|bis|ab|am|vor|nach) \d{1,2}(?![\d,.%])/iu;
/**
 * A sentence without any of these, and without such a number, names no day that our own patterns miss; the library need not
 * look at it. Weekdays, weeks, months and years of English are in {@link ENGLISH}.
 */
const CALENDAR =
  /(?<!\p{L})(?:mon|tues?|wed|thu|thur|thurs|fri|sat|sun|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|to-(?:day|morrow|night)|tmrw?|noon|midnight|midday|(?:morning|afternoon|evening|night)s?|o['’]clock|ago|heute|morgen|gestern|übermorgen|vorgestern|mittags?|abends?|nachts?|früh|uhr|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?|januar|februar|märz|mai|juni|juli|oktober|dezember|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?)(?!\p{L})/iu;

/**
 * What chrono-node reads of a line: its sentences that may name a day, with single blanks only, and the place of each of
 * their units in the line.
 */
function calendarText({ text, tokens, sentences }: LineParts): { plain: string; places: number[] } {
  const places: number[] = [];
  let plain = '';
  for (const { from, to } of sentences) {
    const start = tokens[from]?.start ?? 0;
    const sentence = text.slice(start, tokens[to - 1]?.end ?? start);
    if (!CALENDAR.test(sentence) && !(/\d/.test(sentence) && CLOCK.test(sentence))) continue;
    for (let index = 0; index < sentence.length && plain.length < LONGEST_READ; index += 1) {
      const unit = sentence.charAt(index);
      const blank = /\s/.test(unit);
      if (blank && plain.endsWith(' ')) continue;
      plain += blank ? ' ' : unit === '’' || unit === '‘' ? "'" : unit;
      places.push(start + index);
    }
    plain += ' ';
    places.push(start + sentence.length);
  }
  return { plain, places };
}

/** Tokens that a stretch of the line touches, from token `after` on; tokens are sorted by their place. */
function tokensIn({ tokens }: LineParts, start: number, end: number, after: number): TokenRange | null {
  let from = after;
  while (from < tokens.length && (tokens[from]?.end ?? 0) <= start) from += 1;
  let to = from;
  while (to < tokens.length && (tokens[to]?.start ?? 0) < end) to += 1;
  // March, 41,000: what the stretch takes of the number is no day.
  if (to > from && tokens[to - 1]?.kind === 'number' && (tokens[to - 1]?.end ?? 0) > end) to -= 1;
  // A mark at the edge belongs to the sentence and not to the day.
  while (to > from && tokens[to - 1]?.kind === 'mark') to -= 1;
  return to > from ? { from, to } : null;
}

function foundByLibrary(parts: LineParts): TokenRange[] {
  const parse = parts.language === 'de' ? parseGerman : parseEnglish;
  const { plain, places } = calendarText(parts);
  if (plain === '') return [];
  const found: TokenRange[] = [];
  let after = 0;
  for (const result of parse(plain, REFERENCE)) {
    const { text, index } = result;
    const start = places[index];
    const last = places[index + text.length - 1];
    if (start === undefined || last === undefined) continue;
    // Abbreviations of days and months are words of English as well: only with a capital, and "I sat" not even then.
    const isCapital = /^\p{Lu}/u.test(text.trim());
    if (NO_DAY.test(text.trim()) && !(isCapital && /^(?:Sun|Mar|March|May|Wed|Dec|Jan|Oct)$/.test(text.trim())))
      continue;
    // Numbers alone are a range or an amount more often than a time: 12 to 14.
    const rest = text.replace(/\b(?:to|from|and|a|until|till|bis|von|in|at|p|m)\b/gi, '');
    if (!/[\p{L}:/]/u.test(rest) && !/\d ?[ap]\.?m\b/i.test(text)) continue;
    const range = tokensIn(parts, start, last + 1, after);
    if (range === null) continue;
    after = range.to;
    found.push(range);
  }
  return found;
}

/**
 * Dates, weekdays, times and spans that the player names, in the order of the text. What is copied, quoted as the other's
 * or directly denied (not on Friday) is none.
 */
export function daysIn(parts: LineParts): TokenRange[] {
  const { language, tokenText } = parts;
  if (language !== 'en' && language !== 'de') return [];
  const own = rangesOf(tokenText, language === 'de' ? GERMAN : ENGLISH).filter(({ from, to }) => {
    const text = parts.tokens
      .slice(from, to)
      .map((token) => token.text)
      .join(' ');
    return !VAGUE.test(text) && !NO_DAY.test(text) && !/\b(?:seconds?|moment)\b/.test(text);
  });
  const found = [...foundByLibrary(parts), ...own];
  if (found.length === 0) return [];
  const idioms = rangesOf(tokenText, IDIOMS);
  const isIdiom = ({ from, to }: TokenRange): boolean => idioms.some((idiom) => idiom.from <= from && to <= idiom.to);
  const all = found.filter((range) => !isIdiom(range)).sort((a, b) => a.from - b.from);
  const { quoted } = parts;
  const { all: reported } = parts.reported;
  return all.filter(
    (range) =>
      !parts.copied[range.from] &&
      !quoted[range.from] &&
      !isDeniedDirectly(parts, range) &&
      !(reported[range.from] && isEchoQuestion(parts, range)),
  );
}

/** "You said Friday?" asks what was said and names no day. */
function isEchoQuestion({ sentences, sentenceOf }: LineParts, { from, to }: TokenRange): boolean {
  const sentence = sentences[sentenceOf[from] ?? -1];
  return sentence !== undefined && sentence.mark.includes('?') && sentence.to - sentence.from <= to - from + 5;
}
