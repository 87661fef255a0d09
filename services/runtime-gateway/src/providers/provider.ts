import type {
  ChatRequest,
  ChatFinal,
  ChatToken,
  RuntimeCapabilities,
  RuntimeHealth,
  RuntimeModel,
} from '@parley/shared/contracts';
import type { EnvironmentReader, Logger } from '@parley/shared/service';
import type { z } from 'zod';

/** What a chat yields: tokens, then exactly one final. Failures are thrown. */
export type GeneratedItem = z.infer<typeof ChatToken> | z.infer<typeof ChatFinal>;

/** Progress of a pull by the runtime itself, in bytes over all layers. */
export interface PullProgress {
  readonly phase: 'downloading' | 'verifying';
  readonly bytes_done: number;
  readonly bytes_total: number | null;
}

/** One model server of several. */
export interface ServerLoad {
  /** Without the name and password in it. */
  readonly address: string;
  /** Chats, and prompts that are read ahead. */
  readonly running: number;
  /** Whether it is given any. */
  readonly is_well: boolean;
}

/**
 * A kind of model server (docs/interface.md, Runtimes). All failures are ServiceErrors: RUNTIME_UNAVAILABLE when it
 * cannot be reached or the connection is lost, TURN_TIMEOUT when it is silent for too long, RUNTIME_ERROR when it answers
 * with an error or with something that is no stream of it.
 */
export interface Provider {
  /** Stable string; a value of SIM_RUNTIME_ID and of a choice. */
  readonly id: string;
  readonly display_name: string;
  readonly capabilities: RuntimeCapabilities;
  /** Whether it can load the GGUF files of the models folder: they can be installed for it. */
  readonly uses_model_files?: boolean;
  /** In the order of the runtime; empty when it has none. */
  listModels(): Promise<RuntimeModel[]>;
  /**
   * Generates. The final's text is the whole text and equals the tokens joined. When the signal aborts, the connection to
   * the runtime is closed at once and the iteration throws. What is not pulled is not read from the runtime.
   * @param talk Names the talk that this belongs to, for a runtime of several servers; null when nobody says.
   */
  chatStream(request: ChatRequest, signal: AbortSignal, talk: string | null): AsyncIterable<GeneratedItem>;
  /** Never throws: a runtime that is down is an answer. */
  health(): Promise<RuntimeHealth>;
  /** The servers that it divides its work between; absent when it has one. */
  readonly servers?: readonly ServerLoad[];
  /** Reads a prompt into the cache where a chat of the same talk would look; absent when the runtime cannot. */
  prewarm?(request: ChatRequest, signal: AbortSignal, talk: string | null): Promise<void>;
  /** Has the runtime fetch a model from its own registry; absent when it has none. */
  pull?(name: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal): Promise<void>;
  /** Deletes a model that the runtime stores; absent when it stores none. */
  deleteModel?(id: string): Promise<void>;
  close(): Promise<void>;
}

/** What the gateway lends to a provider. */
export interface ProviderSurroundings {
  readonly logger: Logger;
  readonly now: () => Date;
  /** GGUF files in the models folder, as models that are not loaded. */
  readonly installedModels: () => Promise<RuntimeModel[]>;
  /** The key of the model server at this address, where it is the sidecar and was started with one; else null. */
  readonly serverKey: (baseUrl: string) => string | null;
}

/** What a person chose of a runtime; what is left out is the runtime's own, or what the environment says. */
export interface ChosenServer {
  /** Without a slash at its end. */
  readonly base_url?: string;
  readonly model_id?: string;
}

/** Makes a provider. What the environment sets was taken out of `chosen` before: it wins. */
type CreateProvider = (surroundings: ProviderSurroundings, chosen: ChosenServer) => Provider;

/** A provider as the environment configures it. */
export interface ConfiguredProvider {
  readonly create: CreateProvider;
  /** Where it is asked unless an address is chosen; null when it has none, or several. */
  readonly base_url: string | null;
  /** The key that a person has set for its server; absent without one. */
  readonly api_key?: string | null;
}

/**
 * How a provider enters the registry: it reads its settings once, at start, and makes itself when it becomes the active one.
 * `configure` throws a ConfigError for a bad value, also when the provider is not the active one.
 */
export interface ProviderDefinition {
  readonly id: string;
  /** The variable that sets each part of a choice, where there is one. */
  readonly variables: { readonly [Part in keyof ChosenServer]?: string };
  configure(reader: EnvironmentReader): ConfiguredProvider;
}
