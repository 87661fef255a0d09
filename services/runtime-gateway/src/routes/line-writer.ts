import type { ServerResponse } from 'node:http';
import type { ChatItem } from '@parley/shared/contracts';

/**
 * Writes items as lines of JSON. Lines that come in one go leave in one piece: at the end of the turn of the event loop,
 * so that nothing is held back, but a burst of tokens is no burst of packets.
 */
export class LineWriter {
  private pending = '';

  constructor(private readonly response: ServerResponse) {}

  write(item: ChatItem): void {
    if (this.pending === '') process.nextTick(this.flush);
    this.pending += `${JSON.stringify(item)}\n`;
  }

  /** Ends the answer after what has been written. */
  end(): void {
    this.flush();
    this.response.end();
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

  private readonly flush = (): void => {
    const { pending } = this;
    this.pending = '';
    if (pending !== '' && !this.response.destroyed) this.response.write(pending);
  };
}
