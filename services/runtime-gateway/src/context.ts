import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { RuntimeChoice, SuggestedModel } from '@parley/shared/contracts';
import { createMetrics, KeptAnswers, memoryShelf, type Logger, type Metrics } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { createGenerationMetrics, type GenerationMetrics } from './generation/generation-metrics';
import { GenerationSlots } from './generation/generation-slots';
import { LastChat } from './generation/last-chat';
import { systemLookup, type HostLookup } from './models/checked-lookup';
import { freeBytesOf, type FreeBytes } from './models/free-space';
import { ModelFiles } from './models/model-files';
import { ModelInstalls } from './models/model-installs';
import { ModelServerInstall } from './model-server/model-server-install';
import type { Provider } from './providers/provider';
import { ActiveRuntime } from './runtime/active-runtime';
import { USUAL_PLACES, type Place } from './runtime/usual-places';
import { machineNow, type MachineNow } from './models/machine';
import { SUGGESTED_MODELS } from './models/suggested-models';
import { Sidecar } from './sidecar/sidecar';

/** Everything that the routes work with. */
export interface GatewayContext {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Resolves the names of hosts that models are fetched from. */
  readonly lookup: HostLookup;
  /** What is free on the disk that models go to. */
  readonly freeBytes: FreeBytes;
  readonly modelFiles: ModelFiles;
  readonly modelServer: ModelServerInstall;
  readonly sidecar: Sidecar;
  readonly runtime: ActiveRuntime;
  /** Where model servers are looked for. */
  readonly places: readonly Place[];
  readonly machine: MachineNow;
  /** Which models are offered. Part of the context, not of the environment: only a test can offer others. */
  readonly suggested: readonly SuggestedModel[];
  readonly installs: ModelInstalls;
  /** Answers by Idempotency-Key. In memory: the gateway has no database, and needs none to run alone. */
  readonly answers: KeptAnswers;
  readonly slots: GenerationSlots;
  readonly lastChat: LastChat;
  readonly metrics: Metrics;
  readonly generationMetrics: GenerationMetrics;
}

/** What tests put in the place of parts of the context; a provider stands for whatever would be chosen at start. */
export type ContextOverrides = Partial<GatewayContext> & { readonly provider?: Provider };

/**
 * Builds the context; tests pass parts of their own.
 * @param stored What was chosen before the start, for a process that SIM_RUNTIME_ID leaves the choice.
 */
export function createContext(
  config: GatewayConfig,
  logger: Logger,
  stored: RuntimeChoice | null,
  overrides: ContextOverrides = {},
): GatewayContext {
  const subsystem = (name: string): Logger => logger.child({ subsystem: name });
  const now = overrides.now ?? (() => new Date());
  const newId = overrides.newId ?? randomUUID;
  const lookup = overrides.lookup ?? systemLookup;
  const freeBytes = overrides.freeBytes ?? freeBytesOf;
  const modelFiles = overrides.modelFiles ?? new ModelFiles(path.join(config.base.data_dir, 'models'));
  const modelServer =
    overrides.modelServer ??
    new ModelServerInstall({ environment: config.sidecar.environment, logger: subsystem('model_server'), now });
  const sidecar =
    overrides.sidecar ??
    new Sidecar({
      settings: config.sidecar,
      dataDir: config.base.data_dir,
      files: modelFiles,
      bundledCommand: () => modelServer.command,
      logger: subsystem('sidecar'),
      now,
    });
  const lastChat = overrides.lastChat ?? new LastChat();
  const runtime =
    overrides.runtime ??
    new ActiveRuntime({
      runtimes: config.runtimes,
      surroundings: {
        logger: subsystem('provider'),
        now,
        installedModels: () => modelFiles.list(),
        serverKey: (baseUrl) => (baseUrl === config.sidecar.base_url ? sidecar.serverKey : null),
      },
      logger: subsystem('runtime'),
      stored,
      // Another runtime: what the one before refused says nothing about it.
      onChange: () => lastChat.succeeded(),
      ...(overrides.provider === undefined ? {} : { provider: overrides.provider }),
    });
  const installs =
    overrides.installs ??
    new ModelInstalls({ files: modelFiles, runtime, logger: subsystem('installs'), newId, lookup, freeBytes });
  const answers = overrides.answers ?? new KeptAnswers(memoryShelf(), now);
  const slots = overrides.slots ?? new GenerationSlots(config.generation);
  const metrics = overrides.metrics ?? createMetrics('runtime_gateway');
  const generationMetrics =
    overrides.generationMetrics ?? createGenerationMetrics(metrics.registry, slots, () => runtime.provider);
  return {
    config,
    logger,
    now,
    newId,
    lookup,
    freeBytes,
    modelFiles,
    modelServer,
    sidecar,
    runtime,
    places: overrides.places ?? USUAL_PLACES,
    machine: overrides.machine ?? machineNow,
    suggested: overrides.suggested ?? SUGGESTED_MODELS,
    installs,
    answers,
    slots,
    lastChat,
    metrics,
    generationMetrics,
  };
}
