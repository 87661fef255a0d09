import type { ServiceError } from '@parley/shared/contracts';
import type { Transaction } from '@parley/shared/store';

/** A call that wants to take a turn. */
export interface TurnCall {
  readonly sessionId: string;
  /** The Idempotency-Key; null without one. */
  readonly key: string | null;
  /** What the player says; a repeat with the same key must say the same. */
  readonly text: string;
}

/** Who runs the turn of a session, on all processes together; within one, RunningTurns knows it. */
export interface TurnClaims {
  /**
   * Takes the session for a turn, or waits while the same call runs elsewhere.
   * @param abort aborted when the session is lost to somebody else
   * @returns why it cannot be had; null when it is taken
   * @throws the reason of the signal when it aborts meanwhile; ServiceError TURN_ABORTED, IDEMPOTENCY_KEY_REUSED
   */
  take(call: TurnCall, abort: AbortController): Promise<ServiceError | null>;
  /** In the transaction that stores the turn, before anything is written: false when it was lost, and nothing may be. */
  spend(transaction: Transaction, sessionId: string): Promise<boolean>;
  /** The turn is over. @param isStored its claim went with its commit. Never rejects. */
  release(sessionId: string, isStored: boolean): Promise<void>;
  /** Overtakes a turn that runs elsewhere, or all: nothing of it is stored, and no word of it is told after this. */
  overtake(sessionId: string | null): Promise<void>;
  close(): void;
}

/** Nobody else runs turns. */
export const ownTurnsOnly = (): TurnClaims => ({
  take: () => Promise.resolve(null),
  spend: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  overtake: () => Promise.resolve(),
  close: () => undefined,
});
