import type { SHARED_FAULT_KINDS } from '@parley/shared/contracts';
import { ownSocketsOnly, type Bus, type Listeners, type Order } from './bus';
import type { TextShelf } from './text-shelf';
import { ownTurnsOnly, type TurnClaims } from './turn-claims';

/** What a process does when others tell it something. */
export interface Hearing {
  obey(order: Order): void;
  /** What was told meanwhile was not heard: the sessions with sockets here may have changed. */
  caughtUp(heard: readonly Listeners[]): void;
}

/** Something is wrong with what the processes share: how diagnostics name it, and one sentence that says what to do. */
export interface SharedFault {
  readonly code: (typeof SHARED_FAULT_KINDS)[number];
  readonly message: string;
}

/**
 * Everything that a running session keeps outside of the database: who runs its turn, its sockets, its words when they are not
 * saved. Of one process (here), or of several that share it (RedisPresence).
 */
export interface Presence {
  /** Whether no other process plays the same sessions: what this one remembers of them is true then. */
  readonly isAlone: boolean;
  readonly bus: Bus;
  readonly claims: TurnClaims;
  /** null: the memory of this process. */
  readonly words: TextShelf | null;
  /** Digests texts of talks that are not saved; null: a key of this process's own. */
  readonly digestKey: Buffer | null;
  /** What is wrong now; null when nothing is. */
  fault(): SharedFault | null;
  /** Connects; nothing is heard before. @throws StartError with one line for a person */
  open(hearing: Hearing): Promise<void>;
  close(): Promise<void>;
}

export function ownPresence(): Presence {
  return {
    isAlone: true,
    bus: ownSocketsOnly(),
    claims: ownTurnsOnly(),
    words: null,
    digestKey: null,
    fault: () => null,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
