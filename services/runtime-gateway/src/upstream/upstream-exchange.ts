import type { Dispatcher } from 'undici';
import { QuietError } from './upstream-errors';

/** Bytes that may wait for the reader before the upstream's socket is paused. */
const HIGH_WATER = 64 * 1024;
/** What is read of a rest, and for how long, to keep a connection that could be used again. */
const REST_BYTES = 64 * 1024;
const REST_MS = 250;

interface Waiter {
  resolve(chunk: Buffer | null): void;
  reject(error: unknown): void;
}

/**
 * One request and its answer, pulled piece by piece: what is not read stays in the upstream's socket, so a slow reader
 * slows the upstream. The quiet timer runs only while the reader waits for bytes; every byte is a sign of life.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandlers {
  status = 0;
  /** Names and values in turn, as they came: most are never looked at, and the first token waits behind this. */
  private rawHeaders: readonly Buffer[] = [];
  private queue: Buffer[] = [];
  private queuedBytes = 0;
  private isPaused = false;
  private isComplete = false;
  private failure: { readonly error: unknown } | null = null;
  private waiter: Waiter | null = null;
  private headersWaiter: { resolve(): void; reject(error: unknown): void } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closeConnection: ((error?: Error) => void) | null = null;
  private resumeReading: (() => void) | null = null;

  constructor(
    private readonly quietMs: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** Begins to watch the signal: the request is on its way by then, which is what the first token waits for. */
  watchSignal(): void {
    if (this.signal === undefined || this.isComplete || this.failure !== null) return;
    if (this.signal.aborted) this.onAbort();
    else this.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  private readonly onAbort = (): void => this.abort(this.signal?.reason);

  /** Resolves when status and headers are here. */
  headersArrived(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.status !== 0) resolve();
      else if (this.failure !== null) reject(this.failure.error as Error);
      else {
        this.headersWaiter = { resolve, reject };
        this.watchSilence();
      }
    });
  }

  /** A header of the answer; null when there is none. @param name in lower case. */
  header(name: string): string | null {
    const at = this.rawHeaders.findIndex(
      (one, index) => index % 2 === 0 && one.length === name.length && one.toString('latin1').toLowerCase() === name,
    );
    return at === -1 ? null : (this.rawHeaders[at + 1]?.toString('latin1') ?? null);
  }

  /** The next piece of the body; null at its end. Only one call at a time. */
  next(): Promise<Buffer | null> {
    const chunk = this.queue.shift();
    if (chunk !== undefined) {
      this.queuedBytes -= chunk.length;
      if (this.isPaused && this.queuedBytes < HIGH_WATER / 2) {
        this.isPaused = false;
        this.resumeReading?.();
      }
      return Promise.resolve(chunk);
    }
    if (this.failure !== null) return Promise.reject(this.failure.error);
    if (this.isComplete) return Promise.resolve(null);
    this.watchSilence();
    return new Promise((resolve, reject) => {
      this.waiter = { resolve, reject };
    });
  }

  /** The whole body. @throws RangeError when it is longer than `maxBytes`; the connection is closed then. */
  async readText(maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        const error = new RangeError(`answer longer than ${maxBytes} bytes`);
        this.abort(error);
        throw error;
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Ends the exchange. Without an error: nobody wants the rest. */
  abort(reason: unknown = new Error('the exchange was ended')): void {
    if (this.isComplete || this.failure !== null) return;
    this.fail(reason);
    this.closeConnection?.(reason instanceof Error ? reason : undefined);
  }

  /** After the last piece that matters: keeps the connection for the next request if the rest is short, else closes it. */
  async release(): Promise<void> {
    const deadline = setTimeout(() => this.abort(), REST_MS);
    try {
      let rest = 0;
      for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
        rest += chunk.length;
        if (rest > REST_BYTES) this.abort();
      }
    } catch {
      // The rest does not matter, nor how it ends.
    } finally {
      clearTimeout(deadline);
    }
  }

  private watchSilence(): void {
    if (this.timer === null) this.timer = setTimeout(this.onSilence, this.quietMs);
    else this.timer.refresh();
  }

  private readonly onSilence = (): void => {
    // Nobody waits: it is this side that pauses, which says nothing about the upstream.
    if (this.waiter !== null || this.headersWaiter !== null) this.abort(new QuietError(this.quietMs));
  };

  private settle(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.onAbort);
  }

  private fail(error: unknown): void {
    this.failure = { error };
    this.settle();
    const { waiter, headersWaiter } = this;
    this.waiter = null;
    this.headersWaiter = null;
    headersWaiter?.reject(error);
    waiter?.reject(error);
  }

  // The transport's side.

  onConnect(abort: (error?: Error) => void): void {
    this.closeConnection = abort;
    if (this.failure !== null) abort();
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.rawHeaders = raw;
    this.status = status;
    this.resumeReading = resume;
    this.headersWaiter?.resolve();
    this.headersWaiter = null;
    return true;
  }

  onData(chunk: Buffer): boolean {
    const { waiter } = this;
    if (waiter !== null) {
      this.waiter = null;
      waiter.resolve(chunk);
      return true;
    }
    this.queue.push(chunk);
    this.queuedBytes += chunk.length;
    this.isPaused = this.queuedBytes >= HIGH_WATER;
    return !this.isPaused;
  }

  onComplete(): void {
    this.isComplete = true;
    this.settle();
    this.waiter?.resolve(null);
    this.waiter = null;
  }

  onError(error: Error): void {
    if (this.failure === null && !this.isComplete) this.fail(error);
  }
}
