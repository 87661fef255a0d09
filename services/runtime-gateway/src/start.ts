import { GATEWAY_ROUTES, MODEL_ROUTES, CHOICE_ROUTES } from '@parley/shared/contracts';
import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import type { GatewayConfig } from './config';
import { readStoredChoice } from '@parley/shared/stored-choice';
import { createContext, type ContextOverrides } from './context';
import { chatRoute } from './routes/chat-route';
import { choiceRoutes } from './routes/choice-routes';
import { modelRoutes } from './routes/model-routes';
import { modelServerRoutes } from './routes/model-server-routes';
import { prewarmRoute } from './routes/prewarm-route';
import { runtimeRoutes } from './routes/runtime-routes';
import { sidecarRoutes } from './routes/sidecar-routes';

/**
 * Starts the gateway: the gateway contract (docs/gateway/README.md, The contract) in front of the runtime that
 * SIM_RUNTIME_ID names or that was chosen, the model installs and the local model server. The choice is read once,
 * before anything is answered: no other runtime plays meanwhile.
 * @throws PortTakenError when the port is taken; StartError when the choice cannot be read.
 */
export async function startRuntimeGateway(
  config: GatewayConfig,
  logger: Logger,
  overrides: ContextOverrides = {},
): Promise<RunningService> {
  const { data_dir: dataDir, database_url: url } = config.base;
  const stored = config.runtimes.fixed_id === null ? await readStoredChoice({ dataDir, url }) : null;
  const context = createContext(config, logger, stored, overrides);
  const service = await startHttpService({
    config: config.base,
    logger,
    metrics: context.metrics,
    routes: { ...GATEWAY_ROUTES, ...MODEL_ROUTES, ...CHOICE_ROUTES },
    handlers: {
      ...runtimeRoutes(context),
      ...choiceRoutes(context),
      ...chatRoute(context),
      ...prewarmRoute(context),
      ...modelRoutes(context),
      ...sidecarRoutes(context),
      ...modelServerRoutes(context),
    },
  });
  // Only the gateway that has the port may touch what an earlier one left.
  context.sidecar.sweep();
  void context.sidecar.resume();
  context.installs.resume();
  return {
    port: service.port,
    async stop() {
      await service.close();
      await Promise.all([context.installs.close(), context.modelServer.cancel(), context.sidecar.close()]);
      await context.runtime.close();
    },
  };
}
