import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';

/** Longest event that is still read, in characters. A model's delta has a few hundred. */
const MAX_EVENT_LENGTH = 1024 * 1024;
/** Lines that belong to no event; with more of them it is no stream of events. */
const MAX_STRAY_LINES = 1_000;
/** So much at once is given to the parser: of a flood of lines it says for each that it does not know it. */
const PIECE_LENGTH = 4_096;

export interface ServerSentEvent {
  /** null: not named. */
  readonly event: string | null;
  readonly data: string;
}

export interface SseBatch {
  readonly events: readonly ServerSentEvent[];
  /** Lines that belong to no event, such as an error object that a server wrote without `data:`. */
  readonly stray: readonly string[];
  /** One event grew beyond MAX_EVENT_LENGTH, or there were too many stray lines: nothing more can be read. */
  readonly overflow: boolean;
}

/** Bytes to server-sent events, whatever way they are cut. Comments are swallowed. */
export class ServerSentEvents {
  // Not TextDecoder: that one opens a converter of ICU for each stream, right before its first token.
  private readonly decoder = new StringDecoder('utf8');
  private readonly parser: EventSourceParser;
  private events: ServerSentEvent[] = [];
  private stray: string[] = [];
  private strayCount = 0;
  private overflow = false;
  private begun = false;

  constructor() {
    this.parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ event, data }) => this.events.push({ event: event ?? null, data }),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.overflow = true;
        else if (error.line !== undefined && error.type === 'unknown-field') this.addStray(error.line);
      },
    });
  }

  feed(bytes: Buffer): SseBatch {
    return this.read(this.decoder.write(bytes));
  }

  /** The stream has ended: what was not closed by an empty line counts as if it were. */
  end(): SseBatch {
    return this.read(`${this.decoder.end()}\n\n`);
  }

  private addStray(line: string): void {
    this.strayCount += 1;
    if (this.strayCount > MAX_STRAY_LINES) this.overflow = true;
    else this.stray.push(line);
  }

  private read(text: string): SseBatch {
    const rest = this.begun ? text : text.replace(/^\uFEFF/, '');
    this.begun ||= text !== '';
    for (let at = 0; at < rest.length && !this.overflow; at += PIECE_LENGTH)
      this.parser.feed(rest.length <= PIECE_LENGTH ? rest : rest.slice(at, at + PIECE_LENGTH));
    const batch = { events: this.events, stray: this.stray, overflow: this.overflow };
    this.events = [];
    this.stray = [];
    return batch;
  }
}
