import { createWriteStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { fromFd, type Entry, type ZipFile } from 'yauzl';
import type { Finding } from '@parley/shared/contracts';
import { foldedName, isLeftover, nameProblem } from './check-name';
import { finding, hasErrors } from './finding';
import { isOutOfRoom } from './out-of-room';
import { ArchiveError, checkExtents, readEndRecord, readLocalHeader } from './zip-structure';

const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
const MAX_FINDINGS = 100;
const FLAG_ENCRYPTED = 0x1;
const FLAG_STRONG_ENCRYPTION = 0x40;
const FLAG_MASKED_HEADERS = 0x2000;
const STORED = 0;
const DEFLATED = 8;
const MADE_ON_UNIX = 3;
const FILE_KIND = 0xf000;
const LINK = 0xa000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;

interface PackEntry {
  readonly entry: Entry;
  /** In NFC, without a slash at its end. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly skipped: boolean;
}

/** The name as UTF-8, whatever the flag says; null when the bytes are something else. */
function decodeName(entry: Entry): string | null {
  try {
    // With decodeStrings off, yauzl gives the bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      .decode(entry.fileName as unknown as Buffer)
      .normalize('NFC');
  } catch {
    return null;
  }
}

function entryProblem(entry: Entry, name: string, isFolder: boolean): { rule: string; message: string } | null {
  const flags = entry.generalPurposeBitFlag;
  if ((flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_MASKED_HEADERS)) !== 0)
    return { rule: 'zip.encrypted', message: 'Encrypted entries are not accepted.' };
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return { rule: 'zip.method', message: 'The entry is packed by a method that is not accepted.' };
  const madeOn = entry.versionMadeBy >>> 8;
  const kind = (entry.externalFileAttributes >>> 16) & FILE_KIND;
  // Some archivers write modes under another system's number: a link is a link whatever the number says.
  if (kind === LINK) return { rule: 'zip.symlink', message: 'Symbolic links are not accepted.' };
  if (madeOn === MADE_ON_UNIX && kind !== 0 && kind !== (isFolder ? FOLDER : REGULAR))
    return { rule: 'zip.special-file', message: 'The entry is no regular file or folder.' };
  if (isFolder && entry.uncompressedSize !== 0) return { rule: 'zip.invalid', message: 'A folder holds data.' };
  const problem = nameProblem(name);
  return problem === null ? null : { rule: `zip.${problem.rule}`, message: problem.message };
}

function readEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

const openZip = (fd: number): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromFd(fd, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(error),
    );
  });

function checkEntries(entries: readonly Entry[], findings: Finding[]): PackEntry[] {
  const add = (rule: string, file: string, message: string): void => {
    if (findings.length < MAX_FINDINGS)
      findings.push(
        finding({
          rule,
          file: file.slice(0, 300),
          message,
          hint: 'Make the archive anew from the folder of the pack.',
        }),
      );
  };
  const accepted: PackEntry[] = [];
  const names = new Map<string, { name: string; isFolder: boolean }>();
  for (const entry of entries) {
    const decoded = decodeName(entry);
    if (decoded === null) {
      add('zip.name', '', 'The name of an entry is not UTF-8.');
      continue;
    }
    const isFolder = decoded.endsWith('/');
    const name = isFolder ? decoded.slice(0, -1) : decoded;
    const problem = entryProblem(entry, name, isFolder);
    if (problem !== null) {
      add(problem.rule, name, problem.message);
      continue;
    }
    const folded = foldedName(name);
    const other = names.get(folded);
    if (other !== undefined && !(other.isFolder && isFolder))
      add('zip.duplicate', name, `On some systems this is the same as ${other.name}.`);
    names.set(folded, { name, isFolder });
    const skipped = isLeftover(name);
    if (skipped && !isFolder && findings.length < MAX_FINDINGS)
      findings.push(
        finding({
          severity: 'warning',
          rule: 'file.skipped',
          file: name,
          message: 'Left behind by the system; it is skipped.',
          hint: null,
        }),
      );
    accepted.push({ entry, name, isFolder, skipped });
  }
  for (const { name } of accepted)
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const parent = names.get(foldedName(name.slice(0, slash)));
      if (parent?.isFolder === false) add('zip.duplicate', name, `${parent.name} is a file and a folder.`);
    }
  return accepted;
}

