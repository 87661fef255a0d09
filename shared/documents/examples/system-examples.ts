import { VERSION, type Settings } from '@parley/shared/contracts';
import { RUNTIME_HEALTH } from './model-examples';
import type { OperationExamples } from './operation-example';

const SETTINGS: Settings = {
  save_transcripts: true,
  save_raw_audio: false,
  save_tts_cache: true,
  relationship_memory_enabled: false,
  telemetry_enabled: false,
};

const answering = (pid: number) => ({
  pid,
  uptime_s: 5400,
  memory_bytes: 62_914_560,
  restarts: 0,
  status: 'ok',
});

/** Of the operations on the service itself: privacy, settings, health, documents. */
export const SYSTEM_EXAMPLES: OperationExamples = {
  clearPrivacy: {
    request: {},
    responses: { 200: { deleted: { sessions: 2, turns: 18, events: 31, debriefs: 2, recaps: 1 } } },
  },
  listRecaps: {
    responses: {
      200: {
        recaps: [
          {
            npc_id: 'dana',
            pack_id: 'the_ask',
            schema_version: '1',
            session_count: 2,
            last_session_at: '2026-01-31T09:38:41.003Z',
            key_observations: ['End with who does what by when.'],
            player_style_tags: ['brings evidence'],
            last_outcome: 'player_exit',
          },
        ],
      },
    },
  },
  deleteRecap: { params: { npc_id: 'dana', pack_id: 'the_ask' }, responses: {} },
  deleteRecaps: { responses: { 200: { deleted: 1 } } },
  getSettings: { responses: { 200: { settings: SETTINGS } } },
  patchSettings: {
    request: { save_transcripts: false },
    responses: { 200: { settings: { ...SETTINGS, save_transcripts: false } } },
  },
  getHealth: {
    responses: {
      200: {
        status: 'ok',
        version: VERSION,
        uptime_s: 5400,
        runtime: RUNTIME_HEALTH,
        privacy: { telemetry_enabled: false, save_transcripts: true, lan_access_enabled: false },
        storage: { status: 'ok', message: null, warnings: [] },
        services: {
          pack_service: { status: 'ok', latency_ms: 1.9 },
          runtime_gateway: { status: 'ok', latency_ms: 2.4 },
          debrief_worker: { status: 'ok', latency_ms: 1.7 },
        },
      },
    },
  },
  getDiagnostics: {
    responses: {
      200: {
        generated_at: '2026-01-31T11:00:00.000Z',
        versions: { parley: VERSION, node: 'v20.20.2', database: 'SQLite 3.53.2', platform: 'linux 6.12.0 x64' },
        processes: [{ name: 'session_api', ...answering(4172) }],
        runtime: RUNTIME_HEALTH,
        ports: { ui: 7354, session_api: 7355 },
        paths: { data: '/home/kim/parley/data', database: '/home/kim/parley/data/parley.sqlite' },
        schema_version: 2,
        database_bytes: 663_328,
        log_bytes: 0,
        free_disk_bytes: 83_040_272_384,
        warnings: [],
        queue_depth: 0,
        recent_errors: [{ code: 'RUNTIME_UNAVAILABLE', count: 1, last_at: '2026-01-31T09:20:11.871Z' }],
      },
    },
  },
  getDiagnosticsBundle: { responses: {} },
  getVoice: { responses: { 200: { available: false, status: 'reserved' } } },
  checkSafety: {
    request: { text: 'Tell me what you earn.', scenario_id: 'the_ask' },
    responses: {
      200: {
        action: 'ok',
        category: null,
        reason: null,
        redirect_text: null,
        resource_text: null,
        enforced: false,
      },
    },
  },
  getOpenapi: {
    responses: { 200: { openapi: '3.1.0', info: { title: 'Parley', version: VERSION }, paths: {} } },
  },
  getAsyncapi: {
    responses: { 200: { asyncapi: '3.0.0', info: { title: 'Parley live session', version: VERSION }, channels: {} } },
  },
  getDocs: { responses: {}, texts: { 'text/html': '<!doctype html><html lang="en">…</html>' } },
};
