import { z } from 'zod';
import { PackId } from '../primitives';
import { IdempotencyHeaders } from '../session';
import * as scenario from '../scenario';
import * as pack from '../pack';
import { PackForm } from '../pack-form';
import { ok, packParams, PACKS, route, scenarioParams } from './route-shape';

const importParams = z.object({ id: z.string().min(1).max(64).describe('Id of the import.') });

/** Scenarios and packs; session_api passes these on to their owner. */
export const PACK_ROUTES = {
  listScenarios: route({
    ...PACKS,
    operation: 'listScenarios',
    method: 'GET',
    path: '/api/scenarios',
    summary: 'The catalogue',
    description: 'All scenarios of all installed packs.',
    audience: 'player',
    bodyKind: 'none',
    hasEntityTag: true,
    responses: ok(scenario.ScenarioList, 'All scenarios.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getScenario: route({
    ...PACKS,
    operation: 'getScenario',
    method: 'GET',
    path: '/api/scenarios/{id}',
    summary: 'A scenario with its briefing',
    description:
      'What a player may know before playing: briefing, goals, difficulties, endings, rubric. Hidden goals are not in it.',
    audience: 'player',
    bodyKind: 'none',
    hasEntityTag: true,
    params: scenarioParams,
    responses: ok(scenario.ScenarioDetail, 'The scenario.'),
    errors: ['SCENARIO_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  listScenarioVersions: route({
    ...PACKS,
    operation: 'listScenarioVersions',
    method: 'GET',
    path: '/api/scenarios/{id}/versions',
    summary: 'Versions of a scenario',
    description: 'Every version that was ever played; sessions keep the version that they started with.',
    audience: 'player',
    bodyKind: 'none',
    hasEntityTag: true,
    params: scenarioParams,
    responses: ok(scenario.ScenarioVersions, 'Newest first.'),
    errors: ['SCENARIO_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  listPacks: route({
    ...PACKS,
    operation: 'listPacks',
    method: 'GET',
    path: '/api/packs',
    summary: 'Installed packs',
    description: 'All installed packs, built-in ones included.',
    audience: 'player',
    bodyKind: 'none',
    hasEntityTag: true,
    responses: ok(pack.PackList, 'All packs.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  importPack: route({
    ...PACKS,
    operation: 'importPack',
    method: 'POST',
    path: '/api/packs/import',
    summary: 'Import a pack from an uploaded zip, a local folder or a local zip',
    description:
      'Validates the pack and installs it, all or nothing. With an Idempotency-Key a repeat within 24 hours answers what the first import answered; files are compared by their bytes.',
    audience: 'local',
    bodyKind: 'json_or_multipart',
    // Two minutes without a sign of life; while it works it gives one every two seconds.
    patience: 12,
    headers: IdempotencyHeaders.extend({
      prefer: z.string().optional().describe('respond-async: answer 202 at once, and import meanwhile.'),
    }),
    query: pack.ImportPackQuery,
    body: pack.PackPathRequest,
    responses: {
      201: { description: 'The pack is installed.', schema: pack.ImportAnswer, headers: { Location: 'Its path.' } },
      202: {
        description: 'Asked for by Prefer: respond-async. The import has begun.',
        schema: pack.PackImport,
        headers: { Location: 'Where to ask how far it is.', 'Retry-After': 'Seconds until then.' },
      },
    },
    errors: [
      'PACK_ALREADY_INSTALLED', 'PACK_INVALID', 'PAYLOAD_TOO_LARGE', 'IDEMPOTENCY_KEY_REUSED', 'SERVICE_UNAVAILABLE',
    ], // prettier-ignore
  }),
  createPack: route({
    ...PACKS,
    operation: 'createPack',
    method: 'POST',
    path: '/api/packs/new',
    summary: 'Make a pack from a form',
    description:
      'Whom the talk is with, what the player wants and what the other fears or needs become a whole pack, which is installed and can be played at once. Without a pack_id it gets a free one that begins with "my.".',
    audience: 'local',
    bodyKind: 'json',
    // It is checked in a process of its own, as an import is.
    patience: 12,
    headers: IdempotencyHeaders,
    body: PackForm,
    responses: {
      201: { description: 'The pack is installed.', schema: pack.CreatedPack, headers: { Location: 'Its path.' } },
    },
    errors: ['PACK_ALREADY_INSTALLED', 'PACK_INVALID', 'IDEMPOTENCY_KEY_REUSED', 'SERVICE_UNAVAILABLE'],
  }),
  getPackImport: route({
    ...PACKS,
    operation: 'getPackImport',
    method: 'GET',
    path: '/api/packs/imports/{id}',
    summary: 'How far an import is that was begun with Prefer: respond-async',
    audience: 'local',
    bodyKind: 'none',
    params: importParams,
    responses: ok(pack.PackImport, 'The import.'),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  cancelPackImport: route({
    ...PACKS,
    operation: 'cancelPackImport',
    method: 'DELETE',
    path: '/api/packs/imports/{id}',
    summary: 'Cancel an import',
    audience: 'local',
    bodyKind: 'none',
    params: importParams,
    responses: { 204: { description: 'It is cancelled, and nothing is left of it.' } },
    errors: ['NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  }),
  validatePack: route({
    ...PACKS,
    operation: 'validatePack',
    method: 'POST',
    path: '/api/packs/validate',
    summary: 'Validate a pack; installs nothing',
    description: 'Answers every finding at once, with file, line and what to do.',
    audience: 'local',
    bodyKind: 'json_or_multipart',
    patience: 12,
    body: pack.PackPathRequest,
    responses: ok(pack.ValidateAnswer, 'All findings.'),
    errors: ['PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
  }),
  getPack: route({
    ...PACKS,
    operation: 'getPack',
    method: 'GET',
    path: '/api/packs/{pack_id}',
    summary: 'A pack with what is in it',
    description: 'What a pack has: scenarios, characters, rubrics, policies, scenes and files.',
    audience: 'player',
    bodyKind: 'none',
    hasEntityTag: true,
    params: packParams,
    responses: ok(pack.PackDetail, 'The pack.'),
    errors: ['PACK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  deletePack: route({
    ...PACKS,
    operation: 'deletePack',
    method: 'DELETE',
    path: '/api/packs/{pack_id}',
    summary: 'Uninstall a pack',
    description: 'Uninstalls a pack that was imported. Sessions that have ended keep what they need.',
    audience: 'local',
    bodyKind: 'none',
    // It asks session_api, and removes many files.
    patience: 3,
    params: packParams,
    responses: { 204: { description: 'It is gone.' } },
    errors: ['PACK_NOT_FOUND', 'PACK_IN_USE', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  }),
  getPackAsset: route({
    ...PACKS,
    operation: 'getPackAsset',
    method: 'GET',
    path: '/api/packs/{pack_id}/assets/{path}',
    wildcard: 'path',
    summary: 'An asset of a pack',
    description:
      'A picture, sound or text of a pack, under the type that its bytes show. The addresses that the catalogue gives name the version and may be kept for ever. A path with `assets/` in front names the same file.',
    audience: 'player',
    bodyKind: 'none',
    params: z.object({
      pack_id: PackId,
      path: z.string().min(1).max(400).describe('Path of the file in the folder assets of the pack.'),
    }),
    responses: {
      200: {
        description: 'The file, with its type.',
        contentType: 'image/svg+xml',
        otherTypes: [
          'image/png', 'image/jpeg', 'image/webp', 'image/gif', 'audio/mpeg', 'audio/ogg', 'audio/wav',
          'text/plain', 'application/octet-stream',
        ], // prettier-ignore
        headers: {
          'Cache-Control': 'Immutable when the query names the version, as the addresses of the catalogue do.',
          ETag: 'Answered 304 to whoever sends it back in If-None-Match.',
        },
      },
    },
    errors: ['PACK_NOT_FOUND', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
} as const;
