import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/** What the active runtime is, how it is, and which models it has. */
export function runtimeRoutes({ runtime, lastChat }: GatewayContext): Handlers {
  return {
    getRuntime: () => {
      const { id, display_name, capabilities } = runtime.provider;
      return { body: { id, display_name, capabilities } };
    },
    getRuntimeHealth: async () => ({ body: lastChat.judged(await runtime.use((provider) => provider.health())) }),
    listRuntimeModels: async () => ({ body: { models: await runtime.use((provider) => provider.listModels()) } }),
  };
}
