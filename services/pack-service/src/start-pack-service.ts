import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import { migrate, openDatabase } from '@parley/shared/store';
import { syncPacks } from './catalogue/sync-packs';
import type { PackServiceConfig } from './config';
import { createPackContext, type PackContextOverrides } from './context';
import { PackImports } from './import/installing/pack-imports';
import { packHandlers } from './routes/handlers';
import { workbenchHandlers } from './workbench/handlers';

/** Starts pack-service: database, packs on disk, routes. It is ready when all packs are taken in. */
export async function startPackService(
  config: PackServiceConfig,
  logger: Logger,
  overrides: PackContextOverrides = {},
): Promise<RunningService & { readonly url: string }> {
  const database = await openDatabase({ dataDir: config.base.data_dir, url: config.base.database_url, logger });
  try {
    await migrate(database);
    const context = createPackContext(config, logger, database, overrides);
    await syncPacks(context);
    const imports = new PackImports(context);
    const handlers = { ...packHandlers(context, imports), ...workbenchHandlers(context) };
    const http = await startHttpService({ config: config.base, logger, handlers });
    return {
      port: http.port,
      url: http.url,
      stop: async () => {
        context.queue.stop();
        await imports.settled();
        await http.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
