/** Longest integer that is written without bounds: every one of 15 digits is exact in JavaScript. */
const MOST_DIGITS = 15;

const digits = (from: number, to: number): string => (from === to ? `"${from}"` : `[${from}-${to}]`);
const anyDigits = (count: number): string => (count === 0 ? '' : count === 1 ? ' [0-9]' : ` [0-9]{${count}}`);

/** Alternatives for all numbers of one length between two of that length. */
function sameLength(low: string, high: string): string[] {
  if (low === high) return [`"${low}"`];
  const first = Number(low[0]);
  const last = Number(high[0]);
  const rest = low.length - 1;
  if (rest === 0) return [digits(first, last)];
  const nines = '9'.repeat(rest);
  const zeros = '0'.repeat(rest);
  const under = (digit: number, alternatives: readonly string[]): string =>
    `"${digit}" ${alternatives.length === 1 ? alternatives[0] : `(${alternatives.join(' | ')})`}`;
  if (first === last) return [under(first, sameLength(low.slice(1), high.slice(1)))];
  const lowIsWhole = low.slice(1) === zeros;
  const highIsWhole = high.slice(1) === nines;
  const from = lowIsWhole ? first : first + 1;
  const to = highIsWhole ? last : last - 1;
  return [
    ...(lowIsWhole ? [] : [under(first, sameLength(low.slice(1), nines))]),
    ...(from <= to ? [digits(from, to) + anyDigits(rest)] : []),
    ...(highIsWhole ? [] : [under(last, sameLength(zeros, high.slice(1)))]),
  ];
}

/** Alternatives for the whole numbers from `low` to `high`, both at least 0. */
function positive(low: number, high: number): string[] {
  const alternatives: string[] = [];
  for (let length = String(low).length; length <= String(high).length; length += 1) {
    const smallest = length === 1 ? 0 : 10 ** (length - 1);
    const from = Math.max(low, smallest);
    const to = Math.min(high, 10 ** length - 1);
    alternatives.push(...sameLength(String(from), String(to)));
  }
  return alternatives;
}

/**
 * A GBNF expression for the integers from `low` to `high`, without leading zeros and without -0. A missing bound is one of
 * 15 digits. null: there is no such integer.
 */
export function integerRange(low: number | null, high: number | null): string | null {
  const most = 10 ** MOST_DIGITS - 1;
  const from = Math.max(-most, Math.ceil(low ?? -most));
  const to = Math.min(most, Math.floor(high ?? most));
  if (from > to) return null;
  const alternatives: string[] = [];
  if (to >= 0) alternatives.push(...positive(Math.max(0, from), to));
  if (from < 0) {
    const negative = positive(Math.max(1, -to), -from);
    alternatives.push(`"-" ${negative.length === 1 ? negative[0] : `(${negative.join(' | ')})`}`);
  }
  return alternatives.join(' | ');
}
