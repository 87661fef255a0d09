import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startPackService } from './start';

void runService({ service: 'pack_service', readConfig, start: startPackService });
