import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { discardBody } from './peer-request';
import { SilenceWatch } from './time-limit';

/**
 * An answer's body for passing on. It fails when the peer is silent for too long while somebody waits for more; a reader
 * that takes its time never makes it fail.
 */
export class PatientBody extends Readable {
  private readonly silence: SilenceWatch;

  /**
   * @param silenceMs how long the peer may be silent.
   * @param asError what the reader is told when the answer breaks off.
   */
  constructor(
    private readonly answer: IncomingMessage,
    silenceMs: number,
    asError: (cause: unknown) => Error,
  ) {
    super();
    this.silence = new SilenceWatch(silenceMs, (reason) => this.destroy(asError(reason)));
    const fail = (cause?: unknown): void => {
      if (!answer.readableEnded) this.destroy(asError(cause ?? new Error('the answer broke off')));
    };
    answer.pause();
    answer
      .on('data', (piece: Buffer) => {
        // What comes after the end of our reader is thrown away.
        if (this.destroyed) return;
        this.silence.refresh();
        if (this.push(piece)) return;
        this.silence.rest();
        answer.pause();
      })
      .on('end', () => {
        this.silence.rest();
        this.push(null);
      })
      .on('error', fail)
      .on('close', fail);
  }

  override _read(): void {
    this.silence.refresh();
    this.answer.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.silence.rest();
    if (error === null) discardBody(this.answer);
    else this.answer.destroy();
    done(error);
  }
}
