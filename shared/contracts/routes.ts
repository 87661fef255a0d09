import { z } from 'zod';
import { ContentId, PackId, ScenarioId, SessionId } from './primitives';
import type { ErrorCode } from './errors';
import * as session from './session';
import * as events from './events';
import * as debrief from './debrief';
import * as runtime from './runtime';
import * as scenario from './scenario';
import * as pack from './pack';
import * as settings from './settings';
import * as health from './health';
import * as internal from './internal';
import * as insight from './insight';

/** The processes of the set. Names as `details.service` and the health answer say them. */
export const SERVICES = ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface ResponseShape {
  readonly description: string;
  /** Absent: no body, or a body that is not JSON (see contentType). */
  readonly schema?: z.ZodType;
  /** Default application/json. */
  readonly contentType?: string;
  /** Response headers worth naming, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RouteShape {
  readonly operation: string;
  /** Who answers. */
  readonly service: ServiceName;
  /** session_api passes the call on to `service`, at `ownerPath` when it differs. */
  readonly via?: 'session_api';
  readonly ownerPath?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI style: `/api/sessions/{id}`. */
  readonly path: string;
  /** Name of the last parameter when it takes the rest of the path, slashes included. */
  readonly wildcard?: string;
  readonly tag: string;
  readonly summary: string;
  /** player: also for callers on the LAN. local: loopback only. internal: loopback, and no browser. */
  readonly audience: 'player' | 'local' | 'internal';
  /** none: no body is looked at. empty: absent, empty or {}. json_or_multipart: JSON, or a file in the field `file`. */
  readonly bodyKind: 'none' | 'empty' | 'json' | 'json_or_multipart';
  /** Upper bound of a JSON body in bytes; 64 KiB unless told. */
  readonly bodyLimit?: number;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly responses: Readonly<Record<number, ResponseShape>>;
  readonly errors: readonly ErrorCode[];
}

/** JSON bodies above this many bytes are 413. */
export const JSON_BODY_LIMIT = 64 * 1024;
export const CHAT_BODY_LIMIT = 1024 * 1024;
export const UPLOAD_LIMIT = 500 * 1000 * 1000;

const route = <const R extends RouteShape>(shape: R): R => shape;
const ok = <S extends z.ZodType>(schema: S, description: string) => ({ 200: { description, schema } }) as const;

const sessionParams = z.object({ id: SessionId });
const packParams = z.object({ pack_id: PackId });
const scenarioParams = z.object({ id: ScenarioId });

const SESSIONS = { service: 'session_api', tag: 'Sessions' } as const;
const PACKS = { service: 'pack_service', via: 'session_api', tag: 'Packs and scenarios' } as const;
const GATEWAY = { service: 'runtime_gateway', tag: 'Runtime gateway' } as const;
const MODELS = { service: 'runtime_gateway', via: 'session_api', tag: 'Models' } as const;
const SIDECAR = { service: 'runtime_gateway', via: 'session_api', tag: 'Sidecar' } as const;
const SYSTEM = { service: 'session_api', tag: 'System' } as const;

