import type { Token } from './llama-library';

/** Smallest stretch, in tokens, that is kept although it has moved. */
const SMALLEST_STRETCH = 64;
/** Stretches that are kept of one prompt: a window that slides moves one or two. */
const MOST_STRETCHES = 4;

/** A stretch of a prompt as it lies in what is cached. */
export interface Stretch {
  readonly from: number;
  readonly length: number;
}

/** How many tokens two lists have in common at their beginning. */
function sharedFrom(cached: readonly Token[], from: number, tokens: readonly Token[], at: number): number {
  let length = 0;
  while (from + length < cached.length && at + length < tokens.length && cached[from + length] === tokens[at + length])
    length += 1;
  return length;
}

/**
 * Which stretches of what is cached make the beginning of a prompt, in order: the common beginning, and, where tokens may
 * move, what comes after something that was left out. The first may be empty.
 */
export function cachedStretches(cached: readonly Token[], tokens: readonly Token[], mayMove: boolean): Stretch[] {
  const first = sharedFrom(cached, 0, tokens, 0);
  const stretches: Stretch[] = [{ from: 0, length: first }];
  // The beginning of the text must stand: some models lean on their first tokens.
  if (!mayMove || first === 0) return stretches;
  let at = first;
  let from = first + 1;
  while (from + SMALLEST_STRETCH <= cached.length && stretches.length <= MOST_STRETCHES) {
    const length = cached[from] === tokens[at] ? sharedFrom(cached, from, tokens, at) : 0;
    if (length < SMALLEST_STRETCH) {
      from += 1;
      continue;
    }
    stretches.push({ from, length });
    at += length;
    from += length;
  }
  return stretches;
}

export const stretchTokens = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { length }) => sum + length, 0);
