import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/** Control of the local model server. */
export function sidecarRoutes({ sidecar }: GatewayContext): Handlers {
  return {
    getSidecar: () => ({ body: sidecar.state }),
    startSidecar: async ({ body }) => ({ body: await sidecar.start(body.model_id ?? null) }),
    stopSidecar: async () => ({ body: await sidecar.stop() }),
    getSidecarLog: () => ({ body: { lines: [...sidecar.logLines] } }),
  };
}
