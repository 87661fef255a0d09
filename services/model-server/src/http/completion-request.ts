import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { ChatMessage } from '../chat/chat-template';
import { anyObjectGrammar, jsonGrammar, SchemaError } from '../schema/json-grammar';
import { invalidRequest } from './api-error';

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const Message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.null(), z.array(TextPart)]).optional(),
});

const ResponseFormat = z.union([
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object'), schema: z.record(z.string(), z.unknown()).optional() }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
]);

/** What is read of a chat completions call. Members that change nothing here are passed over, as by other servers. */
const CompletionBody = z.object({
  messages: z.array(Message).min(1),
  max_tokens: z.int().min(-1).nullish(),
  max_completion_tokens: z.int().min(-1).nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  repeat_penalty: z.number().min(0).nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: ResponseFormat.nullish(),
  sse_ping_interval: z.number().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  tools: z.array(z.unknown()).nullish(),
  n: z.int().nullish(),
});

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  /** 0 only reads the prompt; null: no bound. */
  readonly maxTokens: number | null;
  readonly temperature: number;
  readonly topP: number;
  readonly repeatPenalty: number;
  readonly seed: number;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly grammar: string | null;
  /** Milliseconds between two signs of life while nothing is said. */
  readonly pingMs: number;
  readonly templateValues: Readonly<Record<string, unknown>>;
}

const SEEDS = 2 ** 31;
const PING_SECONDS = 5;
const SHORTEST_PING_SECONDS = 0.1;

const plainText = (content: z.infer<typeof Message>['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('');

/** -1, as some clients write it, is no bound. */
const boundOf = (value: number | null | undefined): number | null =>
  value === null || value === undefined || value < 0 ? null : value;

function grammarOf(format: z.infer<typeof ResponseFormat> | null | undefined): string | null {
  if (format === null || format === undefined || format.type === 'text') return null;
  const schema = format.type === 'json_schema' ? format.json_schema.schema : format.schema;
  try {
    return schema === undefined ? anyObjectGrammar() : jsonGrammar(schema);
  } catch (error) {
    if (error instanceof SchemaError) throw invalidRequest(`The json_schema cannot be enforced. ${error.message}`);
    throw error;
  }
}

/** @throws ApiError 400 for what is no such call, or one for something that this server cannot do. */
export function readCompletionRequest(text: string): CompletionRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidRequest('The body is no JSON.');
  }
  const parsed = CompletionBody.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalidRequest(`${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'does not match'}.`);
  }
  const { data } = parsed;
  if (data.stop !== null && data.stop !== undefined && data.stop.length > 0)
    throw invalidRequest('stop is not supported; leave it out.');
  if (data.tools !== null && data.tools !== undefined && data.tools.length > 0)
    throw invalidRequest('tools are not supported; leave them out.');
  if ((data.n ?? 1) !== 1) throw invalidRequest('n other than 1 is not supported; ask several times.');
  return {
    messages: data.messages.map(({ role, content }) => ({
      role: role === 'developer' ? 'system' : role,
      content: plainText(content),
    })),
    maxTokens: boundOf(data.max_completion_tokens) ?? boundOf(data.max_tokens),
    temperature: data.temperature ?? 0.8,
    topP: data.top_p ?? 0.95,
    repeatPenalty: data.repeat_penalty ?? 1,
    seed: boundOf(data.seed) ?? randomInt(SEEDS),
    stream: data.stream ?? false,
    includeUsage: data.stream_options?.include_usage ?? false,
    grammar: grammarOf(data.response_format),
    pingMs: Math.max(SHORTEST_PING_SECONDS, data.sse_ping_interval ?? PING_SECONDS) * 1000,
    templateValues: data.chat_template_kwargs ?? {},
  };
}
