import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskFullError } from '@parley/shared/contracts';

/** What SQLite's error codes mean to us. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

export const isCorrupt = (error: unknown): boolean =>
  codeOf(error).startsWith('SQLITE_CORRUPT') || codeOf(error) === 'SQLITE_NOTADB';

/** Failures of the file system where SQLite keeps the system's own reason to itself. A full disk alone is SQLITE_FULL. */
const REFUSED_BY_SYSTEM = /^SQLITE_(IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE|SHMOPEN|SHMMAP)|CANTOPEN)$/;
const PROBE = Buffer.alloc(64 * 1024, 1);

/** Why the system refuses to write in a folder, found out by writing there; null when it does not. */
function refusalIn(folder: string): unknown {
  const probe = join(folder, `.room-probe-${randomUUID()}`);
  try {
    writeFileSync(probe, PROBE, { flag: 'wx', mode: 0o600 });
    return null;
  } catch (error) {
    return error;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** A failed statement as an error for the caller: DiskFullError when there was no room, else the driver's own. */
export function explainFailure(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL') return new DiskFullError(error);
  if (!REFUSED_BY_SYSTEM.test(code)) return error;
  return DiskFullError.of(refusalIn(dirname(file))) === null ? error : new DiskFullError(error);
}
