import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/** What the active runtime is, how it is, and which models it has. */
export function runtimeRoutes({ provider, lastChat }: GatewayContext): Handlers {
  const { id, display_name, capabilities } = provider;
  return {
    getRuntime: () => ({ body: { id, display_name, capabilities } }),
    getRuntimeHealth: async () => ({ body: lastChat.judged(await provider.health()) }),
    listRuntimeModels: async () => ({ body: { models: await provider.listModels() } }),
  };
}
