import { valueOfDigits } from './digits';
import { englishNumber, germanNumber } from './number-words';
import type { TokenRange } from './token-text';
import type { Token } from './tokens';

/** A number as it is written, before it is known what it counts. */
export interface Written extends TokenRange {
  readonly value: number;
  readonly inWords: boolean;
  /** k, thousand, million: what it was multiplied by, or 1. */
  readonly scale: number;
  readonly percent: boolean;
  readonly currency: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3, thousand: 1e3, thousands: 1e3, grand: 1e3, tausend: 1e3, tsd: 1e3, million: 1e6, millions: 1e6, mil: 1e6, mio: 1e6,
  millionen: 1e6, mn: 1e6, billion: 1e9, bn: 1e9, milliarden: 1e9,
}; // prettier-ignore
const CURRENCY_BEFORE = /^[£$€¥]$/u;
const CURRENCY_BEHIND = words(
  '£ $ € pounds pound quid euros euro eur dollars dollar bucks usd gbp chf francs franken pence cents',
);
const PERCENT = words('% ％ percent pct prozent percents percentage');
/** Reads one number and its unit from `at` on, or nothing. */
function writtenAt(tokens: readonly Token[], at: number, language: string): Written | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const core =
    token.kind === 'number' ? digitsAt(tokens, at) : language === 'de' ? germanAt(tokens, at) : englishAt(tokens, at);
  if (core === null) return null;
  let { to } = core;
  let { scale } = core;
  let { value } = core;
  const text = (index: number): string => tokens[index]?.text.toLowerCase() ?? '';
  while (Object.hasOwn(SCALES, text(to)) && scale < 1e9) {
    const times = SCALES[text(to)] ?? 1;
    // "mil" and the like only where they touch the number.
    if (/^(?:mil|mn|bn|k)$/.test(text(to)) && tokens[to]?.spaced === true && text(to) !== 'k') break;
    value *= times;
    scale *= times;
    to += 1;
  }
  if (text(to) === 'm' && tokens[to]?.spaced === false && token.kind === 'number') {
    value *= 1e6;
    scale *= 1e6;
    to += 1;
  }
  const isPercent = PERCENT.has(text(to)) || (text(to) === 'per' && text(to + 1) === 'cent');
  if (isPercent) to += text(to) === 'per' ? 2 : 1;
  if (isPercent && /^points?$/.test(text(to))) to += 1;
  const isBefore = CURRENCY_BEFORE.test(tokens[at - 1]?.text ?? '');
  const isBehind = !isPercent && CURRENCY_BEHIND.has(text(to));
  if (isBehind) to += 1;
  return {
    from: isBefore ? at - 1 : at,
    to,
    value,
    inWords: core.inWords,
    scale,
    percent: isPercent,
    currency: isBefore || isBehind,
  };
}

type Core = Pick<Written, 'to' | 'value' | 'scale' | 'inWords'>;

function digitsAt(tokens: readonly Token[], at: number): Core | null {
  const value = valueOfDigits(tokens[at]?.text ?? '');
  if (value === null) return null;
  const isHalf = ['and', 'a', 'half'].every((word, index) => tokens[at + 1 + index]?.text === word);
  return { to: at + (isHalf ? 4 : 1), value: isHalf ? value + 0.5 : value, scale: 1, inWords: false };
}

function germanAt(tokens: readonly Token[], at: number): Core | null {
  const value = germanNumber(tokens[at]?.text ?? '');
  return value === null ? null : { to: at + 1, value, scale: value >= 1000 ? 1000 : 1, inWords: true };
}

const LONGEST_NUMBER = 16;

/** Fifty-three thousand two hundred; a hundred and eighteen thousand; forty-six five (46.5). */
function englishAt(tokens: readonly Token[], at: number): Core | null {
  const first = tokens[at]?.text ?? '';
  if (first !== 'a' && first !== 'half' && englishNumber(first) === null) return null;
  let total = 0;
  let group: number | null = null;
  let scale = 1;
  let index = at;
  let to = at;
  const text = (position: number): string => tokens[position]?.text ?? '';
  const isArticle =
    /^(?:a|half)$/.test(text(at)) &&
    /^(?:hundred|thousand|million|billion)$/.test(text(at + 1) === 'a' ? text(at + 2) : text(at + 1));
  if (isArticle) {
    group = text(at) === 'half' ? 0.5 : 1;
    index += text(at + 1) === 'a' ? 2 : 1;
    to = index;
  }
  for (; index < at + LONGEST_NUMBER; index += 1) {
    const word = text(index);
    const small = englishNumber(word);
    if (small !== null) {
      if (group === null) group = small;
      else if (group % 100 === 0 && group >= 100) group += small;
      else if (group >= 20 && group % 10 === 0 && small > 0 && small < 10) group += small;
      else if (group > 20 && group < 100 && group % 1 === 0 && small > 0 && small < 10 && total === 0) {
        // Said of thousands: forty-six five.
        group += small / 10;
        to = index + 1;
        break;
      } else break;
    } else if (word === 'hundred' && group !== null && group < 100) {
      group *= 100;
    } else if (/^(?:thousand|grand|million|billion)$/.test(word) && group !== null) {
      const times = SCALES[word] ?? 1;
      total += group * times;
      scale = Math.max(scale, times);
      group = null;
    } else {
      const isHyphen = word === '-' && englishNumber(text(index + 1)) !== null && group !== null && group >= 20;
      const isAnd =
        word === 'and' &&
        (group ?? 0) % 100 === 0 &&
        (group !== null || total > 0) &&
        englishNumber(text(index + 1)) !== null &&
        (group ?? total) >= 100;
      const isHalf = word === 'and' && text(index + 1) === 'a' && text(index + 2) === 'half' && group !== null;
      if (isHalf) {
        group = (group ?? 0) + 0.5;
        to = index + 3;
        index += 2;
        continue;
      }
      if (!isHyphen && !isAnd) break;
      continue;
    }
    to = index + 1;
  }
  if (to === at || (isArticle && to === at + 1)) return null;
  return { to, value: total + (group ?? 0), scale, inWords: true };
}

const RANGE_MARK = /^[-–—]$/;
/** Whether what stands between two numbers makes them the ends of a range. */
export function isRange(tokens: readonly Token[], low: Written, high: Written): boolean {
  if (high.from !== low.to + 1) return false;
  const joint = tokens[low.to]?.text ?? '';
  if (RANGE_MARK.test(joint) || /^(?:to|until|till|bis)$/.test(joint)) return true;
  return (
    /^(?:and|or|und|oder)$/.test(joint) &&
    (/^(?:between|zwischen)$/.test(tokens[low.from - 1]?.text ?? '') || joint.startsWith('o'))
  );
}

/** 50 to 55k, 3 or 4 percent: the first takes the unit of the second. */
export function withUnitOf(low: Written, high: Written): Written {
  const scaled = high.scale > 1 && low.scale === 1 && low.value < high.value / high.scale + 1000 && low.value < 1000;
  return {
    ...low,
    value: scaled ? low.value * high.scale : low.value,
    scale: scaled ? high.scale : low.scale,
    percent: low.percent || (high.percent && !low.currency),
    currency: low.currency || high.currency,
  };
}

/** All numbers of a line with their units, whatever they count. */
export function writtenNumbers(tokens: readonly Token[], language: string): Written[] {
  const all: Written[] = [];
  for (let index = 0; index < tokens.length;) {
    const written = tokens[index]?.kind === 'mark' ? null : writtenAt(tokens, index, language);
    if (written !== null) all.push(written);
    index = written?.to ?? index + 1;
  }
  return all;
}
