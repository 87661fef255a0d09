import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startDebriefWorker } from './start';

void runService({ service: 'debrief_worker', readConfig, start: startDebriefWorker, watchesPeers: true });
