import type { Sign } from '@parley/shared/contracts';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** All signs that must hold at once: those of the list and of every `all` within. */
const conjunctionOf = (signs: readonly Sign[]): Sign[] =>
  signs.flatMap((sign) => (sign.all === undefined ? [sign] : conjunctionOf(sign.all)));

const lowerCase = (phrases: readonly string[]): string[] => phrases.map((phrase) => phrase.trim().toLowerCase());

function contradiction(one: Sign, other: Sign): string | null {
  if (one.says !== undefined && other.never_says !== undefined) {
    const never = new Set(lowerCase(other.never_says));
    if (lowerCase(one.says).every((phrase) => never.has(phrase))) return 'the line must say words that it must not say';
  }
  if (other.not !== undefined && isSame(one, other.not)) return 'a sign must hold and not hold';
  if ((one.words?.at_least ?? 0) > (other.words?.at_most ?? Infinity))
    return `no line has at least ${one.words?.at_least} and at most ${other.words?.at_most} words`;
  if ((one.line?.from ?? 0) > (other.line?.by ?? Infinity))
    return `no line comes from line ${one.line?.from} on and by line ${other.line?.by}`;
  return null;
}

/** Why signs can never hold together, what stands under `any` left aside. */
function whyNotTogether(signs: readonly Sign[], maxTurns: number): string | null {
  const together = conjunctionOf(signs);
  for (const one of together) {
    const from = one.line?.from ?? 0;
    if (from > maxTurns) return `the talk has ${maxTurns} lines, and it waits for line ${from}`;
    for (const other of together) {
      const reason = one === other ? null : contradiction(one, other);
      if (reason !== null) return reason;
    }
  }
  return null;
}

/**
 * Why no line can have these signs, whatever is said; null when nothing proves that. Only what is plain is looked for: an
 * `any` fails where each of its signs does, beside the others.
 */
export function whyNoLineHas(signs: readonly Sign[], maxTurns: number): string | null {
  const plain = whyNotTogether(signs, maxTurns);
  if (plain !== null) return plain;
  for (const one of signs) {
    const reasons = one.any?.map((sign) => whyNotTogether([...signs.filter((other) => other !== one), sign], maxTurns));
    const [first = null] = reasons ?? [];
    if (first !== null && reasons?.every((reason) => reason !== null) === true) return first;
  }
  return null;
}
