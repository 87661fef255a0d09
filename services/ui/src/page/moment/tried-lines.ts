import type { Drill, LineCheck } from '@parley/shared/contracts';

/** How often a line can be tried again; the service counts. */
export const MAX_TRIES = 3;

/** A line that was tried, with what it does. */
export interface TriedLine {
  /** From 1. */
  readonly number: number;
  /** null when the words were not kept. */
  readonly text: string | null;
  readonly checks: readonly LineCheck[];
  /** What to try next; null when nothing is missing. */
  readonly next: string | null;
  /** How the character answers; null without a model, and until it has answered. */
  readonly reply: { readonly text: string; readonly emotion: string | null } | null;
}

const firstMissing = (checks: readonly LineCheck[]): string | null =>
  checks.find(({ verdict }) => verdict === 'missed')?.text ?? null;

/** A try of an earlier visit. */
export const triedBefore = ({ try: number, text, checks }: Drill): TriedLine => ({
  number,
  text,
  checks,
  next: firstMissing(checks),
  reply: null,
});

/** How many of the checks that a line could meet it meets. */
export function countMet(checks: readonly LineCheck[]): { met: number; of: number } {
  const judged = checks.filter(({ verdict }) => verdict !== 'not_judged');
  return { met: judged.filter(({ verdict }) => verdict === 'met').length, of: judged.length };
}
