import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/** Control of the local model server. */
export function sidecarRoutes({ sidecar, lastChat }: GatewayContext): Handlers {
  return {
    getSidecar: () => ({ body: sidecar.state }),
    startSidecar: async ({ body }) => {
      const state = await sidecar.start(body.model_id ?? null);
      // Another server: what the one before refused says nothing about it.
      lastChat.succeeded();
      return { body: state };
    },
    stopSidecar: async () => ({ body: await sidecar.stop() }),
    getSidecarLog: () => ({ body: { lines: [...sidecar.logLines] } }),
  };
}
