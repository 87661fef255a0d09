import { z } from 'zod';
import { ImportAnswer } from '../pack';
import { IdempotencyHeaders } from '../session';
import * as workbench from '../workbench';
import { ok, route } from './route-shape';

const WORKBENCH = { service: 'pack_service', via: 'session_api', tag: 'Workbench', audience: 'local' } as const;

const draftParams = z.object({ draft_id: workbench.DraftId });
const fileParams = draftParams.extend({
  path: z.string().min(1).max(400).describe('Path of the file in the pack.'),
});
/** A text of the longest size, each unit of it escaped, and a little around it. */
const FILE_BODY_LIMIT = 6 * workbench.MAX_DRAFT_TEXT + 1024;
/** A hundred lines with their answers. */
const TALK_BODY_LIMIT = 4 * 1024 * 1024;
const TALKED = [
  'NOT_FOUND',
  'SCENARIO_NOT_FOUND',
  'PACK_INVALID',
  'VALIDATION_ERROR',
  'RUNTIME_ERROR',
  'RUNTIME_UNAVAILABLE',
  'TURN_TIMEOUT',
  'SERVICE_UNAVAILABLE',
] as const;
const CHANGED = ['NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'] as const;

/** Writing packs on the page: only for this machine, since every draft is a folder on its disk. */
export const WORKBENCH_ROUTES = {
  listDrafts: route({
    ...WORKBENCH,
    operation: 'listDrafts',
    method: 'GET',
    path: '/api/workbench/drafts',
    summary: 'Packs that are being written',
    description: 'Drafts lie in the data folder. None is played before it is installed.',
    bodyKind: 'none',
    responses: ok(workbench.DraftList, 'All drafts.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  createDraft: route({
    ...WORKBENCH,
    operation: 'createDraft',
    method: 'POST',
    path: '/api/workbench/drafts',
    summary: 'Begin a draft',
    description: 'Makes a draft out of the form that createPack takes, or out of an installed pack; installs nothing.',
    bodyKind: 'json',
    headers: IdempotencyHeaders,
    body: workbench.CreateDraftRequest,
    responses: { 201: { description: 'The draft.', schema: workbench.Draft, headers: { Location: 'Its path.' } } },
    errors: ['PACK_NOT_FOUND', 'INVALID_STATE', 'IDEMPOTENCY_KEY_REUSED', 'SERVICE_UNAVAILABLE'],
  }),
  getDraft: route({
    ...WORKBENCH,
    operation: 'getDraft',
    method: 'GET',
    path: '/api/workbench/drafts/{draft_id}',
    summary: 'A draft with its files',
    description: 'Names and sizes of all files; getDraftFile has their texts.',
    bodyKind: 'none',
    params: draftParams,
    responses: ok(workbench.DraftDetail, 'The draft.'),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  deleteDraft: route({
    ...WORKBENCH,
    operation: 'deleteDraft',
    method: 'DELETE',
    path: '/api/workbench/drafts/{draft_id}',
    summary: 'Delete a draft',
    description: 'Deletes its folder. A pack that was installed from it stays installed.',
    bodyKind: 'none',
    params: draftParams,
    responses: { 204: { description: 'It is gone.' } },
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  getDraftFile: route({
    ...WORKBENCH,
    operation: 'getDraftFile',
    method: 'GET',
    path: '/api/workbench/drafts/{draft_id}/files/{path}',
    wildcard: 'path',
    summary: 'The text of a file of a draft',
    description: 'Texts only: pictures and sounds are listed, not opened.',
    bodyKind: 'none',
    params: fileParams,
    responses: ok(workbench.DraftText, 'The text with its version.'),
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  }),
  saveDraftFile: route({
    ...WORKBENCH,
    operation: 'saveDraftFile',
    method: 'PUT',
    path: '/api/workbench/drafts/{draft_id}/files/{path}',
    wildcard: 'path',
    summary: 'Save a file of a draft',
    description:
      'Takes the place of the version that is named, and of no other: what somebody else saved meanwhile is refused with INVALID_STATE. Whether the text is right is what checkDraft says.',
    bodyKind: 'json',
    bodyLimit: FILE_BODY_LIMIT,
    params: fileParams,
    body: workbench.SaveDraftFileRequest,
    responses: ok(workbench.SavedDraftFile, 'It is saved.'),
    errors: [...CHANGED, 'VALIDATION_ERROR'],
  }),
  deleteDraftFile: route({
    ...WORKBENCH,
    operation: 'deleteDraftFile',
    method: 'DELETE',
    path: '/api/workbench/drafts/{draft_id}/files/{path}',
    wildcard: 'path',
    summary: 'Delete a file of a draft',
    description: 'The manifest stays: a pack cannot be without it.',
    bodyKind: 'none',
    params: fileParams,
    responses: { 204: { description: 'It is gone.' } },
    errors: [...CHANGED, 'VALIDATION_ERROR'],
  }),
  checkDraft: route({
    ...WORKBENCH,
    operation: 'checkDraft',
    method: 'POST',
    path: '/api/workbench/drafts/{draft_id}/check',
    summary: 'Check a draft',
    description:
      'All that an import would find, what its playthroughs come to, the names that its files may use, and how soon each event, secret and ending can come. Changes nothing.',
    bodyKind: 'empty',
    // It is checked in a process of its own, as an import is.
    patience: 12,
    params: draftParams,
    responses: ok(workbench.DraftCheck, 'What was found.'),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  installDraft: route({
    ...WORKBENCH,
    operation: 'installDraft',
    method: 'POST',
    path: '/api/workbench/drafts/{draft_id}/install',
    summary: 'Install a draft',
    description:
      'The same as importPack with replace=any: it takes the place of the pack of its id, whatever the version. Sessions in play keep what they began with.',
    bodyKind: 'empty',
    patience: 12,
    params: draftParams,
    responses: { 201: { description: 'The pack is installed.', schema: ImportAnswer } },
    errors: ['NOT_FOUND', 'PACK_ALREADY_INSTALLED', 'PACK_INVALID', 'SERVICE_UNAVAILABLE'],
  }),
  exportDraft: route({
    ...WORKBENCH,
    operation: 'exportDraft',
    method: 'GET',
    path: '/api/workbench/drafts/{draft_id}/zip',
    summary: 'A draft as a zip that others can import',
    description: 'Only a draft without errors. The same files always make the same bytes.',
    bodyKind: 'none',
    patience: 12,
    params: draftParams,
    responses: {
      200: {
        description: 'The zip.',
        contentType: 'application/zip',
        headers: { 'Content-Disposition': 'attachment, with a file name.' },
      },
    },
    errors: ['NOT_FOUND', 'PACK_INVALID', 'SERVICE_UNAVAILABLE'],
  }),
  talkInDraft: route({
    ...WORKBENCH,
    operation: 'talkInDraft',
    method: 'POST',
    path: '/api/workbench/drafts/{draft_id}/talk',
    summary: 'Talk with the character of a draft, from any state',
    description:
      'Plays the lines by the rules of a session, beginning in the state that is given, and answers those that have no answer yet. Nothing is stored: the whole talk comes with each call. Only a draft without errors.',
    bodyKind: 'json',
    bodyLimit: TALK_BODY_LIMIT,
    // Without a sign of life: a model may take minutes, and pack-service gives one every two seconds.
    patience: 12,
    params: draftParams,
    body: workbench.DraftTalkRequest,
    responses: ok(workbench.DraftTalk, 'The talk so far.'),
    errors: [...TALKED],
  }),
  recordDraftTalk: route({
    ...WORKBENCH,
    operation: 'recordDraftTalk',
    method: 'POST',
    path: '/api/workbench/drafts/{draft_id}/talk/record',
    summary: 'Make a playthrough of a talk',
    description:
      'Writes tests/<fixture_id>.yaml with the lines, the outputs and what came of them; the check plays it from then on.',
    bodyKind: 'json',
    bodyLimit: TALK_BODY_LIMIT,
    patience: 12,
    params: draftParams,
    body: workbench.RecordDraftTalkRequest,
    responses: { 201: { description: 'The file.', schema: workbench.SavedDraftFile } },
    errors: [...TALKED, 'INVALID_STATE'],
  }),
  getPackFormat: route({
    ...WORKBENCH,
    operation: 'getPackFormat',
    method: 'GET',
    path: '/api/workbench/format',
    summary: 'Every member of every file of a pack, for editors',
    description: 'What docs/pack-format.md says, as data: an editor completes and explains with it.',
    bodyKind: 'none',
    hasEntityTag: true,
    responses: ok(workbench.PackFormat, 'The members.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
} as const;
