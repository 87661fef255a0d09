import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { DiskFullError } from '@parley/shared/contracts';
import { DatabaseOpenError, diskFull } from './database-errors';

/** Written when the first database of a folder is complete; tells an emptied database file from a fresh folder. */
const MARKER = 'database.json';
const BACKUPS = 'backups';
const FILE_HEADER = 'SQLite format 3\0';
/** Files that SQLite keeps beside the database. */
const sqliteSidecarFiles = (file: string): string[] => [`${file}-wal`, `${file}-shm`, `${file}-journal`];
const Marker = z.object({ file: z.string(), created_at: z.string() });

const reason = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);

/**
 * Makes the data folder (mode 0700) if it is not there and proves that files can be written in it.
 * @throws DatabaseOpenError folder_not_writable, disk_full
 */
export function prepareDataFolder(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if ((statSync(dataDir).mode & 0o077) !== 0) chmodSync(dataDir, 0o700);
    writeFileSync(probe, '', { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    if (DiskFullError.of(error) !== null) throw diskFull(dataDir, error);
    throw new DatabaseOpenError(
      'folder_not_writable',
      `The data folder ${dataDir} cannot be written (${reason(error)}): make it writable, or point SIM_DATA_DIR at another folder.`,
      error,
    );
  }
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  try {
    return header.subarray(0, readSync(descriptor, header, 0, header.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the header counts more pages than the file has. Only meaningful when no log waits to be written back. */
function isTruncated(header: Buffer, size: number): boolean {
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? 65536 : stored;
  const countIsCurrent = header.readUInt32BE(24) === header.readUInt32BE(92);
  return countIsCurrent && size < header.readUInt32BE(28) * pageSize;
}

const HELP =
  'Restore a backup with npm run restore -- FILE, or begin anew with npm start -- --new; what is there is kept.';

/** Whether the mark of the folder is about this file. One about a file elsewhere that is still there is not. */
function isMarked(dataDir: string, file: string): boolean {
  try {
    const { file: marked } = Marker.parse(JSON.parse(readFileSync(join(dataDir, MARKER), 'utf8')));
    // A folder that was moved is the same folder.
    return (
      marked === file ||
      (dirname(file) === resolve(dataDir) && basename(marked) === basename(file) && !existsSync(marked))
    );
  } catch (error) {
    return reason(error) !== 'ENOENT';
  }
}

/**
 * Looks at the database file before anything opens it, since opening an emptied file would begin a new database over it.
 * @throws DatabaseOpenError emptied, corrupt
 */
export function inspectDatabaseFile(dataDir: string, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  const [log] = sqliteSidecarFiles(file);
  const logSize = statSync(log as string, { throwIfNoEntry: false })?.size ?? 0;
  if (size === null || size === 0) {
    if (logSize > 0 || isMarked(dataDir, file)) {
      const state = size === null ? 'missing' : 'empty';
      throw new DatabaseOpenError(
        'emptied',
        `The database ${file} is ${state} although this data folder held one. ${HELP}`,
      );
    }
    return;
  }
  const header = readHeader(file);
  const isDatabase = header.length === 100 && header.toString('latin1', 0, 16) === FILE_HEADER;
  if (!isDatabase || (logSize === 0 && isTruncated(header, size))) {
    throw new DatabaseOpenError('corrupt', `The database ${file} is damaged. ${HELP}`);
  }
}

/** The error for a file that SQLite itself found damaged. */
export const corruptDatabase = (file: string, cause: unknown): DatabaseOpenError =>
  new DatabaseOpenError('corrupt', `The database ${file} is damaged. ${HELP}`, cause);

/** Creates the file with mode 0600 before SQLite does; its log files take over the mode. */
export function protectDatabaseFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, ...sqliteSidecarFiles(file)]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

/** Notes that this folder holds a database from now on. */
export function markDatabase(dataDir: string, file: string, now: string): void {
  const marker = join(dataDir, MARKER);
  if (!existsSync(marker)) writeFileSync(marker, `${JSON.stringify({ file, created_at: now })}\n`, { mode: 0o600 });
}

/** Path for a new backup: an empty file for its owner alone, in place of an interrupted copy of the same name. */
export function backupPath(dataDir: string, name: string): string {
  const folder = join(dataDir, BACKUPS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  rmSync(path, { force: true });
  // SQLite would make it readable for everybody.
  writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
  return path;
}

/**
 * Overwrites and removes all backups: they hold what the player has just asked to delete.
 * @returns how many there were
 */
export function eraseBackups(dataDir: string): number {
  const folder = join(dataDir, BACKUPS);
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder);
  for (const name of names) {
    const path = join(folder, name);
    const zeros = Buffer.alloc(1024 * 1024);
    const descriptor = openSync(path, 'r+');
    try {
      const size = statSync(path).size;
      for (let at = 0; at < size; at += zeros.length) {
        writeSync(descriptor, zeros, 0, Math.min(zeros.length, size - at), at);
      }
    } finally {
      closeSync(descriptor);
    }
    rmSync(path);
  }
  return names.length;
}
