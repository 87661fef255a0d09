import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { DEFAULT_PORTS, VERSION, type Diagnostics } from '@parley/shared/contracts';
import { siblingsOf } from '@parley/shared/service';
import { queueDepth, schemaVersion } from '@parley/shared/store';
import type { SessionApiContext } from '../context';
import { probe, type PeerProbe } from './set-health';

async function freeDisk(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const describe = (name: string, probed: PeerProbe): Diagnostics['processes'][number] => ({
  name,
  pid: probed.ready?.pid ?? null,
  uptime_s: probed.ready?.uptime_s ?? null,
  memory_bytes: probed.ready?.memory_bytes ?? null,
  restarts: probed.ready?.restarts ?? null,
  status: probed.status,
});

const portOf = (address: string): number => Number(new URL(address).port);

/** Several at one port are told apart by their numbers. */
const nameOf = (instance: number | null): string => `session_api${instance === null ? '' : `-${instance}`}`;

/** What a bug report needs: versions, processes, sizes, error codes. No conversation text. */
export async function diagnostics(context: SessionApiContext): Promise<Diagnostics> {
  const { config, database } = context;
  const { peers, runtime } = await context.health.probes();
  const self = {
    name: nameOf(config.base.instance),
    pid: process.pid,
    uptime_s: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    restarts: config.base.restarts,
    status: 'ok',
  };
  const siblings = await Promise.all(
    siblingsOf(config.base).map(async ({ instance, url }) => describe(nameOf(instance), await probe(url))),
  );
  const others = Object.entries(peers).map(([name, probed]) => describe(name, probed));
  return {
    generated_at: context.now().toISOString(),
    versions: {
      parley: VERSION,
      node: process.version,
      database: await database.dialect.libraryVersion(),
      platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    },
    processes: [
      ...[self, ...siblings].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
      ...others,
    ],
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
