import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { DiskFullError } from '@parley/shared/contracts';
import { DownloadError } from './download-error';

/** Bytes that are free on the disk of a file. */
export type FreeBytes = (file: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (file) => {
  const { bavail, bsize } = await statfs(path.dirname(file));
  return bavail * bsize;
};

/** What a model never takes: it stays for talks, debriefs and whatever else lives on the disk. In bytes. */
export const RESERVE_BYTES = 256_000_000;
/** How much is written between two looks at the disk. In bytes. */
const LOOK_EVERY_BYTES = 8 * 1024 * 1024;

const megabytes = (bytes: number): string => `${Math.max(0, Math.floor(bytes / 1e6))} MB`;

const noRoom = (): DownloadError =>
  new DownloadError(
    `The disk is nearly full, and ${megabytes(RESERVE_BYTES)} of it stay for your conversations. What had arrived of the model was removed; free some space, then install it again.`,
    true,
  );

/** @throws DownloadError when the disk of a file has no room for the bytes that are missing of it. */
export async function refuseFullDisk(file: string, missing: number, freeBytes: FreeBytes): Promise<void> {
  const free = await freeBytes(file);
  if (free < missing + RESERVE_BYTES)
    throw new DownloadError(
      `The model needs ${megabytes(missing + 999_999)} beside ${megabytes(RESERVE_BYTES)} that stay for your conversations, and the disk has ${megabytes(free)} free; free some space and try again.`,
    );
}

/** Watches over the disk while a file grows on it: how long it becomes may be unknown, and others write as well. */
export class RoomWatch {
  private unseen = Infinity;

  constructor(
    private readonly file: string,
    private readonly freeBytes: FreeBytes,
  ) {}

  /** To be called before each piece is written. @throws DownloadError when the disk has only the reserve left. */
  async before(bytes: number): Promise<void> {
    this.unseen += bytes;
    if (this.unseen < LOOK_EVERY_BYTES) return;
    this.unseen = bytes;
    if ((await this.freeBytes(this.file)) < RESERVE_BYTES + bytes) throw noRoom();
  }
}

/** What a write was refused with: as one sentence when the disk, or this user's share of it, is full. */
export const refusedWrite = (error: unknown): unknown => (DiskFullError.of(error) === null ? error : noRoom());
