import {
  ConfigError,
  EnvironmentReader,
  readBaseConfig,
  readGatewayPatience,
  type BaseConfig,
  type Environment,
} from '@parley/shared/service';

export interface WorkerConfig {
  readonly base: BaseConfig;
  /** Seconds without a byte from the gateway after which a narrative counts as stalled. */
  readonly quiet_seconds: number;
  /** How often the second reader is asked; the majority counts. */
  readonly judge_reads: number;
}

/** An odd number, so that there is always a majority. */
function readJudgeReads(environment: Environment): number {
  const variable = 'SIM_JUDGE_READS';
  const reads = new EnvironmentReader(environment).integer(variable, 1, { min: 1, max: 5 });
  if (reads % 2 === 0) throw new ConfigError(variable, String(reads), 'it must be 1, 3 or 5');
  return reads;
}

/** @throws ConfigError naming the variable, its value and what is allowed. */
export function readConfig(environment: Environment): WorkerConfig {
  return {
    base: readBaseConfig(environment, 'debrief_worker'),
    quiet_seconds: readGatewayPatience(environment),
    judge_reads: readJudgeReads(environment),
  };
}
