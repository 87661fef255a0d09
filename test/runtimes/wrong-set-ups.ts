/** A model server that is set up wrongly, and what a person is told to do about it. */
export interface WrongSetUp {
  readonly what: string;
  /** How the server refuses every chat. */
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  /** The same words in health, in the doctor and on the page. */
  readonly sentence: string;
}

const ASKS_FOR_A_KEY =
  'The local model server asks for another key; set SIM_LOCAL_SERVER_API_KEY to the one that it was started with.';
const KNOWS_NO_MODEL =
  'The local model server does not know the model; set SIM_LOCAL_SERVER_MODEL_ID to one that it lists, or leave it out.';
const SET_THE_CONTEXT =
  'set SIM_LOCAL_SERVER_CONTEXT_LENGTH to what the server was started with, or start it with a longer context.';

/** What llama.cpp's server and its relatives answer, each as one of them words it. */
export const WRONG_SET_UPS: readonly WrongSetUp[] = [
  {
    what: 'no key',
    status: 401,
    error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' },
    sentence: ASKS_FOR_A_KEY,
  },
  {
    what: 'a key without the right to chat',
    status: 403,
    error: { code: 403, message: 'Forbidden', type: 'permission_error' },
    sentence: ASKS_FOR_A_KEY,
  },
  {
    what: 'a model that it does not have',
    status: 404,
    error: { message: 'The model `large` does not exist.', type: 'invalid_request_error', code: 'model_not_found' },
    sentence: KNOWS_NO_MODEL,
  },
  {
    what: 'an address with a path too much',
    status: 404,
    error: { code: 404, message: 'File Not Found', type: 'not_found_error' },
    sentence:
      'The local model server has no chat completions call; check that SIM_LOCAL_SERVER_BASE_URL is its root address.',
  },
  {
    what: 'a context that is too small',
    status: 400,
    error: {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 2604,
      n_ctx: 2048,
    },
    sentence: `The prompt has 2604 tokens and the model's context holds 2048; ${SET_THE_CONTEXT}`,
  },
  {
    what: 'a context that is too small, in the words of another server',
    status: 400,
    error: {
      message: "This model's maximum context length is 2048 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
    sentence: `The prompt has more tokens than the model's context holds; ${SET_THE_CONTEXT}`,
  },
  {
    what: 'a schema that it cannot enforce in any form',
    status: 400,
    error: { code: 400, message: 'failed to parse grammar', type: 'invalid_request_error' },
    sentence:
      'The local model server cannot enforce the form of the answer; set SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED to false or update it.',
  },
  {
    what: 'a model without a chat template',
    status: 500,
    error: { code: 500, message: 'this model has no chat template', type: 'server_error' },
    sentence:
      'The model has no chat template that the local model server can use; load one that is made for chats ("instruct"), or start the server with a template of its own.',
  },
];

/** A server that takes less than it is asked with: Parley asks with less, and the play goes on. */
export interface LesserServer {
  readonly what: string;
  /** Whether it refuses a request, and with what words. */
  refuses(request: string): string | null;
  /** How often it is asked until it has answered once. */
  readonly tries: number;
}

export const LESSER_SERVERS: readonly LesserServer[] = [
  {
    what: 'no schema, but any JSON object',
    refuses: (request) => (request.includes('"json_schema"') ? 'response_format.type must be json_object' : null),
    tries: 2,
  },
  {
    what: 'no response_format at all',
    refuses: (request) => (request.includes('"response_format"') ? 'response_format is not supported' : null),
    tries: 3,
  },
  {
    what: 'no stream_options',
    refuses: (request) => (request.includes('"stream_options"') ? 'Unknown parameter: stream_options' : null),
    tries: 2,
  },
  {
    what: 'nothing that only llama.cpp knows',
    refuses: (request) => (request.includes('"cache_prompt"') ? 'Unrecognized request argument: cache_prompt' : null),
    tries: 2,
  },
];
