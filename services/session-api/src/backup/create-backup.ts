import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DiskFullError, VERSION } from '@parley/shared/contracts';
import { databaseAddressOf } from '@parley/shared/data-folder';
import { countSessions, openDatabase, schemaVersion } from '@parley/shared/store';
import { BackupError, reasonOf } from './backup-error';
import { DATABASE, DRAFTS, isFileName, PACKS } from './manifest';
import { writeArchive, type ArchivedFile } from './write-archive';

export interface BackupPlace {
  readonly dataDir: string;
  /** What SIM_DATABASE_URL says. */
  readonly url: string | null;
}

export interface BackupMade {
  readonly bytes: number;
  readonly sessions: number;
  readonly schema_version: number;
  readonly packFiles: number;
  readonly drafts: number;
  /** Files of drafts whose names not every system can write, below the data folder. */
  readonly leftOut: readonly string[];
}

/** The file of the database. @throws BackupError */
export function databaseOf({ dataDir, url }: BackupPlace): string {
  const found = databaseAddressOf(dataDir, url);
  if ('refusal' in found) throw new BackupError(found.refusal);
  if (found.system === 'postgres')
    throw new BackupError(
      `${found.label} is kept by PostgreSQL: save it with pg_dump --format=custom and bring it back with pg_restore --clean --if-exists, while Parley is stopped; the packs lie in ${path.join(dataDir, PACKS)}, drafts in ${path.join(dataDir, DRAFTS)}. Nothing was changed.`,
    );
  return found.file;
}

/** Regular files below a folder of the data folder. */
function filesIn(dataDir: string, part: typeof PACKS | typeof DRAFTS): ArchivedFile[] {
  const folder = path.join(dataDir, part);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name: [part, ...name.split(path.sep)].join('/'), path: path.join(folder, name) }))
    .filter((one) => lstatSync(one.path, { throwIfNoEntry: false })?.isFile() === true)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What the workbench writes beside a file before it takes its place. */
const isHalf = ({ name }: ArchivedFile): boolean => name.endsWith('.saving');

/**
 * Copies drafts, whose files come and go while somebody writes: what is deleted meanwhile is left out, and nothing changes
 * under the archive.
 * @param target a folder that is not there yet
 */
function copyDrafts(files: readonly ArchivedFile[], target: string): ArchivedFile[] {
  mkdirSync(target, { mode: 0o700 });
  return files.flatMap(({ name, path: from }) => {
    const to = path.join(target, ...name.split('/'));
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    try {
      copyFileSync(from, to);
    } catch (error) {
      if (reasonOf(error) === 'ENOENT') return [];
      throw error;
    }
    return [{ name, path: to }];
  });
}

/**
 * Copies the database as it is at one moment, the installed packs and the drafts into one file, while turns run.
 * @param target path of the file; there must be none
 * @throws BackupError in one line; nothing of the target is left then
 */
export async function createBackup(place: BackupPlace, target: string, now = new Date()): Promise<BackupMade> {
  const file = databaseOf(place);
  if (!existsSync(file)) throw new BackupError(`There is nothing to back up: ${file} does not exist.`);
  if (existsSync(target)) throw new BackupError(`${target} exists already. Choose another name, or remove it first.`);
  const copy = `${target}.database`;
  const archive = `${target}.part`;
  const draftCopies = `${target}.drafts`;
  const leftovers = [copy, archive, draftCopies];
  const database = await openDatabase(place);
  try {
    for (const left of leftovers) rmSync(left, { recursive: true, force: true });
    // For its owner alone: SQLite would make it readable for everybody.
    writeFileSync(copy, '', { flag: 'wx', mode: 0o600 });
    await database.dialect.backup(copy);
    const schema_version = await schemaVersion(database);
    const sessions = await countSessions(database);
    // After the database: a pack that is installed meanwhile is taken in at the next start.
    const packs = filesIn(place.dataDir, PACKS);
    const written = filesIn(place.dataDir, DRAFTS).filter((one) => !isHalf(one));
    const draftFiles = copyDrafts(
      written.filter(({ name }) => isFileName(name)),
      draftCopies,
    );
    const about = { format: 2, parley: VERSION, schema_version, created_at: now.toISOString() } as const;
    await writeArchive(archive, [{ name: DATABASE, path: copy }, ...packs, ...draftFiles], about);
    renameSync(archive, target);
    return {
      bytes: statSync(target).size,
      sessions,
      schema_version,
      packFiles: packs.length,
      drafts: new Set(draftFiles.map(({ name }) => name.split('/')[1])).size,
      leftOut: written.map(({ name }) => name).filter((name) => !isFileName(name)),
    };
  } catch (error) {
    if (DiskFullError.of(error) !== null || reasonOf(error) === 'SQLITE_FULL')
      throw new BackupError(`The disk with ${target} is full: choose another place, or free some space.`, error);
    throw new BackupError(
      `The backup ${target} could not be written (${reasonOf(error)}); nothing of it is left.`,
      error,
    );
  } finally {
    for (const left of leftovers) rmSync(left, { recursive: true, force: true });
    await database.close();
  }
}
