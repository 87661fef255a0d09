import { JsonLines, type LineBatch } from '@parley/shared/client';
import type { ChatFinal } from '@parley/shared/contracts';
import { AnswerText } from '../answer-text';
import { structuredAnswer } from '../structured-answer';
import { nativeError, notNative, remoteModel } from './native-errors';

type Json = Record<string, unknown>;

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';
/** Counts of nothing are left out by the server. */
const countOrZero = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;

/**
 * A stream of native chat objects, one a line. Complete is a stream whose last object says done; an error object in the
 * middle comes without it. Thinking and tool calls are signs of life and nothing more.
 */
export class NativeStream {
  private readonly source = new JsonLines();
  private readonly answer = new AnswerText();
  private last: Json | null = null;

  constructor(private readonly modelId: string) {}

  get isComplete(): boolean {
    return this.last !== null;
  }

  /**
   * The pieces of the answer in these bytes.
   * @throws ServiceError RUNTIME_ERROR for an error object, a line that does not parse, or an endless one.
   */
  feed(bytes: Buffer): string[] {
    return this.read(this.source.feed(bytes), false);
  }

  /** The stream has ended. @throws as `feed`. */
  end(): string[] {
    return this.read(this.source.end(), true);
  }

  /** What was held back; to be asked once, when the answer is complete. */
  rest(): string {
    return this.answer.end();
  }

  /**
   * @throws ServiceError RUNTIME_ERROR when the server only loaded or unloaded the model instead of answering.
   */
  final(options: { structured: boolean }): ChatFinal {
    const last = this.last ?? {};
    const reason = last['done_reason'];
    const text = this.answer.whole;
    if ((reason === 'load' || reason === 'unload') && text === '') throw nativeError(null, null, this.modelId);
    const evaluated = countOrZero(last['prompt_eval_count']);
    return {
      type: 'final',
      text,
      model_id: isFilled(last['model']) ? String(last['model']) : this.modelId,
      input_tokens: evaluated,
      output_tokens: countOrZero(last['eval_count']),
      structured: options.structured ? structuredAnswer(text) : null,
      finish_reason: reason === 'length' ? 'length' : 'stop',
      // The server counts the whole prompt and does not say what of it was cached.
      usage: { prompt_tokens_cached: null, prompt_tokens_evaluated: null },
    };
  }

  private read(batch: LineBatch, atEnd: boolean): string[] {
    const pieces: string[] = [];
    for (const line of batch.lines) {
      if (this.isComplete) break;
      const piece = this.readLine(line, atEnd);
      if (piece !== '') pieces.push(piece);
    }
    if (batch.overflow) throw notNative();
    return pieces;
  }

  private readLine(line: string, atEnd: boolean): string {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      // The last line of a stream that was cut: the cut is the failure, not its shape.
      if (atEnd && line.startsWith('{')) return '';
      throw notNative();
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notNative();
    const object = value as Json;
    if (object['error'] !== undefined) throw nativeError(null, object, this.modelId);
    if (isFilled(object['remote_host'])) throw remoteModel(this.modelId);
    if (object['done'] === true) this.last = object;
    const content = (object['message'] as Json | null | undefined)?.['content'];
    return typeof content === 'string' && content !== '' ? this.answer.add(content) : '';
  }
}
