import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskFullError, StorageFaultError, type StorageFault } from '@parley/shared/contracts';

/** What SQLite's error codes mean to us. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

export const isCorrupt = (error: unknown): boolean =>
  (error instanceof StorageFaultError && error.fault === 'database_damaged') ||
  /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Failures of the file system where SQLite keeps the system's own reason to itself. A full disk alone is SQLITE_FULL. */
const REFUSED_BY_SYSTEM = /^SQLITE_(IOERR|CANTOPEN|READONLY)/;
const PROBE = Buffer.alloc(64 * 1024, 1);

const FAULT_OF_SYSTEM: Readonly<Record<string, StorageFault>> = {
  ENOENT: 'database_gone',
  ENOTDIR: 'database_gone',
  EROFS: 'database_read_only',
  EACCES: 'database_read_only',
  EPERM: 'database_read_only',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files',
};

/** Why the system refuses to write in a folder, found out by writing there; null when it does not. */
function refusalIn(folder: string): unknown {
  const probe = join(folder, `.room-probe-${randomUUID()}`);
  try {
    writeFileSync(probe, PROBE, { flag: 'wx', mode: 0o600 });
    return null;
  } catch (error) {
    return error;
  } finally {
    try {
      rmSync(probe, { force: true });
    } catch {
      // A disk that lets nothing be removed does not let it be made, either.
    }
  }
}

/** What keeps files from being written beside the database, found out by writing one; null when nothing does. */
export function faultBeside(file: string): DiskFullError | StorageFaultError | null {
  const refusal = refusalIn(dirname(file));
  if (refusal === null) return null;
  return (
    DiskFullError.of(refusal) ??
    new StorageFaultError(FAULT_OF_SYSTEM[codeOf(refusal)] ?? 'database_unreadable', refusal)
  );
}

/** A failed statement as an error for the caller: what is wrong with the storage where that is why, else the driver's own. */
export function explainFailure(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL') return new DiskFullError(error);
  if (code === 'SQLITE_READONLY_DBMOVED') return new StorageFaultError('database_gone', error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new StorageFaultError('database_damaged', error);
  if (!REFUSED_BY_SYSTEM.test(code)) return error;
  const beside = faultBeside(file);
  if (beside !== null)
    return beside instanceof DiskFullError ? new DiskFullError(error) : new StorageFaultError(beside.fault, error);
  return new StorageFaultError(
    code.startsWith('SQLITE_READONLY') ? 'database_read_only' : 'database_unreadable',
    error,
  );
}
