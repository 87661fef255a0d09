import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createMetrics, type Logger, type Metrics } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { createGenerationMetrics, type GenerationMetrics } from './generation/generation-metrics';
import { GenerationSlots } from './generation/generation-slots';
import { systemLookup, type HostLookup } from './models/checked-lookup';
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
  readonly modelFiles: ModelFiles;
  readonly sidecar: Sidecar;
  readonly provider: Provider;
  readonly installs: ModelInstalls;
  readonly slots: GenerationSlots;
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
    new ModelInstalls({ files: modelFiles, provider, logger: subsystem('installs'), newId, lookup });
  const slots = overrides.slots ?? new GenerationSlots(config.generation);
  const metrics = overrides.metrics ?? createMetrics('runtime_gateway');
  const generationMetrics = overrides.generationMetrics ?? createGenerationMetrics(metrics.registry, slots);
  return {
    config,
    logger,
    now,
    newId,
    lookup,
    modelFiles,
    sidecar,
    provider,
    installs,
    slots,
    metrics,
    generationMetrics,
  };
}