/** Every route of every process. Routers, clients, stand-ins in tests and the documents are made from this one table. */
export const ROUTES = {
  createSession: route({
    ...SESSIONS,
    operation: 'createSession',
    method: 'POST',
    path: '/api/sessions',
    summary: 'Create a session',
    audience: 'player',
    bodyKind: 'json',
    body: session.CreateSessionRequest,
    responses: {
      201: { description: 'The session, in NotStarted.', schema: session.Session, headers: { Location: 'Its path.' } },
    },
    errors: ['SCENARIO_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  listSessions: route({
    ...SESSIONS,
    operation: 'listSessions',
    method: 'GET',
    path: '/api/sessions',
    summary: 'List and search sessions, newest first',
    audience: 'local',
    bodyKind: 'none',
    query: session.ListSessionsQuery,
    responses: ok(session.SessionList, 'A page of sessions.'),
    errors: [],
  }),
  getSession: route({
    ...SESSIONS,
    operation: 'getSession',
    method: 'GET',
    path: '/api/sessions/{id}',
    summary: 'Current session state',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    responses: ok(session.Session, 'The session.'),
    errors: ['SESSION_NOT_FOUND'],
  }),
  startSession: route({
    ...SESSIONS,
    operation: 'startSession',
    method: 'POST',
    path: '/api/sessions/{id}/start',
    summary: 'Deliver the opening line',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    responses: ok(session.StartAnswer, 'The session, the opening and what was emitted.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  }),
  takeTurn: route({
    ...SESSIONS,
    operation: 'takeTurn',
    method: 'POST',
    path: '/api/sessions/{id}/turn',
    summary: 'Submit a player turn and run the whole pipeline',
    audience: 'player',
    bodyKind: 'json',
    params: sessionParams,
    headers: session.IdempotencyHeaders,
    body: session.TakeTurnRequest,
    responses: ok(session.TurnAnswer, 'The result of the turn.'),
    errors: [
      'TURN_INPUT_ERROR', 'SESSION_NOT_FOUND', 'INVALID_STATE', 'TURN_IN_PROGRESS', 'TURN_ABORTED',
      'RUNTIME_UNAVAILABLE', 'OVERLOADED', 'SERVICE_UNAVAILABLE', 'TURN_TIMEOUT',
    ], // prettier-ignore
  }),
  hintTyping: route({
    ...SESSIONS,
    operation: 'hintTyping',
    method: 'POST',
    path: '/api/sessions/{id}/typing',
    summary: 'The player begins to type: a runtime that can reads the talk so far beforehand',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    responses: { 204: { description: 'Taken note of. It changes nothing that is stored.' } },
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE'],
  }),
  endSession: route({
    ...SESSIONS,
    operation: 'endSession',
    method: 'POST',
    path: '/api/sessions/{id}/end',
    summary: 'End the session as the player',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    responses: ok(session.EndAnswer, 'The ended session.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE'],
  }),
  cancelTurn: route({
    ...SESSIONS,
    operation: 'cancelTurn',
    method: 'POST',
    path: '/api/sessions/{id}/cancel',
    summary: 'Abort the running turn; the play goes on',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    responses: ok(session.SessionAnswer, 'The session, without the aborted turn.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE'],
  }),
  createDebrief: route({
    ...SESSIONS,
    operation: 'createDebrief',
    method: 'POST',
    path: '/api/sessions/{id}/debrief',
    summary: 'Generate the debrief, or wait for it',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    headers: session.PreferHeaders,
    responses: {
      200: { description: 'The debrief.', schema: debrief.Debrief },
      202: { description: 'It is being made.', schema: session.SessionAnswer },
    },
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE'],
  }),
  getDebrief: route({
    ...SESSIONS,
    operation: 'getDebrief',
    method: 'GET',
    path: '/api/sessions/{id}/debrief',
    summary: 'The stored debrief',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    responses: ok(debrief.Debrief, 'The debrief.'),
    errors: ['SESSION_NOT_FOUND', 'DEBRIEF_NOT_FOUND'],
  }),
  rateSelf: route({
    ...SESSIONS,
    operation: 'rateSelf',
    method: 'PUT',
    path: '/api/sessions/{id}/self-rating',
    summary: "Store the player's own rating",
    audience: 'player',
    bodyKind: 'json',
    params: sessionParams,
    body: session.SelfRatingRequest,
    responses: ok(session.SelfRatingAnswer, 'The ratings as stored.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  }),
  getTranscript: route({
    ...SESSIONS,
    operation: 'getTranscript',
    method: 'GET',
    path: '/api/sessions/{id}/transcript',
    summary: 'The whole transcript',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    responses: ok(session.Transcript, 'All turns.'),
    errors: ['SESSION_NOT_FOUND'],
  }),
  listEvents: route({
    ...SESSIONS,
    operation: 'listEvents',
    method: 'GET',
    path: '/api/sessions/{id}/events',
    summary: 'Stored events, oldest first',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    query: events.ListEventsQuery,
    responses: ok(events.EventList, 'A page of events.'),
    errors: ['SESSION_NOT_FOUND'],
  }),
  exportSession: route({
    ...SESSIONS,
    operation: 'exportSession',
    method: 'GET',
    path: '/api/sessions/{id}/export',
    summary: 'Export the session as JSON, or as Markdown for reading',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    query: session.ExportQuery,
    responses: {
      200: {
        description: 'The whole session.',
        schema: session.SessionExport,
        headers: { 'Content-Disposition': 'attachment, with a file name.' },
      },
    },
    errors: ['SESSION_NOT_FOUND'],
  }),
  forkSession: route({
    ...SESSIONS,
    operation: 'forkSession',
    method: 'POST',
    path: '/api/sessions/{id}/fork',
    summary: 'Go on from an earlier turn in a new session',
    audience: 'player',
    bodyKind: 'json',
    params: sessionParams,
    body: session.ForkRequest,
    responses: {
      201: { description: 'The new session.', schema: session.Session, headers: { Location: 'Its path.' } },
    },
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE', 'TRANSCRIPT_NOT_SAVED', 'SERVICE_UNAVAILABLE'],
  }),
  compareSession: route({
    ...SESSIONS,
    operation: 'compareSession',
    method: 'GET',
    path: '/api/sessions/{id}/compare',
    summary: 'A fork beside the session that it left',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    responses: ok(insight.Comparison, 'Scores and variables of both.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE'],
  }),
  rescoreSession: route({
    ...SESSIONS,
    operation: 'rescoreSession',
    method: 'POST',
    path: '/api/sessions/{id}/rescore',
    summary: 'Compute the scores of a debrief again, with the rubric that the session started with',
    audience: 'player',
    bodyKind: 'empty',
    params: sessionParams,
    responses: ok(debrief.Debrief, 'The debrief with its scores computed anew; the narrative stays.'),
    errors: ['SESSION_NOT_FOUND', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
  }),
  getDebugPrompt: route({
    ...SESSIONS,
    operation: 'getDebugPrompt',
    method: 'GET',
    path: '/api/sessions/{id}/debug/prompt',
    summary: 'The prompt of a turn, for authors; saved transcripts only',
    audience: 'local',
    bodyKind: 'none',
    params: sessionParams,
    query: insight.DebugPromptQuery,
    responses: ok(insight.DebugPrompt, 'The prompt.'),
    errors: ['SESSION_NOT_FOUND', 'TRANSCRIPT_NOT_SAVED', 'SERVICE_UNAVAILABLE'],
  }),
  checkSafety: route({
    ...SYSTEM,
    operation: 'checkSafety',
    method: 'POST',
    path: '/api/safety/check',
    summary: 'Dry run of the input classifier, for authors; stores nothing',
    audience: 'local',
    bodyKind: 'json',
    body: insight.CheckSafetyRequest,
    responses: ok(insight.SafetyCheck, 'What it says.'),
    errors: ['SCENARIO_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  deleteSession: route({
    ...SESSIONS,
    operation: 'deleteSession',
    method: 'DELETE',
    path: '/api/sessions/{id}',
    summary: 'Delete the session and all that belongs to it',
    audience: 'player',
    bodyKind: 'none',
    params: sessionParams,
    responses: { 204: { description: 'It is gone.' } },
    errors: ['SESSION_NOT_FOUND'],
  }),
  clearPrivacy: route({
    service: 'session_api',
    tag: 'Privacy',
    operation: 'clearPrivacy',
    method: 'POST',
    path: '/api/privacy/clear',
    summary: 'Delete all sessions and what belongs to them; cannot be undone',
    audience: 'local',
    bodyKind: 'json',
    body: session.ClearRequest,
    responses: ok(session.ClearAnswer, 'What was deleted.'),
    errors: [],
  }),
  getProgress: route({
    ...SESSIONS,
    operation: 'getProgress',
    method: 'GET',
    path: '/api/progress',
    summary: 'Scores over time',
    audience: 'local',
    bodyKind: 'none',
    query: session.ProgressQuery,
    responses: ok(session.Progress, 'Attempts and dimensions, oldest first.'),
    errors: [],
  }),
  listRecaps: route({
    service: 'session_api',
    tag: 'Privacy',
    operation: 'listRecaps',
    method: 'GET',
    path: '/api/relationship-memory',
    summary: 'What characters remember',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(debrief.RecapList, 'All recaps.'),
    errors: [],
  }),
  deleteRecap: route({
    service: 'session_api',
    tag: 'Privacy',
    operation: 'deleteRecap',
    method: 'DELETE',
    path: '/api/relationship-memory/{npc_id}/{pack_id}',
    summary: 'Delete one recap',
    audience: 'local',
    bodyKind: 'none',
    params: z.object({ npc_id: ContentId, pack_id: PackId }),
    responses: { 204: { description: 'It is gone.' } },
    errors: ['RECAP_NOT_FOUND'],
  }),
  deleteRecaps: route({
    service: 'session_api',
    tag: 'Privacy',
    operation: 'deleteRecaps',
    method: 'DELETE',
    path: '/api/relationship-memory',
    summary: 'Delete all recaps',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(debrief.DeletedCount, 'How many went.'),
    errors: [],
  }),
  getSettings: route({
    ...SYSTEM,
    operation: 'getSettings',
    method: 'GET',
    path: '/api/settings',
    summary: 'User settings',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(settings.SettingsAnswer, 'All settings.'),
    errors: [],
  }),
  patchSettings: route({
    ...SYSTEM,
    operation: 'patchSettings',
    method: 'PATCH',
    path: '/api/settings',
    summary: 'Change settings',
    audience: 'local',
    bodyKind: 'json',
    body: settings.PatchSettingsRequest,
    responses: ok(settings.SettingsAnswer, 'All settings after the change.'),
    errors: ['SETTING_READ_ONLY'],
  }),
  getHealth: route({
    ...SYSTEM,
    operation: 'getHealth',
    method: 'GET',
    path: '/api/health',
    summary: 'Liveness, runtime health and privacy flags',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(health.Health, 'Always 200 while the process lives.'),
    errors: [],
  }),
  getDiagnostics: route({
    ...SYSTEM,
    operation: 'getDiagnostics',
    method: 'GET',
    path: '/api/diag',
    summary: 'Diagnostics without conversation text',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(health.Diagnostics, 'Diagnostics.'),
    errors: [],
  }),
  getDiagnosticsBundle: route({
    ...SYSTEM,
    operation: 'getDiagnosticsBundle',
    method: 'GET',
    path: '/api/diag/bundle',
    summary: 'The diagnostics as a zip for a bug report',
    audience: 'local',
    bodyKind: 'none',
    responses: { 200: { description: 'A zip.', contentType: 'application/zip' } },
    errors: [],
  }),
  getVoice: route({
    ...SYSTEM,
    operation: 'getVoice',
    method: 'GET',
    path: '/api/stt',
    summary: 'Speech-to-text: reserved',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(health.VoiceStatus, 'Never available yet; every other call under it is 501.'),
    errors: ['RESERVED'],
  }),
  getOpenapi: route({
    ...SYSTEM,
    operation: 'getOpenapi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This interface as OpenAPI 3.1',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(z.record(z.string(), z.unknown()), 'The document.'),
    errors: [],
  }),
  getAsyncapi: route({
    ...SYSTEM,
    operation: 'getAsyncapi',
    method: 'GET',
    path: '/api/asyncapi.json',
    summary: 'The WebSocket as AsyncAPI 3.0',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(z.record(z.string(), z.unknown()), 'The document.'),
    errors: [],
  }),
  getDocs: route({
    ...SYSTEM,
    operation: 'getDocs',
    method: 'GET',
    path: '/api/docs',
    summary: 'This interface as a page to read',
    audience: 'player',
    bodyKind: 'none',
    responses: { 200: { description: 'A page.', contentType: 'text/html; charset=utf-8' } },
    errors: [],
  }),

  listScenarios: route({
    ...PACKS,
    operation: 'listScenarios',
    method: 'GET',
    path: '/api/scenarios',
    summary: 'The catalogue',
    audience: 'player',
    bodyKind: 'none',
    responses: ok(scenario.ScenarioList, 'All scenarios.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getScenario: route({
    ...PACKS,
    operation: 'getScenario',
    method: 'GET',
    path: '/api/scenarios/{id}',
    summary: 'A scenario with its briefing',
    audience: 'player',
    bodyKind: 'none',
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
    audience: 'player',
    bodyKind: 'none',
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
    audience: 'player',
    bodyKind: 'none',
    responses: ok(pack.PackList, 'All packs.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  importPack: route({
    ...PACKS,
    operation: 'importPack',
    method: 'POST',
    path: '/api/packs/import',
    summary: 'Import a pack from an uploaded zip, a local folder or a local zip',
    audience: 'local',
    bodyKind: 'json_or_multipart',
    body: pack.PackPathRequest,
    responses: { 201: { description: 'The pack is installed.', schema: pack.ImportAnswer } },
    errors: ['PACK_ALREADY_INSTALLED', 'PACK_INVALID', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
  }),
  validatePack: route({
    ...PACKS,
    operation: 'validatePack',
    method: 'POST',
    path: '/api/packs/validate',
    summary: 'Validate a pack; installs nothing',
    audience: 'local',
    bodyKind: 'json_or_multipart',
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
    audience: 'player',
    bodyKind: 'none',
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
    audience: 'local',
    bodyKind: 'none',
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
    audience: 'player',
    bodyKind: 'none',
    params: z.object({ pack_id: PackId, path: z.string().min(1).max(400) }),
    responses: {
      200: {
        description: 'The file, with its type.',
        contentType: 'application/octet-stream',
        headers: { 'Cache-Control': 'Immutable when the query names the version.' },
      },
    },
    errors: ['PACK_NOT_FOUND', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),

  listModels: route({
    service: 'session_api',
    tag: 'Models',
    operation: 'listModels',
    method: 'GET',
    path: '/api/models',
    summary: 'Models of the active runtime',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(runtime.ModelList, 'The models.'),
    errors: ['RUNTIME_UNAVAILABLE'],
  }),
  installModel: route({
    ...MODELS,
    operation: 'installModel',
    method: 'POST',
    path: '/api/models/install',
    ownerPath: '/runtime/models/install',
    summary: 'Install a model; the only call that downloads one',
    audience: 'local',
    bodyKind: 'json',
    body: runtime.InstallModelRequest,
    responses: { 202: { description: 'It has begun.', schema: runtime.ModelInstallAnswer } },
    errors: ['MODEL_BUSY', 'NOT_SUPPORTED_BY_RUNTIME', 'RUNTIME_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  }),
  listInstalls: route({
    ...MODELS,
    operation: 'listInstalls',
    method: 'GET',
    path: '/api/models/installs',
    ownerPath: '/runtime/models/installs',
    summary: 'Installs of models',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(runtime.ModelInstallList, 'Newest first.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getInstall: route({
    ...MODELS,
    operation: 'getInstall',
    method: 'GET',
    path: '/api/models/installs/{id}',
    ownerPath: '/runtime/models/installs/{id}',
    summary: 'Progress of an install',
    audience: 'local',
    bodyKind: 'none',
    params: z.object({ id: z.string().min(1).max(64) }),
    responses: ok(runtime.ModelInstall, 'The install.'),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  cancelInstall: route({
    ...MODELS,
    operation: 'cancelInstall',
    method: 'DELETE',
    path: '/api/models/installs/{id}',
    ownerPath: '/runtime/models/installs/{id}',
    summary: 'Cancel an install',
    audience: 'local',
    bodyKind: 'none',
    params: z.object({ id: z.string().min(1).max(64) }),
    responses: { 204: { description: 'It is cancelled.' } },
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  deleteModel: route({
    ...MODELS,
    operation: 'deleteModel',
    method: 'DELETE',
    path: '/api/models/{id}',
    ownerPath: '/runtime/models/{id}',
    summary: 'Delete an installed model',
    audience: 'local',
    bodyKind: 'none',
    params: z.object({ id: z.string().min(1).max(300) }),
    responses: { 204: { description: 'It is gone.' } },
    errors: ['MODEL_NOT_FOUND', 'MODEL_BUSY', 'NOT_SUPPORTED_BY_RUNTIME', 'RUNTIME_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  }),
  listSuggestedModels: route({
    ...MODELS,
    operation: 'listSuggestedModels',
    method: 'GET',
    path: '/api/models/suggested',
    ownerPath: '/runtime/models/suggested',
    summary: 'A short list of models for machines of different size; fetches nothing',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(runtime.SuggestedModels, 'The models.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getSidecar: route({
    ...SIDECAR,
    operation: 'getSidecar',
    method: 'GET',
    path: '/api/sidecar',
    ownerPath: '/runtime/sidecar',
    summary: 'The local model server process',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(runtime.Sidecar, 'Its state.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  startSidecar: route({
    ...SIDECAR,
    operation: 'startSidecar',
    method: 'POST',
    path: '/api/sidecar/start',
    ownerPath: '/runtime/sidecar/start',
    summary: 'Start the local model server',
    audience: 'local',
    bodyKind: 'json',
    body: runtime.StartSidecarRequest,
    responses: ok(runtime.Sidecar, 'Its state.'),
    errors: ['SIDECAR_RUNNING', 'MODEL_NOT_FOUND', 'NOT_SUPPORTED_BY_RUNTIME', 'SERVICE_UNAVAILABLE'],
  }),
  stopSidecar: route({
    ...SIDECAR,
    operation: 'stopSidecar',
    method: 'POST',
    path: '/api/sidecar/stop',
    ownerPath: '/runtime/sidecar/stop',
    summary: 'Stop the local model server',
    audience: 'local',
    bodyKind: 'empty',
    responses: ok(runtime.Sidecar, 'Its state.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  getSidecarLog: route({
    ...SIDECAR,
    operation: 'getSidecarLog',
    method: 'GET',
    path: '/api/sidecar/log',
    ownerPath: '/runtime/sidecar/log',
    summary: 'The last 200 lines of its log',
    audience: 'local',
    bodyKind: 'none',
    responses: ok(runtime.SidecarLog, 'The lines.'),
    errors: ['SERVICE_UNAVAILABLE'],
  }),

  getRuntime: route({
    ...GATEWAY,
    operation: 'getRuntime',
    method: 'GET',
    path: '/runtime',
    summary: 'The active runtime and what it can do',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(runtime.RuntimeInfo, 'The runtime.'),
    errors: [],
  }),
  getRuntimeHealth: route({
    ...GATEWAY,
    operation: 'getRuntimeHealth',
    method: 'GET',
    path: '/runtime/health',
    summary: 'Health of the active runtime',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(runtime.RuntimeHealth, 'Always 200.'),
    errors: [],
  }),
  listRuntimeModels: route({
    ...GATEWAY,
    operation: 'listRuntimeModels',
    method: 'GET',
    path: '/runtime/models',
    summary: 'Models of the active runtime',
    audience: 'internal',
    bodyKind: 'none',
    responses: ok(runtime.RuntimeModels, 'The models.'),
    errors: ['RUNTIME_UNAVAILABLE', 'RUNTIME_ERROR'],
  }),
  chat: route({
    ...GATEWAY,
    operation: 'chat',
    method: 'POST',
    path: '/runtime/chat',
    summary: 'Generate: tokens, then exactly one final or error, one JSON item a line',
    audience: 'internal',
    bodyKind: 'json',
    bodyLimit: CHAT_BODY_LIMIT,
    body: runtime.ChatRequest,
    responses: {
      200: { description: 'Items, one a line.', schema: runtime.ChatItem, contentType: 'application/x-ndjson' },
    },
    errors: ['RUNTIME_UNAVAILABLE', 'TURN_TIMEOUT', 'RUNTIME_ERROR', 'OVERLOADED', 'PAYLOAD_TOO_LARGE'],
  }),
  prewarm: route({
    ...GATEWAY,
    operation: 'prewarm',
    method: 'POST',
    path: '/runtime/prewarm',
    summary: 'Read a prompt into the cache of the runtime while the player still types; generates nothing',
    audience: 'internal',
    bodyKind: 'json',
    bodyLimit: CHAT_BODY_LIMIT,
    body: runtime.ChatRequest,
    responses: { 204: { description: 'It is read.' } },
    errors: [
      'NOT_SUPPORTED_BY_RUNTIME',
      'RUNTIME_UNAVAILABLE',
      'TURN_TIMEOUT',
      'RUNTIME_ERROR',
      'OVERLOADED',
      'PAYLOAD_TOO_LARGE',
    ],
  }),

  getScenarioContent: route({
    service: 'pack_service',
    tag: 'Internal',
    operation: 'getScenarioContent',
    method: 'GET',
    path: '/internal/scenarios/{id}/content',
    summary: 'A scenario whole, hidden parts included; the current version unless one is named',
    audience: 'internal',
    bodyKind: 'none',
    params: scenarioParams,
    query: internal.ScenarioContentQuery,
    responses: ok(scenario.ScenarioContentAnswer, 'The content.'),
    errors: ['SCENARIO_NOT_FOUND'],
  }),
  countPackSessions: route({
    service: 'session_api',
    tag: 'Internal',
    operation: 'countPackSessions',
    method: 'GET',
    path: '/internal/packs/{pack_id}/sessions',
    summary: 'How many sessions of a pack are neither ended nor deleted',
    audience: 'internal',
    bodyKind: 'none',
    params: packParams,
    responses: ok(internal.PackSessions, 'The count.'),
    errors: [],
  }),
  getSessionMemory: route({
    service: 'session_api',
    tag: 'Internal',
    operation: 'getSessionMemory',
    method: 'GET',
    path: '/internal/sessions/{id}/memory',
    summary: 'Text of a session that is not saved, while it is in memory',
    audience: 'internal',
    bodyKind: 'none',
    params: sessionParams,
    responses: ok(internal.SessionMemory, 'What is there.'),
    errors: ['SESSION_NOT_FOUND'],
  }),
  announceDebrief: route({
    service: 'session_api',
    tag: 'Internal',
    operation: 'announceDebrief',
    method: 'POST',
    path: '/internal/sessions/{id}/debrief-ready',
    summary: 'The worker has stored a debrief',
    audience: 'internal',
    bodyKind: 'json',
    bodyLimit: CHAT_BODY_LIMIT,
    params: sessionParams,
    body: internal.DebriefReady,
    responses: { 204: { description: 'Waiting callers are woken.' } },
    errors: ['SESSION_NOT_FOUND'],
  }),
  rescoreDebrief: route({
    service: 'debrief_worker',
    tag: 'Internal',
    operation: 'rescoreDebrief',
    method: 'POST',
    path: '/internal/sessions/{id}/rescore',
    summary: 'Compute the scores of a stored debrief again',
    audience: 'internal',
    bodyKind: 'empty',
    params: sessionParams,
    responses: ok(debrief.Debrief, 'The debrief as stored now.'),
    errors: ['SESSION_NOT_FOUND', 'DEBRIEF_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  wakeWorker: route({
    service: 'debrief_worker',
    tag: 'Internal',
    operation: 'wakeWorker',
    method: 'POST',
    path: '/internal/wake',
    summary: 'There is a job: look at once instead of at the next poll',
    audience: 'internal',
    bodyKind: 'empty',
    responses: { 204: { description: 'It looks.' } },
    errors: [],
  }),
} as const satisfies Record<string, RouteShape>;

export type Routes = typeof ROUTES;
export type OperationName = keyof Routes;

/** Every process has these three beside its routes. */
export const PROBE_PATHS = { livez: '/livez', readyz: '/readyz', metrics: '/metrics' } as const;

/** Path of a session's WebSocket on session-api. */
export const SOCKET_PATH = /^\/ws\/session\/([^/]+)$/;
export const socketPath = (sessionId: string): string => `/ws/session/${encodeURIComponent(sessionId)}`;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Input<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives: everything parsed. */
export interface RouteInput<R extends RouteShape> {
  readonly params: R extends { params: infer P } ? Output<P> : Record<string, never>;
  readonly query: R extends { query: infer Q } ? Output<Q> : Record<string, never>;
  readonly headers: R extends { headers: infer H } ? Output<H> : Record<string, never>;
  readonly body: R extends { body: infer B } ? Output<B> : undefined;
}

/** What a caller gives. */
export type RouteCall<R extends RouteShape> = (R extends { params: infer P } ? { params: Input<P> } : object) &
  (R extends { query: infer Q } ? { query?: Partial<Record<keyof Input<Q>, string | number>> } : object) &
  (R extends { body: infer B } ? { body: Input<B> } : object) & {
    headers?: Readonly<Record<string, string>>;
  };

/** The JSON answers of a route, those with a schema. */
export type RouteAnswer<R extends RouteShape> = {
  [S in keyof R['responses']]: R['responses'][S] extends { schema: infer T } ? Output<T> : undefined;
}[keyof R['responses']];
