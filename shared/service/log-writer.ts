import { readdirSync } from 'node:fs';
import { open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** What waits for a disk that takes nothing; further lines are dropped and counted. */
const MAX_WAITING_BYTES = 1_048_576;
/** Lines that came together are written together, up to so many bytes. */
const MAX_PIECE_BYTES = 65_536;
const RETRY_AFTER_MS = 1_000;
/** A disk that does not answer must not hold up the end of the process. */
const CLOSE_DEADLINE_MS = 2_000;

export interface LogWriterOptions {
  readonly folder: string;
  /** Files are called `<name>.<number>.log`; the highest number is the newest. */
  readonly name: string;
  /** A file that has reached this size is followed by the next one. */
  readonly maxFileBytes: number;
  /** Older files are removed. */
  readonly keptFiles: number;
  /** The line that tells, once the disk takes lines again, how many were dropped. */
  readonly describeLoss: (count: number) => string;
}

/**
 * Writes lines to files that only their owner can read, one after the other and in the background. It never throws, never
 * blocks and never holds more than a megabyte: a log that cannot be written (a full disk) costs lines and nothing else.
 */
export class LogWriter {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private file: FileHandle | null = null;
  private fileBytes = 0;
  private fileNumber: number;
  private writing: Promise<void> | null = null;
  private endWait: (() => void) | null = null;
  private closing = false;

  /** @throws Error when the folder cannot be read. */
  constructor(private readonly options: LogWriterOptions) {
    this.fileNumber = Math.max(1, ...this.numbersOf(readdirSync(options.folder)));
  }

  /** @param line with its line feed */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.closing || this.waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    this.writing ??= this.writeWaiting().finally(() => (this.writing = null));
  }

  /** Writes what waits, if the disk takes it within two seconds, and closes the file. */
  async close(): Promise<void> {
    this.closing = true;
    this.endWait?.();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_DEADLINE_MS);
    });
    await Promise.race([(this.writing ?? Promise.resolve()).then(() => this.closeFile()), deadline]);
    clearTimeout(timer);
  }

  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      try {
        await this.writePiece();
      } catch {
        await this.closeFile();
        if (this.closing) return;
        await this.waitBeforeRetry();
      }
    }
  }

  private async writePiece(): Promise<void> {
    const file = await this.openFile();
    if (this.dropped > 0 && !this.closing) {
      const line = Buffer.from(this.options.describeLoss(this.dropped));
      this.dropped = 0;
      this.waiting.push(line);
      this.waitingBytes += line.length;
    }
    let count = 0;
    let length = 0;
    do length += this.waiting[count++]?.length ?? 0;
    while (count < this.waiting.length && length < MAX_PIECE_BYTES);
    const piece = Buffer.concat(this.waiting.splice(0, count));
    let written = 0;
    try {
      // A disk that fills up takes the beginning of a piece.
      while (written < piece.length) written += (await file.write(piece, written, piece.length - written)).bytesWritten;
    } finally {
      if (written < piece.length) this.waiting.unshift(piece.subarray(written));
      this.waitingBytes -= written;
      this.fileBytes += written;
    }
    if (this.fileBytes >= this.options.maxFileBytes) {
      await this.closeFile();
      this.fileNumber += 1;
    }
  }

  private async openFile(): Promise<FileHandle> {
    if (this.file !== null) return this.file;
    const { folder, name, maxFileBytes } = this.options;
    for (;;) {
      const file = await open(path.join(folder, `${name}.${this.fileNumber}.log`), 'a', 0o600);
      const { size } = await file.stat();
      if (size < maxFileBytes) {
        this.file = file;
        this.fileBytes = size;
        await this.removeOldFiles();
        return file;
      }
      await file.close();
      this.fileNumber += 1;
    }
  }

  private async closeFile(): Promise<void> {
    const { file } = this;
    this.file = null;
    await file?.close().catch(() => undefined);
  }

  private async removeOldFiles(): Promise<void> {
    const { folder, name, keptFiles } = this.options;
    const numbers = this.numbersOf(await readdir(folder)).sort((a, b) => b - a);
    for (const number of numbers.slice(keptFiles))
      await unlink(path.join(folder, `${name}.${number}.log`)).catch(() => undefined);
  }

  private numbersOf(files: readonly string[]): number[] {
    const { name } = this.options;
    return files.flatMap((file) => {
      const number = file.startsWith(`${name}.`) ? /^\.(\d{1,9})\.log$/.exec(file.slice(name.length))?.[1] : undefined;
      return number === undefined ? [] : [Number(number)];
    });
  }

  private waitBeforeRetry(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RETRY_AFTER_MS);
      timer.unref();
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
