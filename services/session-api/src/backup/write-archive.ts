import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { MANIFEST, type Manifest, type ManifestFile } from './manifest';

export interface ArchivedFile {
  readonly name: string;
  readonly path: string;
}

/** Passes bytes on, and knows afterwards how many there were and their digest. */
function counting(done: (bytes: number, sha256: string) => void): Transform {
  const hash = createHash('sha256');
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, next: TransformCallback) {
      bytes += piece.length;
      hash.update(piece);
      next(null, piece);
    },
    flush(next) {
      done(bytes, hash.digest('hex'));
      next();
    },
  });
}

/**
 * Writes files, and last what says which they are, to a new zip for its owner alone. Each file is read once: what is said of
 * it is what was written.
 * @throws Error what the file system says
 */
export async function writeArchive(
  target: string,
  files: readonly ArchivedFile[],
  about: Omit<Manifest, 'files'>,
): Promise<void> {
  const zip = new ZipFile();
  const written: ManifestFile[] = [];
  const mtime = new Date(about.created_at);
  for (const { name, path } of files)
    zip.addReadStreamLazy(name, { mtime, mode: 0o100600 }, (give) => {
      const counted = counting((bytes, sha256) => written.push({ name, bytes, sha256 }));
      // A file that cannot be read ends the whole archive.
      pipeline(createReadStream(path), counted).catch((error: Error) => zip.outputStream.emit('error', error));
      give(null, counted);
    });
  // Its turn comes when all others are written.
  zip.addReadStreamLazy(MANIFEST, { mtime, mode: 0o100600 }, (give) =>
    give(null, Readable.from([`${JSON.stringify({ ...about, files: written }, null, 2)}\n`])),
  );
  zip.end();
  await pipeline(new Readable().wrap(zip.outputStream), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  const handle = await open(target, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
