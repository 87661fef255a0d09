import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startSessionApi } from './start';

void runService({ service: 'session_api', readConfig, start: startSessionApi });
