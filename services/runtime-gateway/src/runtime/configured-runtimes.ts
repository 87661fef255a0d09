import { RUNTIME_IDS, type RuntimeChoice } from '@parley/shared/contracts';
import type { EnvironmentReader } from '@parley/shared/service';
import type { ChosenServer, ConfiguredProvider } from '../providers/provider';
import { PROVIDERS } from '../providers/provider-registry';

/** A runtime as the environment configures it. */
interface ConfiguredRuntime extends ConfiguredProvider {
  /** The variables that are set, by the part of a choice that each of them decides. */
  readonly fixed: { readonly [Part in keyof ChosenServer]?: string };
}

export type RuntimeId = RuntimeChoice['runtime_id'];

/** What the environment says of the runtimes. */
export interface ConfiguredRuntimes {
  /** What SIM_RUNTIME_ID says; null when it is not set, so that somebody may choose. */
  readonly fixed_id: RuntimeId | null;
  readonly byId: Readonly<Record<RuntimeId, ConfiguredRuntime>>;
}

export const RUNTIME_VARIABLE = 'SIM_RUNTIME_ID';

/** @throws ConfigError, also for a provider that nobody chose. */
export function readRuntimes(reader: EnvironmentReader): ConfiguredRuntimes {
  const configured = PROVIDERS.map((provider) => {
    const { base_url: address, model_id: model } = provider.variables;
    const fixed = {
      ...(address !== undefined && reader.has(address) ? { base_url: address } : {}),
      ...(model !== undefined && reader.has(model) ? { model_id: model } : {}),
    };
    return [provider.id, { ...provider.configure(reader), fixed }] as const;
  });
  return {
    fixed_id: reader.has(RUNTIME_VARIABLE) ? reader.choice(RUNTIME_VARIABLE, 'fake', RUNTIME_IDS) : null,
    byId: Object.fromEntries(configured) as Record<RuntimeId, ConfiguredRuntime>,
  };
}
