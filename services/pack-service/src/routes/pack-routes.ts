import { type ImportPackQuery, type PackPathRequest, PACK_ROUTES } from '@parley/shared/contracts';
import { pathOf } from '@parley/shared/client';
import { prefersAsync, withSignsOfLife, type Handlers, type RequestContext } from '@parley/shared/service';
import type { z } from 'zod';
import type { PackContext } from '../context';
import { createPack } from '../authoring/create-pack';
import { checkPack, importPack, uninstallPack, type Replace } from '../import/installing/install';
import type { PackImports } from '../import/installing/pack-imports';
import type { PackSource } from '../import/installing/stage-pack';

const sourceOf = (body: z.infer<typeof PackPathRequest> | undefined, request: RequestContext): PackSource =>
  request.upload === null ? { path: body?.path ?? '', uploaded: false } : { path: request.upload.path, uploaded: true };

const REPLACE: Readonly<Record<NonNullable<ImportPackQuery['replace']>, Replace>> = {
  false: 'none',
  true: 'lower',
  any: 'any',
};

/** What changes the set of packs, or looks at a pack that is not in it: the writer's alone. */
export function packRoutes(context: PackContext, imports: PackImports): Handlers {
  return {
    importPack: ({ body, query, headers }, request) =>
      context.answers.once(
        {
          route: PACK_ROUTES.importPack,
          key: headers['idempotency-key'],
          request: { body, query, async: prefersAsync(headers.prefer) },
          upload: request.upload,
        },
        async () => {
          const source = sourceOf(body, request);
          const replace = REPLACE[query.replace ?? 'false'];
          if (prefersAsync(headers.prefer)) {
            const begun = await imports.begin(source, replace);
            const location = pathOf(PACK_ROUTES.getPackImport, { id: begun.id });
            return {
              status: 202,
              body: begun,
              headers: { Location: location, 'Retry-After': '1', 'Preference-Applied': 'respond-async' },
            };
          }
          const answer = await withSignsOfLife(request.stillWorking, importPack(context, source, { replace }));
          return { body: answer, headers: { Location: `/api/packs/${answer.pack.pack_id}` } };
        },
      ),
    createPack: ({ body, headers }) =>
      context.answers.once(
        { route: PACK_ROUTES.createPack, key: headers['idempotency-key'], request: { body } },
        async () => {
          const made = await createPack(context, body);
          return { status: 201, body: made, headers: { Location: `/api/packs/${made.pack.pack_id}` } };
        },
      ),
    getPackImport: ({ params }) => ({ body: imports.find(params.id) }),
    cancelPackImport: async ({ params }) => {
      await imports.cancel(params.id);
      return {};
    },
    validatePack: async ({ body }, request) => ({
      body: await withSignsOfLife(
        request.stillWorking,
        checkPack(context, sourceOf(body, request), { signal: request.signal }),
      ),
    }),
    deletePack: async ({ params }, request) => {
      await uninstallPack(context, params.pack_id, request.requestId);
      return {};
    },
  };
}
