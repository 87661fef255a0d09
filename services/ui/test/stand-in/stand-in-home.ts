import {
  DEFAULT_SETTINGS,
  type Diagnostics,
  type Health,
  type PeerHealth,
  type Progress,
  type Recap,
  type RuntimeHealth,
  type Settings,
} from '@parley/shared/contracts';
import type { Handlers } from '@parley/shared/service';
import { waitUntil } from '@parley/shared/testing';

const READY: RuntimeHealth = {
  runtime_id: 'fake',
  runtime_name: 'Demo voice',
  status: 'READY',
  model_id: 'fake-small',
  latency_ms: 0,
  message: null,
  checked_at: '2026-01-01T00:00:00.000Z',
};

const DIAGNOSTICS: Diagnostics = {
  generated_at: '2026-01-01T00:00:00.000Z',
  versions: { parley: '0.1.0', node: '20.20.2' },
  processes: [
    { name: 'session_api', pid: 4711, uptime_s: 125, memory_bytes: 82_000_000, restarts: 0, status: 'ok' },
    { name: 'debrief_worker', pid: null, uptime_s: null, memory_bytes: null, restarts: null, status: 'unavailable' },
  ],
  runtime: READY,
  ports: { ui: 7354 },
  paths: {},
  schema_version: 1,
  database_bytes: 1_400_000,
  log_bytes: 4_100_000,
  free_disk_bytes: 80_000_000_000,
  warnings: [],
  queue_depth: 0,
  recent_errors: [{ code: 'RUNTIME_UNAVAILABLE', count: 2, last_at: '2026-01-01T00:00:00.000Z' }],
};

/** What the page asks about beside sessions: health, settings, progress and what characters remember. */
export class StandInHome {
  recaps: Recap[] = [];
  settings: Settings = { ...DEFAULT_SETTINGS };
  runtime: RuntimeHealth = READY;
  /** Processes of the set that are not well, by name. */
  storage: Health['storage'] = { status: 'ok', message: null, warnings: [] };
  services: Partial<Record<keyof Health['services'], PeerHealth['status']>> = {};
  /** A service that hangs takes the question and never answers it. */
  hangs = false;
  progress: Progress = { scenarios: [], dimensions: [], skills: [], suggestions: [] };

  handlers(): Handlers {
    const peer = (name: keyof Health['services']): PeerHealth => {
      const status = this.services[name] ?? 'ok';
      return { status, latency_ms: status === 'ok' ? 1 : null };
    };
    const health = (): Health => ({
      status: this.runtime.status === 'READY' && Object.keys(this.services).length === 0 ? 'ok' : 'degraded',
      version: '0.1.0',
      uptime_s: 1,
      runtime: this.runtime,
      privacy: {
        telemetry_enabled: false,
        save_transcripts: this.settings.save_transcripts,
        lan_access_enabled: false,
      },
      storage: this.storage,
      services: {
        pack_service: peer('pack_service'),
        runtime_gateway: peer('runtime_gateway'),
        debrief_worker: peer('debrief_worker'),
      },
    });
    return {
      getHealth: async () => {
        await waitUntil('the service to go on', () => !this.hangs, { timeoutMs: 60_000 });
        return { body: health() };
      },
      getSettings: () => ({ body: { settings: this.settings } }),
      patchSettings: ({ body }) => {
        this.settings = { ...this.settings, ...body, telemetry_enabled: false } as Settings;
        return { body: { settings: this.settings } };
      },
      getProgress: () => ({ body: this.progress }),
      getDiagnostics: () => ({ body: { ...DIAGNOSTICS, runtime: this.runtime } }),
      listRecaps: () => ({ body: { recaps: this.recaps } }),
      deleteRecap: ({ params }) => {
        this.recaps = this.recaps.filter((one) => one.npc_id !== params.npc_id || one.pack_id !== params.pack_id);
        return {};
      },
      deleteRecaps: () => {
        const deleted = this.recaps.length;
        this.recaps = [];
        return { body: { deleted } };
      },
    };
  }
}
