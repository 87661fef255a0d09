import type { EnvironmentReader } from '@parley/shared/service';

/** Settings of local_native (interface, "Runtime contract" and "Limits"). */
export interface LocalNativeSettings {
  readonly base_url: string;
  /** Tokens; sent with every call, since a change of it makes the server load the model again. */
  readonly context_length: number;
  /** How long the model stays in memory after a call, as the server writes durations. */
  readonly keep_alive: string;
  /** Milliseconds of silence during a chat before it is given up. */
  readonly chat_timeout_ms: number;
  /** Milliseconds of silence that other calls may take. */
  readonly control_timeout_ms: number;
  /** Milliseconds that a connection may take to open. */
  readonly connect_timeout_ms: number;
}

const PREFIX = 'SIM_NATIVE_SERVER_';

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readLocalNativeSettings(reader: EnvironmentReader): LocalNativeSettings {
  const seconds = (name: string, fallback: number): number =>
    Math.round(reader.number(PREFIX + name, fallback, { min: 0.01, max: 86_400 }) * 1000);
  return {
    base_url: reader.url(`${PREFIX}BASE_URL`, 'http://127.0.0.1:11434'),
    context_length: reader.integer(`${PREFIX}CONTEXT_LENGTH`, 8192, { min: 256, max: 10_000_000 }),
    keep_alive: reader.text(`${PREFIX}KEEP_ALIVE`, '30m'),
    chat_timeout_ms: seconds('CHAT_TIMEOUT', 180),
    control_timeout_ms: seconds('TIMEOUT', 60),
    connect_timeout_ms: seconds('CONNECT_TIMEOUT', 5),
  };
}
