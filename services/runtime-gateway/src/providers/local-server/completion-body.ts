import type { ChatRequest } from '@parley/shared/contracts';
import { enforceableSchema } from './enforceable-schema';
import type { RequestForm, SchemaForm } from './concessions';
import type { LocalServerSettings } from './local-server-settings';

/** The temperature of a chat request that names none: the default of ChatRequest. */
const DEFAULT_TEMPERATURE = 0.8;
/** Seconds between the comments that a server sends while it reads a long prompt: they keep the quiet timer calm. */
const PING_SECONDS = 5;
/** Smallest stretch of the prompt, in tokens, that is reused from the cache although it has moved. */
const CACHE_REUSE_TOKENS = 64;

/**
 * The body of a chat completions call. The schema goes into response_format.json_schema with strict false, where the
 * server takes it. Thinking is
 * switched off: a character that ponders in silence is a character that does not answer.
 */
export function completionBody(
  request: ChatRequest,
  settings: LocalServerSettings,
  form: RequestForm,
): Record<string, unknown> {
  const model = request.model_id ?? settings.model_id;
  const { json_schema: schema } = request;
  return {
    messages: request.messages,
    ...(model === null ? {} : { model }),
    max_tokens: request.max_tokens,
    temperature: request.temperature === DEFAULT_TEMPERATURE ? settings.temperature : request.temperature,
    top_p: settings.top_p,
    stream: true,
    ...(form.stream_options ? { stream_options: { include_usage: true } } : {}),
    ...(schema !== null && settings.json_schema_enabled ? responseFormat(schema, form.schema) : {}),
    ...(form.extensions
      ? {
          repeat_penalty: settings.repeat_penalty,
          cache_prompt: true,
          n_cache_reuse: CACHE_REUSE_TOKENS,
          return_progress: true,
          sse_ping_interval: PING_SECONDS,
          chat_template_kwargs: { enable_thinking: false },
        }
      : {}),
  };
}

function responseFormat(schema: Record<string, unknown>, form: SchemaForm): Record<string, unknown> {
  if (form === 'none') return {};
  if (form === 'json_object') return { response_format: { type: 'json_object' } };
  const enforceable = enforceableSchema(schema);
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema: enforceable } },
  };
}