/** The one folder that holds the whole pack, with its slash, or '' when the archive's root is the pack. */
function wrappingFolder(entries: readonly PackEntry[]): string {
  const kept = entries.filter((one) => !one.skipped);
  if (kept.some((one) => one.name === 'manifest.yaml')) return '';
  const tops = new Set(kept.map((one) => one.name.split('/')[0] ?? ''));
  const [top] = tops;
  if (tops.size !== 1 || top === undefined || !kept.some((one) => one.name.startsWith(`${top}/`))) return '';
  return `${top}/`;
}

async function extract(
  zip: ZipFile,
  { entry, name }: PackEntry,
  target: string,
  budget: { left: number },
): Promise<void> {
  const source = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error))),
  );
  let checksum = 0;
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      budget.left -= chunk.length;
      checksum = crc32(chunk, checksum);
      if (budget.left < 0) done(new ArchiveError('zip.too-large', name, 'The archive expands beyond 500 MB.'));
      else if (size > entry.uncompressedSize)
        done(new ArchiveError('zip.invalid', name, 'The entry is larger than it says.'));
      else done(null, chunk);
    },
  });
  // wx: an existing file is never written to, whatever the name resolves to.
  await pipeline(source, meter, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  if (size !== entry.uncompressedSize)
    throw new ArchiveError('zip.invalid', name, 'The entry is smaller than it says.');
  if (checksum !== entry.crc32) throw new ArchiveError('zip.invalid', name, 'The checksum of the entry is wrong.');
}

async function unpackOpened(file: FileHandle, folder: string): Promise<Finding[]> {
  const end = await readEndRecord(file);
  if (end.entryCount > MAX_ENTRIES)
    throw new ArchiveError('zip.too-large', '', `The archive has more than ${MAX_ENTRIES} entries.`);
  const zip = await openZip(file.fd);
  const entries = await readEntries(zip);
  const findings: Finding[] = [];
  const accepted = checkEntries(entries, findings);
  if (entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0) > MAX_TOTAL_BYTES)
    throw new ArchiveError('zip.too-large', '', 'The archive expands beyond 500 MB.');
  if (hasErrors(findings)) return findings;
  const extents = [];
  for (const entry of entries) extents.push(await readLocalHeader(file, entry));
  checkExtents(extents, end.directoryOffset);

  const prefix = wrappingFolder(accepted);
  const budget = { left: MAX_TOTAL_BYTES };
  for (const one of accepted) {
    if (one.skipped || !one.name.startsWith(prefix) || one.name === prefix.slice(0, -1)) continue;
    const target = path.join(folder, one.name.slice(prefix.length));
    if (!`${target}${path.sep}`.startsWith(`${folder}${path.sep}`))
      throw new ArchiveError('zip.path-escape', one.name, 'The path leads out of the pack.');
    await mkdir(one.isFolder ? target : path.dirname(target), { recursive: true, mode: 0o700 });
    if (!one.isFolder) await extract(zip, one, target, budget);
  }
  return findings;
}

/**
 * Unpacks a zip into an empty folder that exists. Nothing is believed: the end record, the central directory and the
 * local headers must say the same, entries must fill the file without gap or overlap, names are held against a grammar,
 * only regular files and folders are taken, and bytes and checksums are counted while they are written.
 * @returns findings; with an error among them, what lies in the folder is to be thrown away.
 * @throws what the system says when the disk is full, which is no fault of the archive
 */
export async function unpackZip(zipPath: string, folder: string): Promise<Finding[]> {
  const file = await open(zipPath, 'r');
  try {
    return await unpackOpened(file, path.resolve(folder));
  } catch (error) {
    if (error instanceof ArchiveError)
      return [
        finding({
          rule: error.rule,
          file: error.entry,
          message: error.message,
          hint: 'Make the archive anew from the folder of the pack.',
        }),
      ];
    if (isOutOfRoom(error)) throw error;
    // Whatever else a broken archive makes the reader say. Its words may hold names: they are not passed on.
    return [
      finding({
        rule: 'zip.invalid',
        file: '',
        message: 'The archive is damaged.',
        hint: 'Make the archive anew from the folder of the pack.',
      }),
    ];
  } finally {
    await file.close();
  }
}
