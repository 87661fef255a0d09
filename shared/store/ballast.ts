import { randomFillSync } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { open, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFullError } from '@parley/shared/contracts';
import type { Database } from './database';
import { fileSize } from './file-size';

/** A file that does nothing but take room: on a full disk even a deletion needs some, and gets it from here. */
const NAME = 'ballast';
export const BALLAST_BYTES = 8 * 1024 * 1024;
/** It is not made when it would take the last of the disk from the player. */
const LEFT_BESIDE = 3 * BALLAST_BYTES;
const PIECE = 64 * 1024;
/** Some file systems hand freed room out a moment later only; milliseconds before each try. */
const TRIES = [0, 100, 400, 1_500];

/** On the disk that counts: the one with the database file. The disk of a database server is not ours to keep room on. */
const ballastPath = (file: string): string => join(dirname(file), NAME);

/** Random bytes take their room on file systems that pack or share what they hold, too. */
async function write(path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      const piece = Buffer.alloc(PIECE);
      for (let at = 0; at < BALLAST_BYTES; at += PIECE) await file.write(randomFillSync(piece));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Whether it is there, or none is needed. */
export function hasBallast({ dialect: { file } }: Database): boolean {
  return file === null || fileSize(ballastPath(file)) === BALLAST_BYTES;
}

/**
 * Makes the ballast beside the database unless it is there, or none is needed.
 * @returns whether it is there now; false when the disk is too full for it
 */
export async function keepBallast(database: Database): Promise<boolean> {
  const { file } = database.dialect;
  if (file === null || hasBallast(database)) return true;
  const path = ballastPath(file);
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < BALLAST_BYTES + LEFT_BESIDE) return false;
  try {
    await write(path);
    return true;
  } catch (error) {
    if (DiskFullError.of(error) === null) throw error;
    return false;
  }
}

/** Gives the room of the ballast back to the disk; false when there was none. */
export function dropBallast(file: string | null): boolean {
  if (file === null) return false;
  const path = ballastPath(file);
  if (!existsSync(path)) return false;
  rmSync(path, { force: true });
  return true;
}

/**
 * Runs a deletion; when the disk is too full even for that, gives up the ballast and tries again.
 * @throws DiskFullError when that does not suffice, and what the deletion throws
 */
export async function retryWithoutBallast<T>(database: Database, deletion: () => Promise<T>): Promise<T> {
  const deleted = await deletion().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in deleted) return deleted.value;
  if (!(deleted.error instanceof DiskFullError) || !dropBallast(database.dialect.file)) throw deleted.error;
  database.logger?.warn({ bytes: BALLAST_BYTES }, 'the disk is full: the ballast was given up for a deletion');
  for (const [at, pause] of TRIES.entries()) {
    await sleep(pause);
    try {
      return await deletion();
    } catch (error) {
      if (!(error instanceof DiskFullError) || at === TRIES.length - 1) throw error;
    }
  }
  throw deleted.error;
}
