import type { ChatFinal } from '@parley/shared/contracts';
import { ServerSentEvents, type ServerSentEvent, type SseBatch } from '../../upstream/server-sent-events';
import { AnswerText } from '../answer-text';
import { structuredAnswer } from '../structured-answer';
import { completionError, notAStream, parseJson } from './completion-errors';

type Json = Record<string, unknown>;

const objectOr = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const countOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

/** White space and the bytes of a byte order mark, which may stand before either form of an answer. */
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32, 0xef, 0xbb, 0xbf]);
const OPENING_BRACE = 0x7b;
/** Longest answer that comes in one piece, in bytes. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/**
 * A stream of chat completion chunks, read forgivingly: `choices` may be empty, null or absent, `content` null, the
 * finish_reason "" on every chunk; comments, pings that were wrapped as data, progress, reasoning and tool calls are signs
 * of life and nothing more. Complete is a stream that said a finish_reason or [DONE]; nothing else is. Some servers answer
 * with one JSON document although a stream was asked for: it is the whole answer, when it is whole.
 */
export class CompletionStream {
  private readonly source = new ServerSentEvents();
  private readonly answer = new AnswerText();
  private finishReason: string | null = null;
  private sawDone = false;
  private sawChunk = false;
  private model: string | null = null;
  private usage: Json = {};
  private timings: Json = {};
  /** The pieces of a JSON document; null as long as there is none. */
  private document: Buffer[] | null = null;
  private documentBytes = 0;
  private begun = false;

  /** [DONE] has arrived: there is nothing more to wait for. */
  get isDone(): boolean {
    return this.sawDone;
  }

  /** The answer is whole; only counts may follow. */
  get isComplete(): boolean {
    return this.sawDone || this.finishReason !== null;
  }

  /** Whether anything that belongs to a stream of chunks has arrived. */
  get isStream(): boolean {
    return this.sawChunk || this.sawDone;
  }

  /**
   * The pieces of the answer in these bytes.
   * @throws ServiceError RUNTIME_ERROR for an error event, an event that does not parse, or an endless one.
   */
  feed(bytes: Buffer): string[] {
    const from = this.begun ? -1 : bytes.findIndex((byte) => !BLANKS.has(byte));
    if (from !== -1) {
      this.begun = true;
      if (bytes[from] === OPENING_BRACE) this.document = [];
    }
    if (this.document === null) return this.read(this.source.feed(bytes), false);
    const piece = bytes.subarray(Math.max(0, from));
    this.document.push(piece);
    this.documentBytes += piece.length;
    if (this.documentBytes > MAX_DOCUMENT_BYTES) throw notAStream();
    return [];
  }

  /** The stream has ended. @throws as `feed`. */
  end(): string[] {
    return this.document === null
      ? this.read(this.source.end(), true)
      : this.readDocument(parseJson(Buffer.concat(this.document).toString('utf8')));
  }

  /** What was held back; to be asked once, when the answer is complete. */
  rest(): string {
    return this.answer.end();
  }

  /** @param fallbackModel What to call the model when the server did not say. */
  final(options: { fallbackModel: string; structured: boolean }): ChatFinal {
    const text = this.answer.whole;
    const prompt = countOr(this.usage['prompt_tokens']);
    const cached =
      countOr(objectOr(this.usage['prompt_tokens_details'])['cached_tokens']) ?? countOr(this.timings['cache_n']);
    const evaluated =
      countOr(this.timings['prompt_n']) ?? (prompt !== null && cached !== null ? Math.max(0, prompt - cached) : null);
    const total = prompt ?? (cached !== null && evaluated !== null ? cached + evaluated : null);
    return {
      type: 'final',
      text,
      model_id: this.model ?? options.fallbackModel,
      input_tokens: total,
      output_tokens: countOr(this.usage['completion_tokens']) ?? countOr(this.timings['predicted_n']),
      structured: options.structured ? structuredAnswer(text) : null,
      finish_reason: this.finishReason === 'length' ? 'length' : 'stop',
      usage: { prompt_tokens_cached: cached, prompt_tokens_evaluated: evaluated },
    };
  }

  private read(batch: SseBatch, atEnd: boolean): string[] {
    const pieces: string[] = [];
    for (const event of batch.events) {
      const piece = this.readEvent(event, atEnd);
      if (piece !== '') pieces.push(piece);
    }
    if (!this.isComplete) this.readStray(batch.stray);
    if (batch.overflow) throw notAStream();
    return pieces;
  }

  private readDocument(value: unknown): string[] {
    const answer = objectOr(value);
    if (answer['error'] !== undefined && answer['error'] !== null) throw completionError(null, answer);
    const { choices } = answer;
    if (!Array.isArray(choices) || choices.length === 0) throw notAStream();
    this.readFacts(answer);
    const choice = objectOr(choices[0]);
    const { content } = objectOr(choice['message']);
    const reason = choice['finish_reason'];
    this.finishReason = typeof reason === 'string' && reason !== '' ? reason : 'stop';
    this.sawDone = true;
    const piece = typeof content === 'string' && content !== '' ? this.answer.add(content) : '';
    return piece === '' ? [] : [piece];
  }

  /** Some servers write the error object as a bare line into the stream, or a whole answer after its beginning. */
  private readStray(lines: readonly string[]): void {
    const text = lines.join('\n').trim();
    if (!text.startsWith('{')) return;
    const value = objectOr(parseJson(text));
    if ('error' in value) throw completionError(null, value);
    if ('choices' in value) throw notAStream();
  }

  private readEvent({ event, data }: ServerSentEvent, atEnd: boolean): string {
    const text = data.trim();
    if (this.sawDone || text === '' || text.startsWith(':')) return '';
    if (event === 'error') throw completionError(null, parseJson(text) ?? { error: text });
    if (text === '[DONE]') {
      this.sawDone = true;
      return '';
    }
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null) {
      // The last event of a stream that was cut: the cut is the failure, not its shape.
      if (atEnd || this.isComplete) return '';
      throw notAStream();
    }
    return this.readChunk(value as Json);
  }

  private readChunk(chunk: Json): string {
    if (chunk['error'] !== undefined && chunk['error'] !== null && !this.isComplete) throw completionError(null, chunk);
    this.readFacts(chunk);
    const { choices } = chunk;
    const choice = objectOr(Array.isArray(choices) ? choices[0] : null);
    const { content } = objectOr(choice['delta']);
    const piece = typeof content === 'string' && content !== '' ? this.answer.add(content) : '';
    const reason = choice['finish_reason'];
    if (typeof reason === 'string' && reason !== '') this.finishReason = reason;
    return piece;
  }

  private readFacts(chunk: Json): void {
    this.sawChunk = true;
    if (typeof chunk['model'] === 'string' && chunk['model'] !== '') this.model = chunk['model'];
    if (chunk['usage']) this.usage = objectOr(chunk['usage']);
    if (chunk['timings']) this.timings = objectOr(chunk['timings']);
  }
}
