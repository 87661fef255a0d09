import { runService } from '@parley/shared/service';
import { readConfig } from './config';
import { startRuntimeGateway } from './start';

void runService({ service: 'runtime_gateway', readConfig, start: startRuntimeGateway });
