import { apiInstancesOf } from '@parley/shared/api-instances';
import { dataFolderOf } from '@parley/shared/data-folder';
import { DEFAULT_PORTS, type ServiceName } from '@parley/shared/contracts';
import { ConfigError, EnvironmentReader, type Environment } from './environment';
import { readExposure } from './exposure';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Which variable sets the port of which process. */
export const PORT_VARIABLES: Readonly<Record<ServiceName, string>> = {
  ui: 'SIM_UI_PORT',
  session_api: 'SIM_API_PORT',
  pack_service: 'SIM_PACKS_PORT',
  runtime_gateway: 'SIM_GATEWAY_PORT',
  debrief_worker: 'SIM_WORKER_PORT',
};

/** What every process needs to know. Read once, at start. */
export interface BaseConfig {
  readonly service: ServiceName;
  readonly host: string;
  readonly port: number;
  /** Which one of several processes of this service on that port; null: it is alone there. */
  readonly instance: number | null;
  readonly ui_port: number;
  readonly lan_access_enabled: boolean;
  /** Carried by calls between processes; with it, whoever carries it counts as this machine and nobody else does. */
  readonly internal_key: string | null;
  /** The only Host and Origin that are taken; null: names of this machine. */
  readonly public_origin: string | null;
  /** Absolute path. Database, packs, models and logs live in it. */
  readonly data_dir: string;
  /** null: SQLite in the data folder. */
  readonly database_url: string | null;
  readonly log_level: LogLevel;
  /** Addresses of the processes, as the others reach them. */
  readonly peers: Readonly<Record<ServiceName, string>>;
  /** Milliseconds that a read of another process may take; calls that take longer by their nature get a multiple. */
  readonly peer_timeout_ms: number;
  /** Restarts by the supervisor, as it tells its children; null without one. */
  readonly restarts: number | null;
  /** Checks every response against its contract: on unless NODE_ENV is production. */
  readonly validate_responses: boolean;
}

/** The processes that others may call, when they are let in; the ones behind them are for the set alone. */
const PUBLIC_SERVICES: readonly ServiceName[] = ['ui', 'session_api'];

export const isPublicService = (service: ServiceName): boolean => PUBLIC_SERVICES.includes(service);

/** Whether a process binds every interface and answers to the LAN's names of this machine. */
export const isOnLan = (config: Pick<BaseConfig, 'service' | 'lan_access_enabled'>): boolean =>
  config.lan_access_enabled && isPublicService(config.service);

/**
 * PM2 numbers what it starts several times; whoever starts a process by hand beside them starts one that is alone.
 * @throws ConfigError
 */
function readInstance(environment: Environment): number | null {
  const answer = apiInstancesOf(environment);
  if ('allowed' in answer) throw new ConfigError('SIM_API_INSTANCES', answer.value, answer.allowed);
  if (answer.instances === 1) return null;
  return new EnvironmentReader(environment).integer('NODE_APP_INSTANCE', null, { min: 0, max: 1_000_000 });
}

/**
 * Reads what all processes have in common.
 * @throws ConfigError naming the variable, its value and what is allowed.
 */
export function readBaseConfig(environment: Environment, service: ServiceName): BaseConfig {
  const reader = new EnvironmentReader(environment);
  const port = (name: ServiceName): number => reader.port(PORT_VARIABLES[name], DEFAULT_PORTS[name]);
  const lan = reader.boolean('SIM_LAN_ACCESS_ENABLED', false);
  const exposure = readExposure(reader, lan);
  const address = (name: ServiceName): string => `http://127.0.0.1:${port(name)}`;
  return {
    service,
    host: isOnLan({ service, lan_access_enabled: lan }) ? '0.0.0.0' : exposure.host,
    port: port(service),
    instance: service === 'session_api' ? readInstance(environment) : null,
    ui_port: port('ui'),
    lan_access_enabled: lan,
    internal_key: exposure.internal_key,
    public_origin: exposure.public_origin,
    data_dir: dataFolderOf(environment, process.cwd()).folder,
    database_url: reader.text('SIM_DATABASE_URL', null),
    log_level: reader.choice('SIM_LOG_LEVEL', 'info', LOG_LEVELS),
    peers: {
      ui: address('ui'),
      session_api: reader.url('SIM_API_URL', address('session_api')),
      pack_service: reader.url('SIM_PACKS_URL', address('pack_service')),
      runtime_gateway: reader.url('SIM_GATEWAY_URL', address('runtime_gateway')),
      debrief_worker: reader.url('SIM_WORKER_URL', address('debrief_worker')),
    },
    peer_timeout_ms: reader.number('SIM_PEER_TIMEOUT', 10, { min: 0.1, max: 3_600 }) * 1_000,
    restarts: reader.integer('restart_time', null, { min: 0, max: 1_000_000_000 }),
    validate_responses: reader.text('NODE_ENV', 'development') !== 'production',
  };
}

/** The gateway has a quiet timer of its own; a caller's only catches a gateway that itself is stuck. */
const GATEWAY_GRACE_SECONDS = 5;

/**
 * Seconds without a sign of life from the gateway after which a caller of it gives up: what the active runtime is allowed
 * to be silent for, and a little more.
 * @throws ConfigError
 */
export function readGatewayPatience(environment: Environment): number {
  const reader = new EnvironmentReader(environment);
  const quiet = (variable: string): number => reader.number(variable, 180, { min: 0.1, max: 86_400 });
  const [server, native] = [quiet('SIM_LOCAL_SERVER_CHAT_TIMEOUT'), quiet('SIM_NATIVE_SERVER_CHAT_TIMEOUT')];
  const runtime = reader.text('SIM_RUNTIME_ID', null);
  // Where none is named, either may be chosen while this process runs.
  const longest = runtime === null ? Math.max(server, native) : runtime === 'local_native' ? native : server;
  return longest + GATEWAY_GRACE_SECONDS;
}
