import { runService } from '@parley/shared/service';
import { readUiConfig } from './config';
import { startUi } from './server/start-ui';

void runService({
  service: 'ui',
  readConfig: readUiConfig,
  watchesPeers: true,
  start: async (config, logger) => {
    const ui = await startUi(config, logger);
    return { port: ui.port, stop: () => ui.close() };
  },
});
