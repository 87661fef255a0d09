import { ConfigError, type EnvironmentReader } from './environment';

/** How a process is reached by callers that are not on this machine. */
export interface Exposure {
  readonly host: '127.0.0.1' | '0.0.0.0' | '::';
  /** With it, whoever carries it counts as this machine, and nobody else does; null: the address of the connection decides. */
  readonly internal_key: string | null;
  /** The only address of the page and the API that is taken; null: names of this machine. */
  readonly public_origin: string | null;
}

/** Visible characters, so that it fits a header; as long as 16 random bytes in hex at least. */
const KEY = /^[\x21-\x7e]{32,256}$/;

/**
 * Reads what lets others in besides SIM_LAN_ACCESS_ENABLED: for containers, and behind a proxy.
 * @throws ConfigError for a value, or a combination that would let others do what only this machine may.
 */
export function readExposure(reader: EnvironmentReader, lanAccess: boolean): Exposure {
  const host = reader.choice('SIM_BIND_HOST', '127.0.0.1', ['127.0.0.1', '0.0.0.0', '::']);
  const key = reader.text('SIM_INTERNAL_KEY', null);
  const [origin = null, ...more] = reader.origins('SIM_PUBLIC_ORIGIN');
  // The line goes to logs: the key stays out of it.
  if (key !== null && !KEY.test(key))
    throw new ConfigError('SIM_INTERNAL_KEY', '…', 'it must be 32 to 256 letters, digits or signs without spaces');
  if (origin !== null && (more.length > 0 || !/^https?:/.test(origin)))
    throw new ConfigError('SIM_PUBLIC_ORIGIN', [origin, ...more].join(','), 'it must be one origin of http or https');
  if (key === null && host !== '127.0.0.1')
    throw new ConfigError('SIM_BIND_HOST', host, 'beyond 127.0.0.1 it needs SIM_INTERNAL_KEY as well');
  // A proxy on this machine makes every caller look like this machine.
  if (key === null && origin !== null)
    throw new ConfigError('SIM_PUBLIC_ORIGIN', origin, 'it needs SIM_INTERNAL_KEY as well');
  if (lanAccess && key !== null)
    throw new ConfigError('SIM_LAN_ACCESS_ENABLED', 'true', 'it must be false where SIM_INTERNAL_KEY is set');
  if (origin !== null && reader.has('SIM_ALLOWED_ORIGINS'))
    throw new ConfigError(
      'SIM_ALLOWED_ORIGINS',
      reader.text('SIM_ALLOWED_ORIGINS', ''),
      'it must be left out where SIM_PUBLIC_ORIGIN names the only origin',
    );
  return { host, internal_key: key, public_origin: origin };
}
