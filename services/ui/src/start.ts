import { startHttpService, type Logger, type RunningService } from '@parley/shared/service';
import type { UiConfig } from './config';
import { readPageFiles } from './routes/page-files';
import { servePage } from './routes/serve-page';

/**
 * Starts the server of the page. It has no routes of its own in the route table: probes, guard, request ids and problem
 * documents come from the harness.
 * @throws StartError when the page is not built, PortTakenError when the port is.
 */
export async function startUi(config: UiConfig, logger: Logger): Promise<RunningService & { readonly url: string }> {
  const page = readPageFiles(config.page_dir, config.api_port);
  const http = await startHttpService({
    config: config.base,
    logger,
    routes: {},
    extra: [servePage(page, config.api_port)],
  });
  return { port: http.port, url: http.url, stop: () => http.close() };
}
