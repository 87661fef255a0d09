import type { EmittedMessage } from '@parley/shared/contracts';

/** What one process tells the others that they do not see in the database. */
export type Order =
  /** The running turn of a session, or of every one, is overtaken. */
  | { readonly kind: 'cancel'; readonly session: string | null }
  | { readonly kind: 'end'; readonly session: string }
  | { readonly kind: 'delete'; readonly session: string }
  | { readonly kind: 'clear' }
  /** The debrief of a session is stored. */
  | { readonly kind: 'debrief'; readonly session: string }
  /** Another runtime plays. */
  | { readonly kind: 'runtime' };

/** A message with the time at which it was published, ISO 8601 in UTC: the same on every socket. */
export type TimedMessage = EmittedMessage & { readonly ts: string };

/** The sockets of one session that hang on this process, as a bus sees them. */
export interface Listeners {
  readonly sessionId: string;
  /** The last number that was given to a socket here. */
  readonly seq: number;
  /** Numbers up to this one may have been given out before, by whomever. */
  readonly floor: number;
  /** The next number is greater than this one. */
  raise(seq: number): void;
  /** Sends to the sockets of this process, with the next number. */
  emit(message: TimedMessage): void;
}

/**
 * Brings messages to sockets and orders to processes. What it carries may be lost: everything that must not be is in the
 * database.
 */
export interface Bus {
  /** Whether numbers are given out for all processes together: then this one counts by itself only while it must. */
  readonly isShared: boolean;
  /** To every socket of the session, whichever process it hangs on; in the order of the calls. */
  publish(listeners: Listeners, message: TimedMessage): void;
  /** From now on what others publish comes here, too. A second call does nothing. */
  listen(listeners: Listeners): Promise<void>;
  /** No socket of the session is left here. */
  leave(listeners: Listeners): void;
  /**
   * Sets numbers aside for what one joining socket alone is told, and runs `step` when everything that was published before
   * them was delivered here. @returns what `step` answers
   */
  join(listeners: Listeners, count: number, step: () => boolean): Promise<boolean>;
  /** Resolves when what was published for the session is on its way, or was given up. */
  flushed(sessionId: string): Promise<void>;
  /** To all other processes. */
  order(order: Order): void;
  /** Whether this process is the first to do something that only one shall do. */
  isFirst(what: string): Promise<boolean>;
  close(): Promise<void>;
}

/** The one process has all sockets. */
export const ownSocketsOnly = (): Bus => ({
  isShared: false,
  publish: (listeners, message) => listeners.emit(message),
  listen: () => Promise.resolve(),
  leave: () => undefined,
  join: (_listeners, _count, step) => Promise.resolve(step()),
  flushed: () => Promise.resolve(),
  order: () => undefined,
  isFirst: () => Promise.resolve(true),
  close: () => Promise.resolve(),
});
