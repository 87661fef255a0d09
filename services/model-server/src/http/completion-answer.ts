import { randomBytes } from 'node:crypto';
import type { Outcome } from '../engine/loaded-model';

const perSecond = (count: number, ms: number): number => (ms > 0 ? (count / ms) * 1000 : 0);

const usageOf = ({ cached, read, generated }: Outcome) => ({
  completion_tokens: generated,
  prompt_tokens: cached + read,
  total_tokens: cached + read + generated,
  prompt_tokens_details: { cached_tokens: cached },
});

const timingsOf = ({ cached, read, generated, readMs, generateMs }: Outcome) => ({
  cache_n: cached,
  prompt_n: read,
  prompt_ms: readMs,
  prompt_per_token_ms: read === 0 ? 0 : readMs / read,
  prompt_per_second: perSecond(read, readMs),
  predicted_n: generated,
  predicted_ms: generateMs,
  predicted_per_token_ms: generated === 0 ? 0 : generateMs / generated,
  predicted_per_second: perSecond(generated, generateMs),
});

/** Writes one answer in the OpenAI dialect, with llama.cpp's timings beside it. */
export class CompletionAnswer {
  private readonly id = `chatcmpl-${randomBytes(24).toString('base64url')}`;
  private readonly created = Math.floor(Date.now() / 1000);

  constructor(private readonly model: string) {}

  opening(): string {
    return this.chunk({ delta: { role: 'assistant', content: null } });
  }

  piece(content: string): string {
    return this.chunk({ delta: { content } });
  }

  /** The end of the stream: the reason, the counts when they were asked for, and the mark. */
  ending(outcome: Outcome, includeUsage: boolean): string {
    const timings = timingsOf(outcome);
    const last = this.chunk({ delta: {}, finish_reason: outcome.finish }, { timings });
    const usage = event({ ...this.head('chat.completion.chunk'), choices: [], usage: usageOf(outcome), timings });
    return `${last}${includeUsage ? usage : ''}data: [DONE]\n\n`;
  }

  /** The whole answer in one document. */
  whole(content: string, outcome: Outcome): unknown {
    return {
      ...this.head('chat.completion'),
      choices: [{ index: 0, finish_reason: outcome.finish, message: { role: 'assistant', content } }],
      usage: usageOf(outcome),
      timings: timingsOf(outcome),
    };
  }

  private head(object: string): Record<string, unknown> {
    return { id: this.id, object, created: this.created, model: this.model, system_fingerprint: 'parley' };
  }

  private chunk(choice: Record<string, unknown>, more: Record<string, unknown> = {}): string {
    return event({
      choices: [{ index: 0, finish_reason: null, ...choice }],
      ...this.head('chat.completion.chunk'),
      ...more,
    });
  }
}

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** An error in the middle of a stream; no end follows it. */
export const errorEvent = (body: unknown): string => event(body);
/** A sign of life that says nothing. */
export const PING = ':\n\n';
