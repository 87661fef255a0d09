import { LRUCache } from 'lru-cache';

/** After a runtime said that it cannot, it is not asked again for this long. */
const CANNOT_FOR_MS = 60_000;
const KEPT = 10_000;
/** A turn waits no longer for what is being read: a gateway that hangs must not hang the turn beyond its own time limit. */
const LONGEST_WAIT_MS = 30_000;

/** What was read beforehand already, once per session and stored turn, and what is being read. */
export class Prewarming {
  private readonly readUpTo = new LRUCache<string, number>({ max: KEPT });
  private readonly running = new Map<string, Promise<void>>();
  private cannotUntil = -Infinity;

  /** Whether the turn that comes next is still to be read for. */
  claim(sessionId: string, turnCount: number): boolean {
    if (performance.now() < this.cannotUntil || this.readUpTo.get(sessionId) === turnCount) return false;
    this.readUpTo.set(sessionId, turnCount);
    return true;
  }

  /** What was said last is another thing now. */
  forget(sessionId: string): void {
    this.readUpTo.delete(sessionId);
  }

  /** @param reading Ends when the prompt is read, or cannot be; it never rejects. */
  begun(sessionId: string, reading: Promise<void>): void {
    const ended = reading.finally(() => {
      if (this.running.get(sessionId) === ended) this.running.delete(sessionId);
    });
    this.running.set(sessionId, ended);
  }

  /**
   * Waits until what is being read for a session is read. A turn that did not wait would have its prompt read a second time
   * beside the first, on another slot of the model server: later than without any reading ahead.
   * @returns undefined when nothing is being read; also resolves when the signal is aborted, or after half a minute.
   */
  settled(sessionId: string, signal: AbortSignal): Promise<void> | undefined {
    const reading = this.running.get(sessionId);
    if (reading === undefined || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(), LONGEST_WAIT_MS);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      signal.addEventListener('abort', settle, { once: true });
      void reading.then(settle);
    });
  }

  /** The runtime cannot do it: nobody is asked for a while. */
  cannot(): void {
    this.cannotUntil = performance.now() + CANNOT_FOR_MS;
  }
}
