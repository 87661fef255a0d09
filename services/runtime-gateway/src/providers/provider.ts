import type {
  ChatRequest, ChatFinal, ChatToken, RuntimeCapabilities, RuntimeHealth, RuntimeModel,
} from '@parley/shared/contracts'; // prettier-ignore
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

/**
 * A kind of model server (interface, "Runtime contract"). All failures are ServiceErrors: RUNTIME_UNAVAILABLE when it
 * cannot be reached or the connection is lost, TURN_TIMEOUT when it is silent for too long, RUNTIME_ERROR when it answers
 * with an error or with something that is no stream of it.
 */
export interface Provider {
  /** Stable string; the value of SIM_RUNTIME_ID. */
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
   */
  chatStream(request: ChatRequest, signal: AbortSignal): AsyncIterable<GeneratedItem>;
  /** Never throws: a runtime that is down is an answer. */
  health(): Promise<RuntimeHealth>;
  /** Reads a prompt into the runtime's cache without generating; absent when the runtime cannot. */
  prewarm?(request: ChatRequest, signal: AbortSignal): Promise<void>;
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
  /** The key that the sidecar was started with; null without one. */
  readonly serverKey: () => string | null;
}

/**
 * How a provider enters the registry: it reads its settings once, at start, and makes itself when it is the active one.
 * `configure` throws a ConfigError for a bad value, also when the provider is not the active one.
 */
export interface ProviderDefinition {
  readonly id: string;
  configure(reader: EnvironmentReader): (surroundings: ProviderSurroundings) => Provider;
}
