import { type DraftTalk, type DraftTalkRequest, PackFormat, WORKBENCH_ROUTES } from '@parley/shared/contracts';
import { pathOf } from '@parley/shared/client';
import { readGeneratedFile, withSignsOfLife, type Handlers, type RequestContext } from '@parley/shared/service';
import type { PackContext } from '../context';
import { askRuntime } from '../workbench/ask-model';
import { inspectInChild } from '../workbench/check-draft';
import { readDraftFile } from '../workbench/draft-files';
import { playDraftTalk } from '../workbench/draft-talk';
import { Drafts } from '../workbench/drafts';
import { exportDraft } from '../workbench/export-draft';
import { importPack } from '../workbench/pack-tools';
import { ReadyDrafts } from '../workbench/ready-drafts';
import { playthroughOf } from '../workbench/record-talk';

/** The routes of the workbench. */
export function workbenchRoutes(context: PackContext): Handlers {
  const drafts = new Drafts(context);
  const ready = new ReadyDrafts(context);
  const talk = async (id: string, body: DraftTalkRequest, { requestId, signal }: RequestContext): Promise<DraftTalk> =>
    playDraftTalk(await ready.contentsOf(drafts.folderOf(id), signal), body, askRuntime(context, requestId, signal));
  return {
    listDrafts: async () => ({ body: { drafts: await drafts.list() } }),
    createDraft: ({ body, headers }) =>
      context.answers.once(
        { route: WORKBENCH_ROUTES.createDraft, key: headers['idempotency-key'], request: { body } },
        async () => {
          const draft = 'form' in body ? await drafts.fromForm(body.form) : await drafts.copyOf(body.copy_of);
          const Location = pathOf(WORKBENCH_ROUTES.getDraft, { draft_id: draft.draft_id });
          return { status: 201, body: draft, headers: { Location } };
        },
      ),
    getDraft: async ({ params }) => ({ body: await drafts.detail(params.draft_id) }),
    deleteDraft: async ({ params }) => {
      await drafts.remove(params.draft_id);
      return {};
    },
    getDraftFile: ({ params }) => ({ body: readDraftFile(drafts.folderOf(params.draft_id), params.path) }),
    saveDraftFile: async ({ params, body }) => {
      const change = { text: body.text, base: body.base_version };
      return { body: { path: params.path, version: await drafts.saveFile(params.draft_id, params.path, change) } };
    },
    deleteDraftFile: async ({ params }) => {
      await drafts.removeFile(params.draft_id, params.path);
      return {};
    },
    checkDraft: async ({ params }, request) => {
      const looking = inspectInChild(context, drafts.folderOf(params.draft_id), request.signal);
      return { body: (await withSignsOfLife(request.stillWorking, looking)).check };
    },
    installDraft: async ({ params }, request) => {
      const source = { path: drafts.folderOf(params.draft_id), uploaded: false };
      const installing = importPack(context, source, { replace: 'any' });
      return { status: 201, body: await withSignsOfLife(request.stillWorking, installing) };
    },
    exportDraft: async ({ params }, request) => {
      const building = exportDraft(context, drafts.folderOf(params.draft_id), request.signal);
      const { name, bytes } = await withSignsOfLife(request.stillWorking, building);
      const headers = {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${name}.zip"`,
      };
      return { content: bytes, headers };
    },
    talkInDraft: async ({ params, body }, request) => ({
      body: await withSignsOfLife(request.stillWorking, talk(params.draft_id, body, request)),
    }),
    recordDraftTalk: async ({ params, body }, request) => {
      const { fixture_id: id, description: _description, ...asked } = body;
      const played = await withSignsOfLife(request.stillWorking, talk(params.draft_id, asked, request));
      const path = `tests/${id}.yaml`;
      const text = playthroughOf(body, played);
      return {
        status: 201,
        body: { path, version: await drafts.saveFile(params.draft_id, path, { text, base: null }) },
      };
    },
    getPackFormat: async () => ({
      body: PackFormat.parse(await readGeneratedFile(context.config.schemas_dir, 'pack-members.json')),
    }),
  };
}
