import { StartError } from '@parley/shared/contracts';
import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import type { Database } from '@parley/shared/store';
import { createCatalogue } from '../catalogue/catalogue';
import { isReadableFolder, type PackServiceConfig, type ReaderConfig } from '../config';
import { catalogueRoutes } from '../routes/catalogue-routes';
import { askWriter } from './ask-writer';
import { packsAreThere } from './packs-are-there';
import { PACK_SERVICE_ROUTES } from '../routes/pack-service-routes';

/**
 * Starts a pack-service that only reads: it answers out of the tables that the writer fills and the folder in which the
 * writer's packs lie, changes neither, and passes everything else on. It listens once the writer has filled the tables.
 * @throws PortTakenError; StartError when there is no such folder
 */
export async function startReader(
  config: PackServiceConfig & { readonly reader: ReaderConfig },
  logger: Logger,
  database: Database,
): Promise<RunningService & { readonly url: string }> {
  const { base, reader } = config;
  await packsAreThere(database, logger);
  // Not looked for earlier: the first start of the writer makes it.
  if (!isReadableFolder(reader.packs_dir))
    throw new StartError(
      `The folder ${reader.packs_dir}, which SIM_PACKS_DIR names, cannot be read: mount it there, or name the folder packs in the data folder of the pack-service that writes.`,
    );
  const folders = { builtIn: config.built_in_packs_dir, installed: reader.packs_dir };
  const http = await startHttpService({
    config: base,
    logger,
    routes: PACK_SERVICE_ROUTES,
    handlers: catalogueRoutes({ catalogue: createCatalogue(database), folders }),
    writer: askWriter(reader.writer_url, base.peer_timeout_ms),
  });
  return { port: http.port, url: http.url, stop: () => http.close() };
}
