import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';
import type { GenerationLimits } from './generation/generation-slots';
import { readRuntimes, type ConfiguredRuntimes } from './runtime/configured-runtimes';
import { readSidecarSettings, type SidecarSettings } from './sidecar/sidecar-settings';

export interface GatewayConfig {
  readonly base: BaseConfig;
  readonly runtimes: ConfiguredRuntimes;
  readonly generation: GenerationLimits;
  readonly sidecar: SidecarSettings;
}

/**
 * Reads the settings of the gateway, those of inactive providers too: a wrong value is found at start, not on the day on
 * which somebody chooses another runtime.
 * @throws ConfigError naming the variable, its value and what is allowed.
 */
export function readConfig(environment: Environment): GatewayConfig {
  const reader = new EnvironmentReader(environment);
  return {
    base: readBaseConfig(environment, 'runtime_gateway'),
    runtimes: readRuntimes(reader),
    generation: {
      slots: reader.integer('SIM_GATEWAY_SLOTS', 64, { min: 1, max: 10_000 }),
      queue: reader.integer('SIM_GATEWAY_QUEUE', 256, { min: 0, max: 100_000 }),
      wait_ms: Math.round(reader.number('SIM_GATEWAY_QUEUE_TIMEOUT', 180, { min: 0.01, max: 86_400 }) * 1000),
    },
    sidecar: readSidecarSettings(reader, environment),
  };
}
