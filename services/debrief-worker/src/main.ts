import { runService } from '@parley/shared/service';
import { readWorkerConfig } from './config';
import { startDebriefWorker } from './debrief-worker';

void runService({
  service: 'debrief_worker',
  readConfig: readWorkerConfig,
  start: startDebriefWorker,
  watchesPeers: true,
});
