import type { Debrief } from '@parley/shared/contracts';
import type { TurnOutcome } from '@parley/shared/engine';
import { z } from 'zod';

export interface Note {
  readonly turn: number;
  readonly dimension: string;
  readonly note: string;
}

/** What one answer of the character brought with it. */
interface UnsavedAnswer {
  readonly text: string | null;
  readonly reason: string | null;
  readonly notes: readonly Note[];
}

export interface UnsavedSession {
  /** Whether everything that was said so far is here: not so when an earlier process took the beginning with it. */
  readonly whole: boolean;
  readonly texts: Map<number, string>;
  /** Why a turn was redirected, by the player's turn. */
  readonly reasons: Map<number, string>;
  notes: Note[];
  /** Answers that were put aside, by their turn and their number. */
  readonly aside: Map<string, UnsavedAnswer>;
  /** What was tried last in place of what the player said, by its turn. */
  readonly tried: Map<number, string>;
  debrief: Debrief | null;
  expiry: NodeJS.Timeout | null;
}

export const place = (index: number, variant: number): string => `${index}.${variant}`;

/** What the model brought with its answer, as it lies on the shelf. */
export const Shelved = z.object({
  text: z.string(),
  reason: z.string().nullable(),
  notes: z.array(z.object({ dimension: z.string(), note: z.string() })),
});

export type Answered = Pick<TurnOutcome, 'utterance' | 'observations' | 'safety'>;

/** A stop has no message that would tell of its reason. */
export function reasonOf({ safety }: Answered): string | null {
  const { action, reason } = safety ?? {};
  return reason != null && (action === 'redirect' || action === 'refuse') ? reason : null;
}

/** What is about to be said, before it is stored that something was. */
export interface WordsAhead {
  /** What the player says, by its turn. */
  readonly player?: { readonly index: number; readonly text: string };
  readonly answer: Answered & { readonly index: number; readonly variant: number };
}

/** Where words lie on the shelf of a session. */
export const DEBRIEF_FIELD = 'debrief';
export const triedPlace = (turn: number): string => `t${turn}`;
export const shelfPlace = (role: 'player' | 'npc', index: number, variant: number): string =>
  `${role === 'npc' ? 'n' : 'p'}${place(index, variant)}`;
