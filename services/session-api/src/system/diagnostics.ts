import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { DEFAULT_PORTS, VERSION, type Diagnostics } from '@parley/shared/contracts';
import { queueDepth, schemaVersion } from '@parley/shared/store';
import type { SessionApiContext } from '../context';

async function freeDisk(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const portOf = (address: string): number => Number(new URL(address).port);

/** What a bug report needs: versions, processes, sizes, error codes. No conversation text. */
export async function diagnostics(context: SessionApiContext): Promise<Diagnostics> {
  const { config, database } = context;
  const { peers, runtime } = await context.health.probes();
  const self = {
    name: 'session_api',
    pid: process.pid,
    uptime_s: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    restarts: config.base.restarts,
    status: 'ok',
  };
  const others = Object.entries(peers).map(([name, probe]) => ({
    name,
    pid: probe.ready?.pid ?? null,
    uptime_s: probe.ready?.uptime_s ?? null,
    memory_bytes: probe.ready?.memory_bytes ?? null,
    restarts: probe.ready?.restarts ?? null,
    status: probe.status,
  }));
  return {
    generated_at: context.now().toISOString(),
    versions: {
      parley: VERSION,
      node: process.version,
      database: await database.dialect.libraryVersion(),
      platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    },
    processes: [self, ...others],
    runtime,
    ports: {
      ...Object.fromEntries(Object.entries(config.base.peers).map(([name, address]) => [name, portOf(address)])),
      session_api: config.base.port,
      ui: config.base.ui_port,
      model_server: DEFAULT_PORTS.model_server,
    },
    paths: { data: config.base.data_dir, database: database.dialect.label },
    schema_version: await schemaVersion(database),
    database_bytes: await database.dialect.sizeInBytes(),
    log_bytes: database.dialect.logSizeInBytes(),
    free_disk_bytes: await freeDisk(config.base.data_dir),
    warnings: context.storage.warnings(),
    queue_depth: await queueDepth(database),
    recent_errors: context.errors.byCode(),
  };
}

/** The same as a zip with one file. */
export async function bundle(context: SessionApiContext): Promise<Readable> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(await diagnostics(context), null, 2)), 'diagnostics.json', {
    mtime: context.now(),
  });
  zip.end();
  return new Readable().wrap(zip.outputStream);
}
