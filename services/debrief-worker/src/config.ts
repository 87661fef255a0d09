import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';

export interface WorkerConfig {
  readonly base: BaseConfig;
  /** Seconds without a byte from the gateway after which a narrative counts as stalled. */
  readonly quiet_seconds: number;
}

/** The gateway has a quiet timer of its own; ours only catches a gateway that itself is stuck. */
const GATEWAY_GRACE_SECONDS = 5;

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  const reader = new EnvironmentReader(environment);
  return {
    base: readBaseConfig(environment, 'debrief_worker'),
    quiet_seconds:
      reader.number('SIM_LOCAL_SERVER_CHAT_TIMEOUT', 180, { min: 0.1, max: 86_400 }) + GATEWAY_GRACE_SECONDS,
  };
}
