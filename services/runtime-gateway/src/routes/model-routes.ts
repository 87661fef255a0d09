import { MODEL_ROUTES } from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import { fittingModels } from '../models/fitting-models';
import { deleteModel } from '../models/delete-model';

/** Suggesting, installing, watching, cancelling and deleting models. */
export function modelRoutes(context: GatewayContext): Handlers {
  const { answers, installs, machine, modelFiles, runtime, sidecar, suggested } = context;
  // Those that a press installs, whichever model server is there.
  const installable = suggested.filter(({ gguf }) => gguf !== null);
  return {
    installModel: ({ body, headers }) =>
      answers.once({ route: MODEL_ROUTES.installModel, key: headers['idempotency-key'], request: body }, async () => ({
        status: 202,
        body: { install: await installs.begin(body) },
      })),
    listSuggestedModels: () => ({ body: { models: [...suggested] } }),
    listFittingModels: () => ({ body: fittingModels(installable, machine()) }),
    listInstalls: () => ({ body: { installs: installs.list() } }),
    getInstall: ({ params }) => ({ body: installs.get(params.id) }),
    cancelInstall: async ({ params }) => {
      await installs.cancel(params.id);
      return { status: 204 };
    },
    deleteModel: async ({ params }) => {
      await runtime.use((provider) =>
        deleteModel(params.id, { provider, files: modelFiles, installs, modelInUse: () => sidecar.modelInUse }),
      );
      return { status: 204 };
    },
  };
}
