/** A variable of the environment that cannot be used: the process stops at once with this one line. */
export class ConfigError extends Error {
  constructor(variable: string, value: string, allowed: string) {
    super(`${variable}=${JSON.stringify(value)} cannot be used: ${allowed}.`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/.test(text)) return false;
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}

const WEB = ['http:', 'https:'] as const;

const isAddress = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

const beginnings = (protocols: readonly string[]): string => protocols.map((one) => `${one}//`).join(' or ');

/** As it may stand in a line, which goes to logs: not with a password. */
const sayable = (value: string): string => (value.includes('@') ? '…' : value);

function hasReadableLogin(address: string): boolean {
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}

/** @throws ConfigError for a name or password that cannot be sent as it was meant. */
function checkLogins(variable: string, addresses: readonly string[]): void {
  if (!addresses.every(hasReadableLogin))
    throw new ConfigError(variable, '…', 'a % in the name or password of an address is written as %25');
}

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');

/**
 * Reads typed values out of the environment. Unset and blank count as absent and give the default; anything else must
 * parse wholly, or a ConfigError names the variable, the value and what is allowed.
 */
export class EnvironmentReader {
  constructor(private readonly environment: Environment) {}

  private value(variable: string): string | undefined {
    const value = this.environment[variable]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** Whether it is set to anything. */
  has(variable: string): boolean {
    return this.value(variable) !== undefined;
  }

  text<D extends string | null>(variable: string, fallback: D): string | D {
    return this.value(variable) ?? fallback;
  }

  integer<D extends number | null>(variable: string, fallback: D, range: { min: number; max: number }): number | D {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < range.min || number > range.max)
      throw new ConfigError(variable, value, `it must be a whole number from ${range.min} to ${range.max}`);
    return number;
  }

  number<D extends number | null>(variable: string, fallback: D, range: { min: number; max: number }): number | D {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (!/^-?\d+(\.\d+)?$/.test(value) || number < range.min || number > range.max)
      throw new ConfigError(variable, value, `it must be a number from ${range.min} to ${range.max}`);
    return number;
  }

  /** A TCP port; 0 lets the system pick a free one, which tests use. */
  port(variable: string, fallback: number): number {
    return this.integer(variable, fallback, { min: 0, max: 65535 });
  }

  boolean(variable: string, fallback: boolean): boolean {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    if (/^(true|1|yes|on)$/i.test(value)) return true;
    if (/^(false|0|no|off)$/i.test(value)) return false;
    throw new ConfigError(variable, value, 'it must be true or false');
  }

  choice<const C extends string>(variable: string, fallback: C, choices: readonly C[]): C {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new ConfigError(variable, value, `it must be one of ${choices.join(', ')}`);
    return choice;
  }

  /**
   * Origins as browsers send them, separated by commas: a scheme, a host and, unless it is the scheme's usual one, a port;
   * nothing behind. Also those of apps and extensions (`tauri://localhost`).
   */
  origins(variable: string): readonly string[] {
    const value = this.value(variable);
    if (value === undefined) return [];
    return value.split(',').map((part) => {
      const origin = part.trim();
      if (!isOrigin(origin))
        throw new ConfigError(
          variable,
          value,
          'it must be origins separated by commas, each exactly as a browser sends it, such as https://practice.example or http://127.0.0.1:8080',
        );
      return origin;
    });
  }

  /** An address of one of the protocols, http and https unless told; answered without a slash at its end. */
  url<D extends string | null>(variable: string, fallback: D, protocols: readonly string[] = WEB): string | D {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    if (!isAddress(value, protocols))
      throw new ConfigError(
        variable,
        sayable(value),
        `it must be an address that begins with ${beginnings(protocols)}`,
      );
    checkLogins(variable, [value]);
    return withoutSlash(value);
  }

  /** One address as `url` takes it, or several separated by commas. */
  urls(variable: string, fallback: readonly [string, ...string[]]): readonly [string, ...string[]] {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    const [first = '', ...others] = value.split(',').map((part) => part.trim());
    if (others.length === 0) return [this.url(variable, first)];
    if (![first, ...others].every((one) => isAddress(one, WEB)))
      throw new ConfigError(
        variable,
        sayable(value),
        `it must be addresses separated by commas, each of which begins with ${beginnings(WEB)}`,
      );
    checkLogins(variable, [first, ...others]);
    return [withoutSlash(first), ...others.map(withoutSlash)];
  }
}
