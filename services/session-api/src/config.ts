import {
  EnvironmentReader,
  readBaseConfig,
  readGatewayPatience,
  type BaseConfig,
  type Environment,
} from '@parley/shared/service';

export interface SessionApiConfig {
  readonly base: BaseConfig;
  /** off: every input is accepted. enforce: the classifier is connected. */
  readonly safety_precheck: 'off' | 'enforce';
  /** More turns than this at once are refused with OVERLOADED. */
  readonly max_concurrent_turns: number;
  /** Origins of other pages that may call the API and open sockets as the page may. */
  readonly allowed_origins: readonly string[];
  /** Seconds without a byte from the gateway after which a turn counts as stalled. */
  readonly turn_quiet_seconds: number;
  /** Named to people while the gateway cannot be asked which runtime plays; null: what was chosen. */
  readonly runtime_id: string | null;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readConfig(environment: Environment): SessionApiConfig {
  const reader = new EnvironmentReader(environment);
  return {
    base: readBaseConfig(environment, 'session_api'),
    safety_precheck: reader.choice('SIM_SAFETY_PRECHECK', 'off', ['off', 'enforce']),
    max_concurrent_turns: reader.integer('SIM_MAX_CONCURRENT_TURNS', 64, { min: 1, max: 100_000 }),
    allowed_origins: reader.origins('SIM_ALLOWED_ORIGINS'),
    turn_quiet_seconds: readGatewayPatience(environment),
    runtime_id: reader.text('SIM_RUNTIME_ID', null),
  };
}
