import { runService } from '@parley/shared/service';
import { readGatewayConfig } from './config';
import { startRuntimeGateway } from './runtime-gateway';

void runService({
  service: 'runtime_gateway',
  readConfig: readGatewayConfig,
  start: startRuntimeGateway,
});
