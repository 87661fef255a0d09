import { sentenceAt, type LineParts, type Reported } from './line-parts';
import { rangesOf, wordPattern } from './token-text';
import type { Token } from './tokens';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Verbs that report what somebody says, wants or offers. */
const REPORTS = words(
  `say says said saying tell tells told telling mention mentions mentioned mentioning claim claims claimed write writes wrote written promise promises promised
  offer offers offered offering quote quoted quoting propose proposes proposed proposing suggest suggests suggested suggesting name named state stated announce announced
  think thinks thought believe expect expected mean meant demand demanded ask asked asking want wanted
  sagst sagt sagte sagten gesagt meinst meint meinte bietest bietet angeboten erwähnt versprochen`,
);
/** These report only together with "for" or "me to": you asked me to take 47,000. */
const REPORTS_WITH_OBJECT = words('ask asked asking want wanted expect expected');
/** Before or behind quotation marks some more do. */
const QUOTES: ReadonlySet<string> = new Set([
  ...REPORTS,
  ...words('call calls called read reads use used put answered replied'),
]);
/** Thoughts asked about are a request: do you think 53,000 is possible? */
const THOUGHTS = words('think thinks thought believe mean meant say');
const OTHERS = words(
  'you he she they boss manager landlord colleague colleagues people others everyone everybody somebody someone anybody anyone hr finance du er sie ihr chef chefin',
);
const SKIPPED = words(
  'just already also have has had did do does are were was is always actually even only once never not first then kind of been keep kept keeps else hast hat habt haben ja doch',
);
/** Before the verb these make a wish or a guess of it and no report: could you say 53,000, if you told me. */
const WISHES = words('could can might should will would let if to may shall');
/** Others who would: some people would ask for 60,000. */
const STRANGERS = words('people others everyone everybody somebody someone anybody anyone');
const OWN_SUBJECTS = words('i we my our let ich wir');
const CONTRASTS = words('but however yet though although still aber doch jedoch sondern');
const JOINTS = words('and so well then or now und also');
/** Words that may follow the verb of a report that comes after what it reports: 53,000, you said earlier. */
const TAIL = words(
  'earlier before just now yesterday right today once again me us there that so then though vorhin gerade',
);
const OPENS = /^[“„«»‹›"‘「『]/u;

const isCloser = (token: Token): boolean => token.kind === 'mark' && /^[,;:—–-]/.test(token.text);

/** With these a form in -ing reports: are you telling me, you keep saying. */
const BEING = words('is are was were been keep keeps kept');

/** Index of the subject of a report verb, or null when it is no report of another. */
function otherSubject(parts: LineParts, verb: number, from: number): number | null {
  const { tokens } = parts;
  // I appreciate you telling me: only "you are telling" and "you keep telling" report.
  let goesOn = !(tokens[verb]?.text ?? '').endsWith('ing');
  for (let index = verb - 1, steps = 0; index >= from && steps < 4; index -= 1, steps += 1) {
    const text = tokens[index]?.text ?? '';
    if (OTHERS.has(text) || parts.nameWords.has(text)) {
      const before = tokens[index - 1]?.text ?? '';
      const asks =
        WISHES.has(before) ||
        (THOUGHTS.has(tokens[verb]?.text ?? '') &&
          /^(?:do|would|if|did)$/.test(before) &&
          tokens[verb]?.text !== 'say');
      return asks || !(goesOn || BEING.has(before)) ? null : index;
    }
    if (WISHES.has(text)) {
      const subject = tokens[index - 1]?.text === 'else' ? index - 2 : index - 1;
      return text !== 'if' && text !== 'to' && STRANGERS.has(tokens[subject]?.text ?? '') ? subject : null;
    }
    if (!SKIPPED.has(text)) return null;
    goesOn ||= BEING.has(text);
  }
  return null;
}

/** Who offered me something, whoever it is; the player's own offers are none. */
function offerer(tokens: readonly Token[], verb: number, from: number): number | null {
  if (!/^(?:offered|promised|told)$/.test(tokens[verb]?.text ?? '') || tokens[verb + 1]?.text !== 'me') return null;
  const subject = tokens[verb - 1];
  return verb - 1 >= from && subject?.kind === 'word' && !OWN_SUBJECTS.has(subject.text) ? verb - 1 : null;
}

/** Tokens that a report behind its object holds: from the last break before it. */
function backTo(tokens: readonly Token[], subject: number, from: number, most: number): number {
  let start = subject;
  const skipsComma = tokens[subject - 1]?.text === ',';
  for (let index = subject - (skipsComma ? 2 : 1); index >= from && subject - index <= most; index -= 1) {
    const token = tokens[index];
    if (token === undefined || isCloser(token) || CONTRASTS.has(token.text) || token.text === 'not') break;
    start = index;
  }
  return start;
}

/** Where a report that goes before its object ends. */
function reportEnd(tokens: readonly Token[], verb: number, to: number): number {
  for (let index = verb + 1; index < to; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (CONTRASTS.has(token.text)) return index;
    if (isCloser(token) || JOINTS.has(token.text)) {
      // What do you mean, 47,900?
      if (index === verb + 1) continue;
      // You asked for a number: 53,000. But: you said: 53,000.
      if (token.text.startsWith(':')) return index;
      let next = index + 1;
      while (JOINTS.has(tokens[next]?.text ?? '') || CONTRASTS.has(tokens[next]?.text ?? '')) next += 1;
      if (OWN_SUBJECTS.has(tokens[next]?.text ?? '')) return index;
      if (isCloser(token) && next > index + 1) return index;
    }
  }
  return to;
}

const YOURS = wordPattern(
  '(?:your|his|her|their|dein|deine|deinen|ihre|ihren)(?= [\\d£$€]| (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) )',
);

/** What the player says to have heard. */
const HEARD = wordPattern(
  '(?:i|we) (?:(?:do|did|can|just|only) )?(?:hear|heard|understand|understood|got|get) (?:that )?(?:you|from you|your)(?: (?:say|said|saying|loud and clear))?|what do you mean(?: by)?|according to (?:you|him|her|them|PERSON|my \\S+|the \\S+)|i (?:was|have been) told|verstehe dich',
);

/**
 * Which tokens say back what another said, wants or offers (you said 53,000?, the three percent you mentioned, your 47,000,
 * others would ask for 60,000) and are therefore no statement of the player's.
 */
export function reportedTokens(parts: LineParts): Reported {
  const { tokens } = parts;
  const all = tokens.map(() => false);
  const behind = tokens.map(() => false);
  const mark = (from: number, to: number, isBehind = false): void => {
    all.fill(true, Math.max(0, from), to);
    if (isBehind) behind.fill(true, Math.max(0, from), to);
  };
  let marked = 0;
  tokens.forEach((token, verb) => {
    if (token.kind !== 'word' || !REPORTS.has(token.text) || verb < marked) return;
    const sentence = sentenceAt(parts, verb);
    if (sentence === undefined) return;
    const following = tokens.slice(verb + 1, verb + 3).map((one) => one.text);
    if (
      REPORTS_WITH_OBJECT.has(token.text) &&
      following[0] !== 'for' &&
      !(following[0] === 'me' && /^(?:to|for)$/.test(following[1] ?? ''))
    )
      return;
    const who = otherSubject(parts, verb, sentence.from) ?? offerer(tokens, verb, sentence.from);
    if (who === null) return;
    // 47,900, as you told me.
    const subject = /^(?:as|like)$/.test(tokens[who - 1]?.text ?? '') ? who - 1 : who;
    const rest = tokens.slice(verb + 1, sentence.to).filter((one) => one.kind !== 'mark');
    if (rest.every((one) => TAIL.has(one.text))) {
      mark(backTo(tokens, subject, sentence.from, tokens[subject - 1]?.text === ',' ? 30 : 4), sentence.to);
      return;
    }
    const before = tokens[subject - 1];
    const isRelative =
      subject > sentence.from &&
      before !== undefined &&
      (before.kind === 'number' || /^(?:percent|%|that|which|figure|number|offer|thousand|k)$/.test(before.text));
    const isBehindThat =
      before?.text === 'that' && !/^(?:said|mentioned|offered|promised|quoted|named)$/.test(token.text);
    if (isRelative && !isBehindThat && subject - sentence.from > 1) {
      mark(backTo(tokens, subject, sentence.from, 4), verb + 1);
      return;
    }
    const end = reportEnd(tokens, verb, sentence.to);
    mark(verb, end, true);
    // Sentences are read once, however many verbs they hold.
    marked = end;
  });
  for (const { from } of rangesOf(parts.tokenText, YOURS)) mark(from, from + 2);
  for (const { from, to } of rangesOf(parts.tokenText, HEARD))
    mark(from, reportEnd(tokens, to - 1, sentenceAt(parts, from)?.to ?? to), true);
  return { all, behind };
}

const CLOSES: Readonly<Record<string, RegExp>> = {
  '"': /^"/,
  '“': /^[”“]/u,
  '„': /^[“”]/u,
  '«': /^»/u,
  '»': /^«/u,
  '‘': /^[’']/u,
  "'": /^['’]/u,
};
const LONGEST_QUOTATION = 120;

/**
 * Which tokens stand in quotation marks as the words of another: you said "no room". Marks round the player's own words
 * count for nothing.
 */
export function quotedTokens(parts: LineParts): boolean[] {
  const { tokens } = parts;
  const quoted = tokens.map(() => false);
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || token.kind !== 'mark' || !OPENS.test(token.text)) continue;
    const closes = CLOSES[token.text.charAt(0)];
    if (closes === undefined || (!token.spaced && index > 0)) continue;
    let end = index + 1;
    const last = Math.min(tokens.length, index + LONGEST_QUOTATION);
    while (end < last && !(tokens[end]?.kind === 'mark' && closes.test(tokens[end]?.text ?? ''))) end += 1;
    if (end >= last) continue;
    if (saysAnother(parts, index, end)) quoted.fill(true, index, end + 1);
    index = end;
  }
  return quoted;
}

/** Whether another is named as the one who says what stands between two quotation marks. */
function saysAnother(parts: LineParts, open: number, close: number): boolean {
  const { tokens } = parts;
  const sentence = sentenceAt(parts, open);
  const from = Math.max(sentence?.from ?? 0, open - 8);
  for (let index = open - 1; index >= from; index -= 1)
    if (QUOTES.has(tokens[index]?.text ?? '')) return otherSubject(parts, index, from) !== null;
  for (let index = close + 1; index < Math.min(tokens.length, close + 5); index += 1)
    if (QUOTES.has(tokens[index]?.text ?? '')) return otherSubject(parts, index, close + 1) !== null;
  return false;
}
