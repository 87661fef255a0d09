import { RuntimeUnavailableError, ServiceError } from '@parley/shared/contracts';
import { SetUpError } from '../set-up-error';

export const LOCAL_SERVER_WORDS = {
  runtimeId: 'local_server',
  server: 'the local model server',
  startAdvice:
    'Start it from the models page or by hand, or check its address: under "Connect a model", or SIM_LOCAL_SERVER_BASE_URL.',
} as const;

interface ErrorObject {
  readonly type: string | null;
  /** Whether it says that the prompt is longer than the context, in whatever server's words. */
  readonly exceedsContext: boolean;
  readonly message: string;
  readonly promptTokens: number | null;
  readonly contextTokens: number | null;
}

const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** What an error body or event says, in the shapes that servers use: `{error: {…}}`, `{error: "…"}`, `{message}`, text. */
function errorObject(value: unknown): ErrorObject {
  const outer = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const error = outer['error'] ?? outer;
  const inner = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const type = inner['type'];
  const message = typeof error === 'string' ? error : inner['message'];
  const text = typeof message === 'string' ? message : '';
  return {
    exceedsContext:
      type === 'exceed_context_size_error' ||
      inner['code'] === 'context_length_exceeded' ||
      /exceed\w* (?:the )?(?:available |maximum |model'?s? )?context|maximum context length/i.test(text),
    // Only a word, never a sentence: a server may quote the prompt in its message.
    type: typeof type === 'string' && /^[a-z_]{1,60}$/i.test(type) ? type : null,
    message: text,
    promptTokens: numberOr(inner['n_prompt_tokens']),
    contextTokens: numberOr(inner['n_ctx']),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a refusal names a member that only llama.cpp knows. */
export function refusesMember(body: string, members: readonly string[]): boolean {
  const { message } = errorObject(parseJson(body));
  return members.some((member) => message.includes(member));
}

/**
 * An error answer, or an error event in the middle of a stream, in the gateway's terms. The server's own message is never
 * passed on, since it may quote the conversation; what is known about it is said in our words.
 * @param status The HTTP status; null for an event.
 */
export function completionError(status: number | null, body: unknown): ServiceError {
  const error = errorObject(body);
  if (status === 503 && /loading/i.test(error.message))
    return new RuntimeUnavailableError(
      'The local model server is still loading its model; try again in a moment.',
      'model_server_loading',
    );
  if (status === 503)
    return new RuntimeUnavailableError('The local model server is busy; try again in a moment.', 'model_server_busy');
  if (status === 401 || status === 403)
    return new SetUpError(
      'The local model server asks for another key; set SIM_LOCAL_SERVER_API_KEY to the one that it was started with.',
    );
  if (error.exceedsContext) {
    const { promptTokens, contextTokens } = error;
    const sizes =
      promptTokens === null || contextTokens === null
        ? "The prompt has more tokens than the model's context holds"
        : `The prompt has ${promptTokens} tokens and the model's context holds ${contextTokens}`;
    return new SetUpError(
      `${sizes}; set SIM_LOCAL_SERVER_CONTEXT_LENGTH to what the server was started with, or start it with a longer context.`,
    );
  }
  if (/chat.?template|jinja/i.test(error.message))
    return new SetUpError(
      'The model has no chat template that the local model server can use; load one that is made for chats ("instruct"), or start the server with a template of its own.',
    );
  if (/schema|grammar/i.test(error.message))
    return new SetUpError(
      'The local model server cannot enforce the form of the answer; set SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED to false or update it.',
    );
  if (status === 404)
    return new SetUpError(
      /model/i.test(error.message)
        ? 'The local model server does not know the model; set SIM_LOCAL_SERVER_MODEL_ID to one that it lists, or leave it out.'
        : 'The local model server has no chat completions call; check that SIM_LOCAL_SERVER_BASE_URL is its root address.',
    );
  const what = [status === null ? 'in the middle of its answer' : `with status ${status}`, error.type].filter(Boolean);
  return new ServiceError(
    'RUNTIME_ERROR',
    `The local model server reported an error ${what.join(', ')}; its log says more.`,
  );
}

/** An answer of status 200 that is no stream of completion chunks. */
export function notAStream(): ServiceError {
  return new ServiceError(
    'RUNTIME_ERROR',
    'The local model server did not answer with a stream of its chat; check that SIM_LOCAL_SERVER_BASE_URL is a chat server that can stream.',
  );
}
