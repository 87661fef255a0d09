import { carryInternalKey } from '@parley/shared/client';
import { runService } from '@parley/shared/service';
import { readWorkerConfig } from './config';
import { startDebriefWorker } from './debrief-worker';

void runService({
  service: 'debrief_worker',
  readConfig: readWorkerConfig,
  start: (config, logger) => {
    carryInternalKey(config.base.internal_key);
    return startDebriefWorker(config, logger);
  },
  watchesPeers: true,
});
