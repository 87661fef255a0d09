import { copyFileSync, existsSync, mkdirSync, openSync, readSync, closeSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '@parley/shared/contracts';
import { isAlive, readRunRecords } from '@parley/shared/process-identity';
import {
  countSessions,
  DatabaseOpenError,
  isDatabaseOpen,
  markDatabase,
  NEWEST_SCHEMA,
  openDatabase,
} from '@parley/shared/store';
import { BackupError, reasonOf } from './backup-error';
import { databaseOf, type BackupPlace } from './create-backup';
import { DATABASE, foldersIn, type Manifest } from './manifest';
import { readArchive } from './read-archive';

export interface Restored {
  /** Where what was replaced lies now; null when there was nothing. */
  readonly kept: string | null;
  readonly sessions: number;
  /** When the backup was made; null for a plain copy of a database. */
  readonly created_at: string | null;
}

const isDatabase = (file: string): boolean => {
  const header = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, 16, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.toString('latin1') === 'SQLite format 3\0';
};

function refuseWhileRunning(dataDir: string, file: string): void {
  const runs = SERVICES.some((service) => readRunRecords(dataDir, service).some(isAlive));
  if (runs || (existsSync(path.dirname(file)) && isDatabaseOpen(file)))
    throw new BackupError(`Parley runs with the data folder ${dataDir}. Run npm stop first, then restore.`);
}

function refuseNewer({ schema_version, parley }: Manifest): void {
  if (schema_version > NEWEST_SCHEMA)
    throw new BackupError(
      `The backup was made by a newer version of Parley (${parley}, schema ${schema_version}; this version knows ${NEWEST_SCHEMA}): update Parley first. Nothing was changed.`,
    );
}

/** Looks through the database that is to be put in place. @returns how many sessions it holds @throws BackupError */
async function checkDatabase(folder: string, file: string): Promise<number> {
  try {
    const database = await openDatabase({ dataDir: folder, file });
    try {
      const damage = await database.dialect.findDamage();
      if (damage !== null)
        throw new BackupError(`The database in the backup is damaged (${damage}). Nothing was changed.`);
      return await countSessions(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof DatabaseOpenError && error.problem === 'newer_schema')
      throw new BackupError(
        'The backup was made by a newer version of Parley: update Parley first. Nothing was changed.',
        error,
      );
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `The database in the backup cannot be used (${reasonOf(error)}). Nothing was changed.`,
      error,
    );
  }
}

/** A database may lie on another disk than the data folder. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (reasonOf(error) !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

/** Makes all moves or none. @throws what the file system says */
function moveAll(moves: readonly (readonly [from: string, to: string])[]): void {
  const made: (readonly [string, string])[] = [];
  try {
    for (const [from, to] of moves) {
      move(from, to);
      made.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of made.reverse()) move(to, from);
    throw error;
  }
}

/**
 * Puts a backup in the place of what the data folder holds, which is kept in a dated folder. A plain copy of a database, such
 * as the ones in the folder `backups`, is taken too: packs and drafts stay then, and drafts with a backup that knows none.
 * @throws BackupError in one line; everything is as it was then
 */
export async function restoreBackup(place: BackupPlace, source: string, now = new Date()): Promise<Restored> {
  const { dataDir } = place;
  const file = databaseOf(place);
  if (!existsSync(source)) throw new BackupError(`There is no file ${source}.`);
  refuseWhileRunning(dataDir, file);
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-');
  const staging = path.join(dataDir, `restore-${stamp}`);
  const kept = path.join(dataDir, `replaced-${stamp}`);
  try {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    const staged = path.join(staging, DATABASE);
    let manifest: Manifest | null = null;
    if (isDatabase(source)) copyFileSync(source, staged);
    else manifest = await readArchive(source, staging, refuseNewer);
    const sessions = await checkDatabase(staging, staged);
    const folders = manifest === null ? [] : foldersIn(manifest);
    const old = [
      file,
      ...['-wal', '-shm', '-journal'].map((end) => file + end),
      path.join(dataDir, 'storage-findings.json'),
      ...folders.map((name) => path.join(dataDir, name)),
    ].filter((one) => existsSync(one));
    if (old.length > 0) mkdirSync(kept, { mode: 0o700 });
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    for (const name of folders) mkdirSync(path.join(staging, name), { recursive: true, mode: 0o700 });
    moveAll([
      ...old.map((one) => [one, path.join(kept, path.basename(one))] as const),
      [staged, file] as const,
      ...folders.map((name) => [path.join(staging, name), path.join(dataDir, name)] as const),
    ]);
    markDatabase(dataDir, file, now.toISOString());
    return { kept: old.length > 0 ? kept : null, sessions, created_at: manifest?.created_at ?? null };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${source} could not be restored (${reasonOf(error)}). What was there is as it was.`, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
