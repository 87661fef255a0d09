import { z } from 'zod';
import { STORAGE_FAULT_KINDS } from './errors';
import { Timestamp } from './primitives';
import { RuntimeHealth } from './runtime';

export const PeerHealth = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']).describe('Whether it answers, and how well.'),
    latency_ms: z.number().nullable().describe('How long the probe took; null when it failed.'),
  })
  .describe('Health of another process of the set.');
export type PeerHealth = z.infer<typeof PeerHealth>;

/** What can be wrong with Redis, where several processes share it. */
export const SHARED_FAULT_KINDS = ['redis_unreachable', 'redis_refused', 'redis_persistent'] as const;

export const StorageWarning = z
  .object({
    code: z
      .enum([...STORAGE_FAULT_KINDS, 'log_large', 'log_removed', 'disk_nearly_full', ...SHARED_FAULT_KINDS])
      .describe('What it is, stable.'),
    message: z.string().describe('One plain sentence that says what to do.'),
  })
  .describe('Something about the disk or the database file that a person should mend.');
export type StorageWarning = z.infer<typeof StorageWarning>;

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('degraded: something of it does not work; the others say what.'),
    version: z.string().describe('Version of Parley.'),
    uptime_s: z.number().min(0).describe('Seconds since this process started.'),
    runtime: RuntimeHealth,
    privacy: z
      .object({
        telemetry_enabled: z.literal(false).describe('Always false: nothing is sent anywhere.'),
        save_transcripts: z.boolean().describe('Whether new sessions keep their text on disk.'),
        lan_access_enabled: z.boolean().describe('Whether other machines of the network may call.'),
      })
      .describe('What matters for privacy, read-only.'),
    storage: z
      .object({
        status: z
          .enum(['ok', 'full', 'read_only', 'damaged', 'gone'])
          .describe('Anything but ok: what is said cannot be stored, or the database was found damaged.'),
        message: z.string().nullable().describe('What is wrong and what to do; null while the status is ok.'),
        warnings: z.array(StorageWarning).describe('What a person should mend, the gravest first.'),
      })
      .describe('The database and its disk.'),
    services: z
      .object({
        pack_service: PeerHealth,
        runtime_gateway: PeerHealth,
        debrief_worker: PeerHealth,
      })
      .describe('The other processes of the set.'),
  })
  .describe('Health of the set.');
export type Health = z.infer<typeof Health>;

export const Livez = z
  .object({ status: z.literal('ok').describe('Always ok: a process that does not live does not answer.') })
  .describe('The process lives.');
export const Readyz = z
  .object({
    status: z.enum(['ready', 'not_ready']).describe('not_ready while it starts and stops; then the status is 503.'),
    service: z.string().describe('Which process answers.'),
    version: z.string().describe('Version of Parley.'),
    uptime_s: z.number().min(0).describe('Seconds since it started.'),
    pid: z.int().describe('Process id.'),
    memory_bytes: z.int().describe('Resident memory.'),
    restarts: z.int().nullable().describe('Restarts by the supervisor; null without one.'),
  })
  .describe('Whether the process takes requests.');
export type Readyz = z.infer<typeof Readyz>;
/** As callers see it who may be anywhere: those on another machine get the status alone. */
export const PublicReadyz = Readyz.partial()
  .required({ status: true })
  .describe('Whether the process answers; callers that are not on this machine get the status alone.');

export const VoiceStatus = z
  .object({
    available: z.literal(false).describe('Voice is not there yet.'),
    status: z.literal('reserved').describe('Its paths are reserved.'),
  })
  .describe('Speech-to-text, which is reserved.');

export const Diagnostics = z
  .object({
    generated_at: Timestamp,
    versions: z.record(z.string(), z.string()).describe('Parley, Node, SQLite and the platform.'),
    processes: z
      .array(
        z.object({
          name: z.string().describe('Which process.'),
          pid: z.int().nullable().describe('Process id; null when it does not answer.'),
          uptime_s: z.number().nullable().describe('Seconds since it started; null when it does not answer.'),
          memory_bytes: z.int().nullable().describe('Resident memory; null when it does not answer.'),
          restarts: z.int().nullable().describe('Restarts by the supervisor; null when unknown.'),
          status: z.string().describe('ok, degraded or unavailable.'),
        }),
      )
      .describe('The processes of the set.'),
    runtime: RuntimeHealth,
    ports: z.record(z.string(), z.int()).describe('Port by process.'),
    paths: z.record(z.string(), z.string()).describe('Where data lies.'),
    schema_version: z.int().describe('Number of the last migration of the database.'),
    database_bytes: z.int().nullable().describe('Size of the database, log included; null when it has no file.'),
    log_bytes: z.int().describe('The write-ahead log of the database.'),
    free_disk_bytes: z.int().nullable().describe('Room on the disk with the data folder; null when unknown.'),
    warnings: z.array(StorageWarning).describe('What a person should mend, if anything.'),
    queue_depth: z.int().describe('Debriefs that wait or are being made.'),
    recent_errors: z
      .array(
        z.object({
          code: z.string().describe('Stable error code.'),
          count: z.int().describe('How often it was answered.'),
          last_at: Timestamp,
        }),
      )
      .describe('The last 50 errors, by code.'),
  })
  .describe('What a bug report needs; no conversation text.');
export type Diagnostics = z.infer<typeof Diagnostics>;
