import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The earliest time that a zip can hold, in the clock of the machine, as zips are written: the same bytes everywhere. */
const EPOCH = new Date(1980, 0, 1);
const MODE = 0o100644;

/**
 * A zip of the files below a folder, in the order of their names. The same files make the same bytes.
 * @param names paths below the folder, with `/`
 * @param target the zip; a half one is never left there
 * @throws what reading and writing throw
 */
export async function zipFolder(root: string, names: readonly string[], target: string): Promise<void> {
  const zip = new ZipFile();
  for (const name of [...names].sort((one, other) => (one < other ? -1 : 1)))
    zip.addFile(path.join(root, ...name.split('/')), name, { mtime: EPOCH, mode: MODE, forceDosTimestamp: true });
  zip.end();
  const half = `${target}.part`;
  const written = createWriteStream(half);
  // A file that cannot be read is said there alone: the stream of the zip would only stand still.
  zip.on('error', (error: Error) => written.destroy(error));
  try {
    await pipeline(zip.outputStream, written);
    await rename(half, target);
  } finally {
    await rm(half, { force: true });
  }
}
