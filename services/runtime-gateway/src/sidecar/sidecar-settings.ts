import { ConfigError, type Environment, type EnvironmentReader } from '@parley/shared/service';
import { readLocalServerSettings } from '../providers/local-server/local-server-settings';

/** How the local model server is run as a child of the gateway. */
export interface SidecarSettings {
  /** A program, from the PATH or with its path; arguments of its own may follow. null: whichever model server is found. */
  readonly command: string | null;
  readonly host: string;
  readonly port: number;
  /** Address at which its health is asked for. */
  readonly base_url: string;
  /** SIM_LOCAL_SERVER_BASE_URL names several servers: none of them is started from here. */
  readonly is_pool: boolean;
  /** Model to load when none is asked for: a path or the name of an installed one. */
  readonly model_id: string | null;
  /** Tokens. */
  readonly context_length: number | null;
  readonly threads: number | null;
  readonly gpu_layers: number | null;
  /** Generations that the server runs at once. */
  readonly parallel: number;
  /** Milliseconds that loading the model may take. */
  readonly start_timeout_ms: number;
  /** What the server inherits, as the gateway was started with it. */
  readonly environment: Environment;
}

const COMMAND = 'SIM_SIDECAR_COMMAND';
const PARALLEL = 'SIM_SIDECAR_PARALLEL';
const START_TIMEOUT = 'SIM_SIDECAR_START_TIMEOUT';

/** @throws ConfigError when one of its settings stands beside several model servers. */
function refuseSidecar(reader: EnvironmentReader): void {
  const variable = [COMMAND, PARALLEL, START_TIMEOUT].find((one) => reader.has(one));
  if (variable === undefined) return;
  throw new ConfigError(
    variable,
    reader.text(variable, ''),
    'SIM_LOCAL_SERVER_BASE_URL names several model servers, and Parley starts none of them; take it out, or name one address',
  );
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readSidecarSettings(reader: EnvironmentReader, environment: Environment): SidecarSettings {
  const local = readLocalServerSettings(reader);
  const [base_url, ...others] = local.base_urls;
  if (others.length > 0) refuseSidecar(reader);
  const url = new URL(base_url);
  return {
    command: reader.text(COMMAND, null),
    // Where it will be asked: a server on one loopback address does not hear the other.
    host: url.hostname === '[::1]' ? '::1' : '127.0.0.1',
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    base_url,
    is_pool: others.length > 0,
    model_id: local.model_id,
    context_length: local.context_length,
    threads: local.threads,
    gpu_layers: local.gpu_layers,
    parallel: reader.integer(PARALLEL, 2, { min: 1, max: 64 }),
    start_timeout_ms: Math.round(reader.number(START_TIMEOUT, 600, { min: 0.1, max: 86_400 }) * 1000),
    environment,
  };
}
