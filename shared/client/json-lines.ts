import { StringDecoder } from 'node:string_decoder';

export interface LineBatch {
  readonly lines: readonly string[];
  /** One line grew beyond the longest that is read: nothing more can be. */
  readonly overflow: boolean;
}

/** Bytes to lines, whatever way they are cut. Blank lines are left out. */
export class JsonLines {
  private readonly decoder = new StringDecoder('utf8');
  private pieces: string[] = [];
  private pending = 0;

  /** @param maxLength Longest line that is still read, in characters. */
  constructor(private readonly maxLength = 1024 * 1024) {}

  feed(bytes: Buffer): LineBatch {
    return this.read(this.decoder.write(bytes));
  }

  /** The stream has ended: the last line needs no line feed. */
  end(): LineBatch {
    return this.read(`${this.decoder.end()}\n`);
  }

  private read(text: string): LineBatch {
    const lines: string[] = [];
    const parts = text.split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      const line = [...this.pieces, part].join('').trim();
      this.pieces = [];
      this.pending = 0;
      if (line !== '') lines.push(line);
    }
    if (rest !== '') {
      this.pieces.push(rest);
      this.pending += rest.length;
    }
    return { lines, overflow: this.pending > this.maxLength };
  }
}
