import { MODEL_ROUTES } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';

/** The model server that comes with Parley: whether it is there, installing it, cancelling that. */
export function modelServerRoutes({ answers, modelServer }: GatewayContext): Handlers {
  return {
    getModelServer: () => ({ body: modelServer.state }),
    installModelServer: ({ headers }) =>
      answers.once(
        { route: MODEL_ROUTES.installModelServer, key: headers['idempotency-key'], request: {} },
        async () => ({
          status: 202,
          body: await modelServer.install(),
        }),
      ),
    cancelModelServerInstall: async () => {
      await modelServer.cancel();
      return { status: 204 };
    },
  };
}
