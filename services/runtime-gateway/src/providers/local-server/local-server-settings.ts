import { DEFAULT_PORTS } from '@parley/shared/contracts';
import { ConfigError, type EnvironmentReader } from '@parley/shared/service';

/** Settings of one server (docs/gateway/README.md, Settings); the sidecar is started with some of them. */
export interface LocalServerSettings {
  /** The server's root, without `/v1`. */
  readonly base_url: string;
  /** null: the server's own. */
  readonly model_id: string | null;
  /** Tokens. */
  readonly context_length: number | null;
  /** For requests that leave the temperature at the default. */
  readonly temperature: number;
  readonly top_p: number;
  readonly repeat_penalty: number;
  readonly threads: number | null;
  readonly gpu_layers: number | null;
  /** Milliseconds that listing models may take. */
  readonly timeout_ms: number;
  /** Milliseconds of silence during a chat before it is given up. */
  readonly chat_timeout_ms: number;
  readonly json_schema_enabled: boolean;
  /** Key of a server that the user has started with one. */
  readonly api_key: string | null;
}

/** The same settings for all servers, and where these are. */
export interface LocalServersSettings extends Omit<LocalServerSettings, 'base_url'> {
  /** Several make a pool. */
  readonly base_urls: readonly [string, ...string[]];
}

const PREFIX = 'SIM_LOCAL_SERVER_';
const ADDRESSES = `${PREFIX}BASE_URL`;
const MAX_SECONDS = 86_400;

/** Clients of this API are often given the address with its version, which every path has already. */
const rootOf = (address: string): string => address.replace(/\/v1$/, '');

/** An address as it may be shown: the name and password in it are left out. */
export function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + (pathname === '/' ? '' : pathname);
}

/** @throws ConfigError when one server is named twice: it would get twice its share. */
function readAddresses(reader: EnvironmentReader): LocalServersSettings['base_urls'] {
  const [first, ...others] = reader.urls(ADDRESSES, [`http://127.0.0.1:${DEFAULT_PORTS.model_server}`]);
  const addresses = [rootOf(first), ...others.map(rootOf)] as const;
  const shown = addresses.map(shownAddress);
  const twice = shown.find((one, at) => shown.indexOf(one) !== at);
  if (twice !== undefined)
    throw new ConfigError(ADDRESSES, reader.text(ADDRESSES, ''), `it names ${twice} twice; leave one of them out`);
  return addresses;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readLocalServerSettings(reader: EnvironmentReader): LocalServersSettings {
  const seconds = (name: string, fallback: number): number =>
    Math.round(reader.number(PREFIX + name, fallback, { min: 0.01, max: MAX_SECONDS }) * 1000);
  return {
    base_urls: readAddresses(reader),
    model_id: reader.text(`${PREFIX}MODEL_ID`, null),
    context_length: reader.integer(`${PREFIX}CONTEXT_LENGTH`, null, { min: 256, max: 10_000_000 }),
    temperature: reader.number(`${PREFIX}TEMPERATURE`, 0.8, { min: 0, max: 5 }),
    top_p: reader.number(`${PREFIX}TOP_P`, 0.95, { min: 0, max: 1 }),
    repeat_penalty: reader.number(`${PREFIX}REPEAT_PENALTY`, 1.1, { min: 0, max: 10 }),
    threads: reader.integer(`${PREFIX}THREADS`, null, { min: 1, max: 1024 }),
    gpu_layers: reader.integer(`${PREFIX}GPU_LAYERS`, null, { min: 0, max: 10_000 }),
    timeout_ms: seconds('TIMEOUT', 30),
    chat_timeout_ms: seconds('CHAT_TIMEOUT', 180),
    json_schema_enabled: reader.boolean(`${PREFIX}JSON_SCHEMA_ENABLED`, true),
    api_key: reader.text(`${PREFIX}API_KEY`, null),
  };
}
