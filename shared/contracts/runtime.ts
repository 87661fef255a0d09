import { z } from 'zod';
import { Timestamp } from './primitives';
import { ErrorCodeSchema } from './errors';

/** What a runtime can do and says of itself, as the gateway speaks it over HTTP (docs/interface.md, Runtimes). */
export const RuntimeCapabilities = z
  .object({
    streaming: z.boolean().describe('Sends token items while the model generates.'),
    json_schema: z.boolean().describe('Enforces json_schema of a chat request.'),
    grammar: z.boolean().describe('Enforces grammars.'),
    tool_calling: z.boolean().describe('Calls tools.'),
    embeddings: z.boolean().describe('Computes embeddings.'),
  })
  .describe('What a runtime can do.');
export type RuntimeCapabilities = z.infer<typeof RuntimeCapabilities>;

export const RuntimeInfo = z
  .object({
    id: z.string().describe('Stable id, for example fake, local_server, local_native.'),
    display_name: z.string().describe('Name for people.'),
    capabilities: RuntimeCapabilities,
  })
  .describe('The active runtime.');
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

export const RuntimeStatus = z
  .enum(['UNAVAILABLE', 'STARTING', 'READY', 'DEGRADED', 'ERROR'])
  .describe('Whether the runtime can answer.');
export type RuntimeStatus = z.infer<typeof RuntimeStatus>;

export const RuntimeHealth = z
  .object({
    runtime_id: z.string().describe('Id of the runtime.'),
    runtime_name: z.string().describe('Name of the runtime for people.'),
    status: RuntimeStatus,
    model_id: z.string().nullable().describe('The model that would answer; null when unknown.'),
    latency_ms: z.number().nullable().describe('How long the probe took, in milliseconds.'),
    message: z.string().nullable().describe('What is wrong and what to do next; null when all is well.'),
    checked_at: Timestamp.describe('When this was found out.'),
  })
  .describe('Health of the model runtime.');
export type RuntimeHealth = z.infer<typeof RuntimeHealth>;

export const RuntimeModel = z
  .object({
    id: z.string().describe('Model id, as chat requests name it.'),
    name: z.string().describe('Name for people.'),
    context_length: z.int().nullable().describe('Context length in tokens; null when unknown.'),
    size_bytes: z.int().nullable().describe('Size on disk in bytes; null when unknown.'),
    loaded: z.boolean().describe('Whether it is in memory now.'),
  })
  .describe('A model that the runtime lists.');
export type RuntimeModel = z.infer<typeof RuntimeModel>;

export const RuntimeModels = z
  .object({ models: z.array(RuntimeModel).describe('The models, in the order of the runtime.') })
  .describe('The models of the active runtime.');
export type RuntimeModels = z.infer<typeof RuntimeModels>;

export const ChatMessage = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant']).describe('Who speaks.'),
    content: z.string().describe('The text.'),
  })
  .describe('A message of a chat.');
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ChatRequest = z
  .strictObject({
    messages: z.array(ChatMessage).min(1).max(1000).describe('The conversation, oldest first.'),
    model_id: z.string().min(1).max(300).nullable().default(null).describe('null: the runtime picks the loaded model.'),
    max_tokens: z.int().min(1).max(131072).default(512).describe('Upper bound of generated tokens.'),
    temperature: z.number().min(0).max(5).default(0.8).describe('Sampling temperature.'),
    json_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .default(null)
      .describe('JSON Schema of the answer; enforced when the runtime supports it.'),
    cue: z
      .strictObject({
        text: z.string().min(1).max(4000).describe('What it says.'),
        emotion: z.string().nullable().describe('How the character feels; null: the demo voice chooses.'),
      })
      .optional()
      .describe("The author's line for the demo voice; every other runtime ignores it."),
  })
  .describe('A chat request.');
export type ChatRequest = z.infer<typeof ChatRequest>;
export type ChatRequestInput = z.input<typeof ChatRequest>;

export const AFFINITY_HEADER = 'x-parley-affinity';

export const AffinityHeaders = z.object({
  [AFFINITY_HEADER]: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Names the talk. A runtime of several model servers keeps a talk at one of them, where its prompt is cached; without it any server answers.',
    ),
});

export const ChatToken = z
  .object({
    type: z.literal('token').describe('More follows.'),
    text: z.string().describe('A piece of the answer.'),
  })
  .describe('A piece of the answer, as it is generated.');

export const ChatUsage = z
  .object({
    prompt_tokens_cached: z.int().nullable().describe('Prompt tokens that the server had cached.'),
    prompt_tokens_evaluated: z.int().nullable().describe('Prompt tokens that the server evaluated.'),
  })
  .describe('What the prompt cost; an extension.');

export const ChatFinal = z
  .object({
    type: z.literal('final').describe('Nothing follows.'),
    text: z.string().describe('The whole text; authoritative: never append tokens to it.'),
    model_id: z.string().describe('The model that answered.'),
    input_tokens: z.int().nullable().describe('Prompt tokens; null when the server does not say.'),
    output_tokens: z.int().nullable().describe('Generated tokens; null when the server does not say.'),
    structured: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The parsed JSON when a schema was given and parsing succeeded, else null.'),
    finish_reason: z
      .enum(['stop', 'length'])
      .optional()
      .describe('length: cut by max_tokens or the context; an extension.'),
    usage: ChatUsage.optional(),
    demo: z.literal(true).optional().describe('The demo voice answered, no model; an extension.'),
  })
  .describe('The answer whole, and what it cost.');
