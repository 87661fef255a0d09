import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import { findPrograms } from '../runtime/find-programs';

/** Who plays, choosing another, and looking for what there is to choose. */
export function choiceRoutes({ config, places, runtime, sidecar }: GatewayContext): Handlers {
  return {
    getGatewayChoice: () => ({ body: runtime.state }),
    putGatewayChoice: ({ body }) => ({ body: runtime.choose(body) }),
    findRuntimes: async (_input, { signal }) => ({
      body: {
        found: await findPrograms(places, {
          keyFor: (baseUrl) =>
            config.runtimes.byId.local_server.api_key ??
            (baseUrl === config.sidecar.base_url ? sidecar.serverKey : null),
          signal,
        }),
      },
    }),
  };
}
