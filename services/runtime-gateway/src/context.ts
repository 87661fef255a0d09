import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createMetrics, KeptAnswers, memoryShelf, type Logger, type Metrics } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { createGenerationMetrics, type GenerationMetrics } from './generation/generation-metrics';
import { GenerationSlots } from './generation/generation-slots';
import { LastChat } from './generation/last-chat';
import { systemLookup, type HostLookup } from './models/checked-lookup';
import { freeBytesOf, type FreeBytes } from './models/free-space';
import { ModelFiles } from './models/model-files';
import { ModelInstalls } from './models/model-installs';
import type { Provider } from './providers/provider';
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
  readonly sidecar: Sidecar;
  readonly provider: Provider;
  readonly installs: ModelInstalls;
  /** Answers by Idempotency-Key. In memory: the gateway has no database, and needs none to run alone. */
  readonly answers: KeptAnswers;
  readonly slots: GenerationSlots;
  readonly lastChat: LastChat;
  readonly metrics: Metrics;
  readonly generationMetrics: GenerationMetrics;
}

/** Builds the context; tests pass parts of their own. */
export function createContext(
  config: GatewayConfig,
  logger: Logger,
  overrides: Partial<GatewayContext> = {},
): GatewayContext {
  const subsystem = (name: string): Logger => logger.child({ subsystem: name });
  const now = overrides.now ?? (() => new Date());
  const newId = overrides.newId ?? randomUUID;
  const lookup = overrides.lookup ?? systemLookup;
  const freeBytes = overrides.freeBytes ?? freeBytesOf;
  const modelFiles = overrides.modelFiles ?? new ModelFiles(path.join(config.base.data_dir, 'models'));
  const sidecar =
    overrides.sidecar ??
    new Sidecar({
      settings: config.sidecar,
      dataDir: config.base.data_dir,
      files: modelFiles,
      logger: subsystem('sidecar'),
      now,
    });
  const provider =
    overrides.provider ??
    config.createProvider({
      logger: subsystem('provider'),
      now,
      installedModels: () => modelFiles.list(),
      serverKey: () => sidecar.serverKey,
    });
  const installs =
    overrides.installs ??
    new ModelInstalls({ files: modelFiles, provider, logger: subsystem('installs'), newId, lookup, freeBytes });
  const answers = overrides.answers ?? new KeptAnswers(memoryShelf(), now);
  const slots = overrides.slots ?? new GenerationSlots(config.generation);
  const metrics = overrides.metrics ?? createMetrics('runtime_gateway');
  const generationMetrics = overrides.generationMetrics ?? createGenerationMetrics(metrics.registry, slots);
  return {
    config,
    logger,
    now,
    newId,
    lookup,
    freeBytes,
    modelFiles,
    sidecar,
    provider,
    installs,
    answers,
    slots,
    lastChat: overrides.lastChat ?? new LastChat(),
    metrics,
    generationMetrics,
  };
}
