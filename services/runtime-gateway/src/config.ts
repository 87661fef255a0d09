import { EnvironmentReader, readBaseConfig, type BaseConfig, type Environment } from '@parley/shared/service';
import type { GenerationLimits } from './generation/generation-slots';
import type { Provider, ProviderSurroundings } from './providers/provider';
import { PROVIDERS } from './providers/provider-registry';
import { readSidecarSettings, type SidecarSettings } from './sidecar/sidecar-settings';

export interface GatewayConfig {
  readonly base: BaseConfig;
  readonly runtime_id: string;
  /** Makes the provider that SIM_RUNTIME_ID names. */
  readonly createProvider: (surroundings: ProviderSurroundings) => Provider;
  readonly generation: GenerationLimits;
  readonly sidecar: SidecarSettings;
}

/**
 * Reads the settings of the gateway, those of inactive providers too: a wrong value is found at start, not on the day on
 * which somebody changes SIM_RUNTIME_ID.
 * @throws ConfigError naming the variable, its value and what is allowed.
 */
export function readGatewayConfig(environment: Environment): GatewayConfig {
  const reader = new EnvironmentReader(environment);
  const runtimeId = reader.choice(
    'SIM_RUNTIME_ID',
    PROVIDERS[0].id,
    PROVIDERS.map((provider) => provider.id),
  );
  const configured = new Map(PROVIDERS.map((provider) => [provider.id, provider.configure(reader)]));
  const createProvider = configured.get(runtimeId);
  if (createProvider === undefined) throw new Error(`no provider ${runtimeId}`);
  return {
    base: readBaseConfig(environment, 'runtime_gateway'),
    runtime_id: runtimeId,
    createProvider,
    generation: {
      slots: reader.integer('SIM_GATEWAY_SLOTS', 64, { min: 1, max: 10_000 }),
      queue: reader.integer('SIM_GATEWAY_QUEUE', 256, { min: 0, max: 100_000 }),
      wait_ms: Math.round(reader.number('SIM_GATEWAY_QUEUE_TIMEOUT', 180, { min: 0.01, max: 86_400 }) * 1000),
    },
    sidecar: readSidecarSettings(reader, environment),
  };
}
