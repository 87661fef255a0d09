import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startUi } from './start';

void runService({ service: 'ui', readConfig, start: startUi, watchesPeers: true });
