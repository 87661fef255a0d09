import { randomUUID } from 'node:crypto';
import type { Logger } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { GenerationSlots } from './generation/generation-slots';
import type { Provider } from './providers/provider';

/** Everything that the routes work with. */
export interface GatewayContext {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly provider: Provider;
  readonly slots: GenerationSlots;
}

/** Builds the context; tests pass parts of their own. */
export function createContext(
  config: GatewayConfig,
  logger: Logger,
  overrides: Partial<GatewayContext> = {},
): GatewayContext {
  const now = overrides.now ?? (() => new Date());
  const provider =
    overrides.provider ??
    config.createProvider({
      logger: logger.child({ subsystem: 'provider' }),
      now,
      installedModels: () => Promise.resolve([]),
      serverKey: () => null,
    });
  return {
    config,
    logger,
    now,
    newId: overrides.newId ?? randomUUID,
    provider,
    slots: overrides.slots ?? new GenerationSlots(config.generation),
  };
}
