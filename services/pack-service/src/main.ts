import { carryInternalKey } from '@parley/shared/client';
import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startPackService } from './start-pack-service';

void runService({
  service: 'pack_service',
  readConfig,
  start: (config, logger) => {
    carryInternalKey(config.base.internal_key);
    return startPackService(config, logger);
  },
});
