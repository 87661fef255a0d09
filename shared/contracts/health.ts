import { z } from 'zod';
import { Timestamp } from './primitives';
import { RuntimeHealth } from './runtime';

export const PeerHealth = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    latency_ms: z.number().nullable().describe('How long the probe took; null when it failed.'),
  })
  .describe('Health of another process of the set.');
export type PeerHealth = z.infer<typeof PeerHealth>;

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    uptime_s: z.number().min(0),
    runtime: RuntimeHealth,
    privacy: z.object({
      telemetry_enabled: z.literal(false),
      save_transcripts: z.boolean(),
      lan_access_enabled: z.boolean(),
    }),
    services: z.object({
      pack_service: PeerHealth,
      runtime_gateway: PeerHealth,
      debrief_worker: PeerHealth,
    }),
  })
  .describe('Health of the set.');
export type Health = z.infer<typeof Health>;

export const Livez = z.object({ status: z.literal('ok') });
export const Readyz = z.object({
  status: z.enum(['ready', 'not_ready']),
  service: z.string(),
  version: z.string(),
  uptime_s: z.number().min(0),
  pid: z.int(),
  memory_bytes: z.int().describe('Resident memory.'),
  restarts: z.int().nullable().describe('Restarts by the supervisor; null without one.'),
});
export type Readyz = z.infer<typeof Readyz>;

export const VoiceStatus = z.object({ available: z.literal(false), status: z.literal('reserved') });

export const StorageWarning = z
  .object({
    code: z.enum(['log_large', 'disk_nearly_full']),
    message: z.string().describe('One plain sentence that says what to do.'),
  })
  .describe('Something about the disk or the database file that a person should mend.');
export type StorageWarning = z.infer<typeof StorageWarning>;

export const Diagnostics = z
  .object({
    generated_at: Timestamp,
    versions: z.record(z.string(), z.string()).describe('Parley, Node, SQLite and the platform.'),
    processes: z.array(
      z.object({
        name: z.string(),
        pid: z.int().nullable(),
        uptime_s: z.number().nullable(),
        memory_bytes: z.int().nullable(),
        restarts: z.int().nullable().describe('Restarts by the supervisor; null when unknown.'),
        status: z.string(),
      }),
    ),
    ports: z.record(z.string(), z.int()),
    paths: z.record(z.string(), z.string()),
    schema_version: z.int(),
    database_bytes: z.int().nullable(),
    log_bytes: z.int().describe('The write-ahead log of the database.'),
    free_disk_bytes: z.int().nullable(),
    warnings: z.array(StorageWarning).describe('What a person should mend, if anything.'),
    queue_depth: z.int(),
    recent_errors: z
      .array(z.object({ code: z.string(), count: z.int(), last_at: Timestamp }))
      .describe('The last 50 errors, by code.'),
  })
  .describe('What a bug report needs; no conversation text.');
export type Diagnostics = z.infer<typeof Diagnostics>;
