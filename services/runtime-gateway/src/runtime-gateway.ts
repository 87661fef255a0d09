import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { createContext, type GatewayContext } from './context';
import { chatRoute } from './routes/chat-route';
import { modelRoutes } from './routes/model-routes';
import { prewarmRoute } from './routes/prewarm-route';
import { runtimeRoutes } from './routes/runtime-routes';
import { sidecarRoutes } from './routes/sidecar-routes';

/**
 * Starts the gateway: contract section 8 in front of the provider that SIM_RUNTIME_ID names, the model installs and the
 * local model server.
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
    metrics: context.metrics,
    handlers: {
      ...runtimeRoutes(context),
      ...chatRoute(context),
      ...prewarmRoute(context),
      ...modelRoutes(context),
      ...sidecarRoutes(context),
    },
  });
  // Only the gateway that has the port may touch what an earlier one left.
  context.sidecar.sweep();
  context.installs.resume();
  return {
    port: service.port,
    async stop() {
      await service.close();
      await Promise.all([context.installs.close(), context.sidecar.close()]);
      await context.provider.close();
    },
  };
}
