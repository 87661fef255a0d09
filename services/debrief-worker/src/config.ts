import { readBaseConfig, readGatewayPatience, type BaseConfig, type Environment } from '@parley/shared/service';

export interface WorkerConfig {
  readonly base: BaseConfig;
  /** Seconds without a byte from the gateway after which a narrative counts as stalled. */
  readonly quiet_seconds: number;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return {
    base: readBaseConfig(environment, 'debrief_worker'),
    quiet_seconds: readGatewayPatience(environment),
  };
}
