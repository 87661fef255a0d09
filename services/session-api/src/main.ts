import { carryInternalKey } from '@parley/shared/client';
import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startSessionApi } from './start';

void runService({
  service: 'session_api',
  readConfig,
  start: (config, logger) => {
    carryInternalKey(config.base.internal_key);
    return startSessionApi(config, logger);
  },
});
