import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { open, type Entry, type ZipFile } from 'yauzl';
import { BackupError, reasonOf } from './backup-error';
import { MANIFEST, Manifest, type ManifestFile } from './manifest';

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

const openZip = (file: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(file, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(error),
    );
  });

const entriesOf = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName)) return reject(new Error('a name comes twice'));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once('error', reject);
    zip.once('end', () => resolve(entries));
    zip.readEntry();
  });

const contentOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  });

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST_BYTES) throw new Error(`it has no ${MANIFEST}`);
  const pieces: Buffer[] = [];
  for await (const piece of await contentOf(zip, entry)) pieces.push(piece as Buffer);
  const parsed = Manifest.safeParse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  if (!parsed.success) throw new Error(`its ${MANIFEST} does not say what it holds`);
  const names = new Set(parsed.data.files.map(({ name }) => name));
  if (names.size !== parsed.data.files.length || names.size + 1 !== entries.size)
    throw new Error(`it holds other files than its ${MANIFEST} names`);
  return parsed.data;
}

async function extract(zip: ZipFile, entry: Entry | undefined, file: ManifestFile, folder: string): Promise<void> {
  if (entry?.uncompressedSize !== file.bytes) throw new Error(`${file.name} is missing or has another size`);
  const target = path.join(folder, ...file.name.split('/'));
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(piece: Buffer, _encoding, next: TransformCallback) {
      hash.update(piece);
      next(null, piece);
    },
  });
  await pipeline(await contentOf(zip, entry), hashing, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  if (hash.digest('hex') !== file.sha256) throw new Error(`${file.name} is not as it was written`);
}

/**
 * Reads a backup into a folder, every file compared with what the backup says of it.
 * @param judge may refuse what the backup says of itself, before anything is written
 * @throws BackupError that says what is wrong with it, and what `judge` throws
 */
export async function readArchive(
  file: string,
  folder: string,
  judge: (manifest: Manifest) => void,
): Promise<Manifest> {
  let zip: ZipFile | null = null;
  try {
    zip = await openZip(file);
    const entries = await entriesOf(zip);
    const manifest = await readManifest(zip, entries);
    judge(manifest);
    for (const one of manifest.files) await extract(zip, entries.get(one.name), one, folder);
    return manifest;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `${file} cannot be restored: it is damaged or no backup (${reasonOf(error)}). Nothing was changed.`,
      error,
    );
  } finally {
    zip?.close();
  }
}
