import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import { startWithDatabase } from '@parley/shared/store';
import { syncPacks } from './catalogue/sync-packs';
import type { PackServiceConfig } from './config';
import { createContext, type ContextOverrides } from './context';
import { PackImports } from './import/installing/pack-imports';
import { packRoutes } from './routes/pack-routes';
import { workbenchRoutes } from './routes/workbench-routes';

/**
 * Starts pack-service: packs on disk, routes. It is ready when all packs are taken in.
 * @throws DatabaseOpenError, PortTakenError
 */
export function startPackService(
  config: PackServiceConfig,
  logger: Logger,
  overrides: ContextOverrides = {},
): Promise<RunningService & { readonly url: string }> {
  return startWithDatabase({ config: config.base, logger }, async (database) => {
    const context = createContext(config, logger, database, overrides);
    await syncPacks(context);
    const imports = new PackImports(context);
    const handlers = { ...packRoutes(context, imports), ...workbenchRoutes(context) };
    const http = await startHttpService({ config: config.base, logger, handlers });
    return {
      port: http.port,
      url: http.url,
      async stop() {
        context.queue.stop();
        await imports.settled();
        await http.close();
      },
    };
  });
}
