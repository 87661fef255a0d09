import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import { startWithDatabase, type Database } from '@parley/shared/store';
import { syncPacks } from './catalogue/sync-packs';
import type { PackServiceConfig } from './config';
import { createContext, type ContextOverrides } from './context';
import { PackImports } from './import/installing/pack-imports';
import { startReader } from './reading/start-reader';
import { catalogueRoutes } from './routes/catalogue-routes';
import { packRoutes } from './routes/pack-routes';
import { workbenchRoutes } from './routes/workbench-routes';
import { PACK_SERVICE_ROUTES } from './routes/pack-service-routes';

type RunningPackService = RunningService & { readonly url: string };

/**
 * Starts pack-service: packs on disk, routes. It is ready when all packs are taken in, by this process or, where it only
 * reads, by the one that writes.
 * @throws DatabaseOpenError, PortTakenError
 */
export function startPackService(
  config: PackServiceConfig,
  logger: Logger,
  overrides: ContextOverrides = {},
): Promise<RunningPackService> {
  const { base, reader } = config;
  return startWithDatabase({ config: base, logger }, (database) =>
    reader === null
      ? startWriter(config, logger, database, overrides)
      : startReader({ ...config, reader }, logger, database),
  );
}

async function startWriter(
  config: PackServiceConfig,
  logger: Logger,
  database: Database,
  overrides: ContextOverrides,
): Promise<RunningPackService> {
  const context = createContext(config, logger, database, overrides);
  await syncPacks(context);
  const imports = new PackImports(context);
  const handlers = { ...catalogueRoutes(context), ...packRoutes(context, imports), ...workbenchRoutes(context) };
  const http = await startHttpService({ config: config.base, logger, routes: PACK_SERVICE_ROUTES, handlers });
  return {
    port: http.port,
    url: http.url,
    async stop() {
      context.queue.stop();
      await imports.settled();
      await http.close();
    },
  };
}
