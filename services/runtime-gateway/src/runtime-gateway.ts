import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { createContext, type GatewayContext } from './context';
import { chatRoute } from './routes/chat-route';
import { runtimeRoutes } from './routes/runtime-routes';

/**
 * Starts the gateway: contract section 8 in front of the provider that SIM_RUNTIME_ID names.
 * @throws PortTakenError when the port is taken.
 */
export async function startRuntimeGateway(
  config: GatewayConfig,
  logger: Logger,
  overrides: Partial<GatewayContext> = {},
): Promise<RunningService> {
  const context = createContext(config, logger, overrides);
  const service = await startHttpService({
    config: config.base,
    logger,
    handlers: { ...runtimeRoutes(context), ...chatRoute(context) },
  });
  return {
    port: service.port,
    async stop() {
      await service.close();
      await context.provider.close();
    },
  };
}
