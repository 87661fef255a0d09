/** A variable of the environment that cannot be used: the process stops at once with this one line. */
export class ConfigError extends Error {
  constructor(variable: string, value: string, allowed: string) {
    super(`${variable}=${JSON.stringify(value)} cannot be used: ${allowed}.`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

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

  /** An address of one of the protocols, http and https unless told; answered without a slash at its end. */
  url<D extends string | null>(
    variable: string,
    fallback: D,
    protocols: readonly string[] = ['http:', 'https:'],
  ): string | D {
    const value = this.value(variable);
    if (value === undefined) return fallback;
    const allowed = `it must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`;
    let url: URL;
    try {
      url = new URL(value);
    } catch {
      throw new ConfigError(variable, value, allowed);
    }
    if (!protocols.includes(url.protocol)) throw new ConfigError(variable, value, allowed);
    return value.replace(/\/+$/, '');
  }
}
