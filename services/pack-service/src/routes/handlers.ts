import type { PackPathRequest } from '@parley/shared/contracts';
import type { Handlers, RequestContext } from '@parley/shared/service';
import type { z } from 'zod';
import type { PackContext } from '../context';
import { checkPack, importPack, uninstallPack } from '../import/install';
import type { PackSource } from '../import/stage-pack';
import { sendAsset } from './send-asset';

const sourceOf = (body: z.infer<typeof PackPathRequest> | undefined, request: RequestContext): PackSource =>
  request.upload === null ? { path: body?.path ?? '', uploaded: false } : { path: request.upload.path, uploaded: true };

/** The routes of pack-service. */
export function packHandlers(context: PackContext): Handlers {
  const { catalogue } = context;
  return {
    listScenarios: async () => ({ body: { scenarios: await catalogue.listScenarios() } }),
    getScenario: async ({ params }) => ({ body: await catalogue.getScenario(params.id) }),
    listScenarioVersions: async ({ params }) => ({ body: { versions: await catalogue.listVersions(params.id) } }),
    getScenarioContent: async ({ params, query }) => ({
      body: { content: await catalogue.getContent(params.id, query.version, query.language) },
    }),
    listPacks: async () => ({ body: { packs: await catalogue.listPacks() } }),
    getPack: async ({ params }) => ({ body: await catalogue.getPack(params.pack_id) }),
    importPack: async ({ body }, request) => {
      const answer = await importPack(context, sourceOf(body, request));
      return { body: answer, headers: { Location: `/api/packs/${answer.pack.pack_id}` } };
    },
    validatePack: async ({ body }, request) => ({ body: await checkPack(context, sourceOf(body, request)) }),
    deletePack: async ({ params }, request) => {
      await uninstallPack(context, params.pack_id, request.requestId);
      return {};
    },
    getPackAsset: ({ params }, request) => sendAsset(context, params.pack_id, params.path, request),
  };
}
