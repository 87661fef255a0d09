import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { DownloadError } from './download-error';

/** What stays free on the disk for everything else. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** @throws DownloadError when the disk of a file has no room for the bytes that are missing of it. */
export async function refuseFullDisk(file: string, missing: number): Promise<void> {
  const { bavail, bsize } = await statfs(path.dirname(file));
  if (bavail * bsize < missing + SPARE_BYTES)
    throw new DownloadError(
      `The disk has ${Math.floor((bavail * bsize) / 1e6)} MB free and the model needs ${Math.ceil(missing / 1e6)} MB; free some space and try again.`,
    );
}
