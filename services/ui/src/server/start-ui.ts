import { startHttpService, type HttpService, type Logger } from '@parley/shared/service';
import type { UiConfig } from '../config';
import { readPageFiles } from './page-files';
import { servePage } from './serve-page';

/**
 * Starts the server of the page. It has no routes of its own in the route table: probes, guard, request ids and problem
 * documents come from the harness.
 * @throws StartError when the page is not built, PortTakenError when the port is.
 */
export function startUi(config: UiConfig, logger: Logger): Promise<HttpService> {
  const page = readPageFiles(config.page_dir, config.api_port);
  return startHttpService({ config: config.base, logger, extra: [servePage(page, config.api_port)] });
}
