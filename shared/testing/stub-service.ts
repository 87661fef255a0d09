import { DEFAULT_PORTS, type ServiceName, ROUTES } from '@parley/shared/contracts';
import {
  silentLogger,
  startHttpService,
  type BaseConfig,
  type Handlers,
  type HttpService,
} from '@parley/shared/service';

/** A configuration for tests: port 0, silent, every response checked against its contract. */
export function testBaseConfig(
  service: ServiceName,
  overrides: Partial<BaseConfig> & { data_dir: string },
): BaseConfig {
  const nowhere = 'http://127.0.0.1:1';
  return {
    service,
    host: '127.0.0.1',
    port: 0,
    ui_port: DEFAULT_PORTS.ui,
    lan_access_enabled: false,
    internal_key: null,
    public_origin: null,
    database_url: null,
    log_level: 'silent',
    peer_timeout_ms: 10_000,
    instance: null,
    restarts: null,
    validate_responses: true,
    ...overrides,
    peers: {
      ui: nowhere,
      session_api: nowhere,
      pack_service: nowhere,
      runtime_gateway: nowhere,
      debrief_worker: nowhere,
      ...overrides.peers,
    },
  };
}

/**
 * A stand-in for another process: real HTTP on a free port, the routes of the one route table, requests and answers
 * checked against the same contracts. Operations without a handler answer 404.
 */
export function stubService(service: ServiceName, handlers: Handlers, dataDir = '.'): Promise<HttpService> {
  return startHttpService({
    config: testBaseConfig(service, { data_dir: dataDir }),
    logger: silentLogger(),
    routes: ROUTES,
    handlers,
  });
}
