import type { Handlers } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import { deleteModel } from '../models/delete-model';
import { SUGGESTED_MODELS } from '../models/suggested-models';

/** Suggesting, installing, watching, cancelling and deleting models. */
export function modelRoutes(context: GatewayContext): Handlers {
  const { answers, installs, modelFiles, provider, sidecar } = context;
  return {
    installModel: ({ body, headers }) =>
      answers.once({ operation: 'installModel', key: headers['idempotency-key'], request: body }, async () => ({
        status: 202,
        body: { install: await installs.begin(body) },
      })),
    listSuggestedModels: () => ({ body: { models: SUGGESTED_MODELS } }),
    listInstalls: () => ({ body: { installs: installs.list() } }),
    getInstall: ({ params }) => ({ body: installs.get(params.id) }),
    cancelInstall: async ({ params }) => {
      await installs.cancel(params.id);
      return { status: 204 };
    },
    deleteModel: async ({ params }) => {
      await deleteModel(params.id, { provider, files: modelFiles, installs, modelInUse: () => sidecar.modelInUse });
      return { status: 204 };
    },
  };
}
