import type { Handlers } from '@parley/shared/service';
import type { PackContext } from '../context';
import { sendAsset, type AssetContext } from './send-asset';

/** What is answered out of the tables and the folders of packs alone: by every pack-service, one that only reads as well. */
export function catalogueRoutes(context: AssetContext & Pick<PackContext, 'catalogue'>): Handlers {
  const { catalogue } = context;
  return {
    listScenarios: async ({ query }) => ({ body: { scenarios: await catalogue.listScenarios(query.language) } }),
    getScenario: async ({ params, query }) => ({ body: await catalogue.getScenario(params.id, query.language) }),
    listScenarioVersions: async ({ params }) => ({ body: { versions: await catalogue.listVersions(params.id) } }),
    getScenarioContent: async ({ params, query }) => ({
      body: { content: await catalogue.getContent(params.id, query.version, query.language) },
    }),
    listPacks: async () => ({ body: { packs: await catalogue.listPacks() } }),
    getPack: async ({ params }) => ({ body: await catalogue.getPack(params.pack_id) }),
    getPackAsset: ({ params }, request) => sendAsset(context, params.pack_id, params.path, request),
  };
}
