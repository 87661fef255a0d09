import { ConfigError, type EnvironmentReader } from '@parley/shared/service';

/** Settings of local_native (docs/gateway/README.md, Settings). */
export interface LocalNativeSettings {
  readonly base_url: string;
  /** For requests that name none; null: the first that the server lists. */
  readonly model_id: string | null;
  /** Tokens; sent with every call, since a change of it makes the server load the model again. */
  readonly context_length: number;
  /** How long the model stays in memory after a call: seconds, below 0 for ever, or a duration as the server writes them. */
  readonly keep_alive: string | number;
  /** Milliseconds of silence during a chat before it is given up. */
  readonly chat_timeout_ms: number;
  /** Milliseconds of silence that other calls may take. */
  readonly control_timeout_ms: number;
  /** Milliseconds that a connection may take to open. */
  readonly connect_timeout_ms: number;
}

const PREFIX = 'SIM_NATIVE_SERVER_';

const DURATION = /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;

/** A number must be sent as one: as text the server refuses it for its missing unit, and with it every chat. */
function keepAlive(reader: EnvironmentReader): string | number {
  const variable = `${PREFIX}KEEP_ALIVE`;
  const value = reader.text(variable, '30m');
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  if (DURATION.test(value)) return value;
  throw new ConfigError(variable, value, 'it must be a duration such as 30m or 1h30m, or seconds, -1 for ever');
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readLocalNativeSettings(reader: EnvironmentReader): LocalNativeSettings {
  const seconds = (name: string, fallback: number): number =>
    Math.round(reader.number(PREFIX + name, fallback, { min: 0.01, max: 86_400 }) * 1000);
  return {
    base_url: reader.url(`${PREFIX}BASE_URL`, 'http://127.0.0.1:11434'),
    model_id: null,
    context_length: reader.integer(`${PREFIX}CONTEXT_LENGTH`, 8192, { min: 256, max: 10_000_000 }),
    keep_alive: keepAlive(reader),
    chat_timeout_ms: seconds('CHAT_TIMEOUT', 180),
    control_timeout_ms: seconds('TIMEOUT', 60),
    connect_timeout_ms: seconds('CONNECT_TIMEOUT', 5),
  };
}
