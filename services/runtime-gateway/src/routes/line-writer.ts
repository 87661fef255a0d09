import type { ServerResponse } from 'node:http';
import type { ChatItem } from '@parley/shared/contracts';

/** Tokens that come less than this after the last piece left wait for each other, in milliseconds. */
const BURST_MS = 1;
/** So much leaves at once, however quick it came; characters. */
const LARGEST_PIECE = 16 * 1024;

/**
 * Writes items as lines of JSON. The first one leaves at once, every one that comes at the pace of a model at the end of the
 * turn of the event loop in which it came. A burst leaves in few pieces: each packet wakes the reader, which costs both sides more
 * than the tokens in it.
 */
export class LineWriter {
  private pending = '';
  private flushedAt = -Infinity;
  private waiting: NodeJS.Timeout | null = null;

  constructor(private readonly response: ServerResponse) {}

  write(item: ChatItem): void {
    const isAlone = this.pending === '';
    this.pending += `${JSON.stringify(item)}\n`;
    if (this.pending.length > LARGEST_PIECE || this.flushedAt === -Infinity) this.flush();
    else if (!isAlone) return;
    else if (performance.now() - this.flushedAt >= BURST_MS) process.nextTick(this.flush);
    else this.waiting = setTimeout(this.flush, BURST_MS);
  }

  /** Ends the answer after what has been written, in one packet with what still waits. */
  end(): void {
    const rest = this.taken();
    if (rest === '' || this.response.destroyed) this.response.end();
    else this.response.end(rest);
  }

  /** Resolves at once when the caller keeps up, else when it has taken what is written, or is gone. */
  drained(): Promise<void> | null {
    const { response } = this;
    if (!response.writableNeedDrain || response.destroyed) return null;
    return new Promise((resolve) => {
      const settle = (): void => {
        response.off('drain', settle);
        response.off('close', settle);
        resolve();
      };
      response.once('drain', settle);
      response.once('close', settle);
    });
  }

  /** What waits; nothing waits any more. */
  private taken(): string {
    const { pending } = this;
    this.pending = '';
    if (this.waiting !== null) clearTimeout(this.waiting);
    this.waiting = null;
    this.flushedAt = performance.now();
    return pending;
  }

  private readonly flush = (): void => {
    const pending = this.taken();
    if (pending === '' || this.response.destroyed) return;
    // Node would let it go only after everything that waits in this turn of the event loop.
    const { socket } = this.response;
    socket?.cork();
    this.response.write(pending);
    socket?.uncork();
  };
}