export type ChatFinal = z.infer<typeof ChatFinal>;

export const ChatError = z
  .object({
    type: z.literal('error').describe('Nothing follows.'),
    code: ErrorCodeSchema,
    message: z.string().describe('What went wrong and what to do next.'),
  })
  .describe('The answer broke off.');

/** One line of the NDJSON answer: tokens, then exactly one final or error. */
export const ChatItem = z
  .discriminatedUnion('type', [ChatToken, ChatFinal, ChatError])
  .describe('One line of the answer: tokens, then exactly one final or error.');
export type ChatItem = z.infer<typeof ChatItem>;

export const InstallStatus = z
  .enum(['queued', 'downloading', 'verifying', 'installed', 'failed', 'cancelled'])
  .describe('How far the install is.');

export const ModelInstall = z
  .object({
    id: z.string().describe('Id of the install.'),
    model_id: z.string().describe('The model that it installs.'),
    status: InstallStatus,
    bytes_done: z.int().min(0).describe('Bytes that are here.'),
    bytes_total: z.int().nullable().describe('Bytes in all; null while unknown.'),
    message: z.string().nullable().describe('What went wrong and what to do next.'),
  })
  .describe('An install of a model.');
export type ModelInstall = z.infer<typeof ModelInstall>;

export const InstallModelRequest = z
  .union([
    z.strictObject({ pull: z.string().min(1).max(300).describe('Name in the registry of the native server.') }),
    z.strictObject({
      url: z.string().min(1).max(2000).describe('Address of a GGUF file.'),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
        .optional()
        .describe('What the file must hash to.'),
    }),
    z.strictObject({ file: z.string().min(1).max(2000).describe('Path of a GGUF file on this machine.') }),
  ])
  .describe('Exactly one of pull, url, file.');
export type InstallModelRequest = z.infer<typeof InstallModelRequest>;

export const ModelInstallAnswer = z.object({ install: ModelInstall }).describe('The install that has begun.');
export const ModelInstallList = z
  .object({ installs: z.array(ModelInstall).describe('Newest first.') })
  .describe('Installs of models.');

export const ModelList = z
  .object({
    runtime_id: z.string().describe('The active runtime.'),
    active_model_id: z.string().nullable().describe('The model that plays; null when unknown.'),
    models: z.array(RuntimeModel).describe('In the order of the runtime.'),
  })
  .describe('The models of the active runtime.');
export type ModelList = z.infer<typeof ModelList>;

export const Sidecar = z
  .object({
    status: z.enum(['stopped', 'starting', 'running', 'failed']).describe('How it stands.'),
    pid: z.int().nullable().describe('Process id while it runs.'),
    command: z.string().describe('The command that is run.'),
    port: z.int().describe('The port of the model server.'),
    model_id: z.string().nullable().describe('The model that was asked for.'),
    started_at: Timestamp.nullable().describe('When it was started; null while it does not run.'),
    last_exit: z
      .object({
        code: z.int().nullable().describe('Exit code.'),
        signal: z.string().nullable().describe('Signal that ended it.'),
        at: Timestamp,
        message: z.string().nullable().describe('What it means and what to do next.'),
      })
      .nullable()
      .describe('How the last run ended.'),
  })
  .describe('The local model server process.');
export type Sidecar = z.infer<typeof Sidecar>;

export const StartSidecarRequest = z
  .strictObject({ model_id: z.string().min(1).max(300).optional().describe('Which installed model to load.') })
  .describe('What to start the model server with.');

export const SidecarLog = z
  .object({ lines: z.array(z.string()).describe('The last 200 lines, oldest first.') })
  .describe('What the model server wrote.');

export const SuggestedModel = z
  .object({
    name: z.string().describe('Name for people.'),
    memory_gb: z.int().describe('Gigabytes of memory of a machine that it suits.'),
    license: z.string().describe('SPDX id of its licence.'),
    size_gb: z.number().describe('What has to be fetched, in gigabytes, about.'),
    pull: z.string().describe('What to pull with the runtime local_native.'),
    gguf: z
      .object({
        repository: z.string().describe('Where its makers publish it.'),
        file: z.string().describe('Name of the file, which becomes the id of the model.'),
        url: z.string().describe('What to install by address; begins with https://.'),
        size_bytes: z.int().describe('What has to be fetched, in bytes.'),
        sha256: z.string().nullable().describe('What the file hashes to; null when that is not known.'),
      })
      .nullable()
      .describe('The GGUF file of its makers for local_server; null when they publish none.'),
    note: z.string().describe('What to expect of it.'),
  })
  .describe('An openly licensed model that suits a machine of some size.');
export type SuggestedModel = z.infer<typeof SuggestedModel>;

export const SuggestedModels = z
  .object({
    models: z
      .array(SuggestedModel)
      .describe('From small to large. Nothing of them is fetched until somebody installs one.'),
  })
  .describe('Models for machines of different size.');
