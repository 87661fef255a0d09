import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import type { Finding } from '@parley/shared/contracts';
import { foldedName, leftoverIn, nameProblem } from './check-name';
import { finding, hasErrors } from './finding';
import { isOutOfRoom } from './out-of-room';
import {
  ArchiveError,
  checkDirectory,
  checkExtents,
  readEndRecord,
  readExactly,
  readLocalHeader,
  type Extent,
} from './zip-structure';

const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
const MAX_FINDINGS = 100;
/** Entries between two pauses. */
const PAUSE_AFTER = 100;
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

/** Gives the reader of archives its bytes at once: it asks twice for each entry, and the thread pool would take longer. */
class ArchiveBytes extends RandomAccessReader {
  constructor(private readonly descriptor: number) {
    super();
  }

  override read(
    buffer: Buffer,
    at: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    let problem: Error | null = null;
    try {
      readExactly(this.descriptor, position, length).copy(buffer, at);
    } catch (error) {
      problem = error as Error;
    }
    process.nextTick(done, problem);
  }
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

function openZip(descriptor: number): Promise<ZipFile> {
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: true, autoClose: false };
  const { size } = fstatSync(descriptor);
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(new ArchiveBytes(descriptor), size, options, (error, zip) =>
      error === null ? resolve(zip) : reject(error),
    );
  });
}

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
  const skippedAlready = new Set<string>();
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
    const leftover = leftoverIn(name);
    // One finding for all that lies in it: a repository has thousands of files.
    if (leftover !== null && !skippedAlready.has(leftover) && findings.length < MAX_FINDINGS)
      findings.push(
        finding({
          severity: 'warning',
          rule: 'file.skipped',
          file: leftover,
          message: 'This is no part of a pack, but of the system, an editor or version control; it is skipped.',
          hint: null,
        }),
      );
    if (leftover !== null) skippedAlready.add(leftover);
    accepted.push({ entry, name, isFolder, skipped: leftover !== null });
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

/** Up to this size, packed and unpacked, a file is unpacked at once: a thousand small ones then take no time at all. */
const AT_ONCE = 1024 * 1024;
const PIECE = 256 * 1024;

interface Sink {
  write(chunk: Buffer): void;
}

function* piecesOf(descriptor: number, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += PIECE) yield readExactly(descriptor, at, Math.min(PIECE, end - at));
}

/** Unpacks what is too large to be in memory twice. @returns how many packed bytes it took */
async function inflateInPieces(descriptor: number, { dataStart, end }: Extent, sink: Sink): Promise<number> {
  const inflate = createInflateRaw();
  const source = Readable.from(piecesOf(descriptor, dataStart, end));
  try {
    await new Promise<void>((resolve, reject) => {
      source.once('error', reject);
      inflate.once('error', reject);
      inflate.once('end', resolve);
      inflate.on('data', (chunk: Buffer) => {
        try {
          sink.write(chunk);
        } catch (error) {
          reject(error as Error);
        }
      });
      source.pipe(inflate);
    });
    return inflate.bytesWritten;
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

/** @returns how many packed bytes it took */
async function unpackData(descriptor: number, extent: Extent, sink: Sink): Promise<number> {
  const { entry, name, dataStart, end } = extent;
  const { compressedSize: packed, uncompressedSize: size } = entry;
  if (entry.compressionMethod === STORED) {
    for (const piece of piecesOf(descriptor, dataStart, end)) sink.write(piece);
    return packed;
  }
  if (packed > AT_ONCE || size > AT_ONCE) return inflateInPieces(descriptor, extent, sink);
  try {
    const options = { info: true, maxOutputLength: Math.max(1, size) };
    // With info the answer names the engine, which knows how far it read; the types do not know that.
    const { buffer, engine } = inflateRawSync(readExactly(descriptor, dataStart, packed), options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    sink.write(buffer);
    return engine.bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new ArchiveError('zip.invalid', name, 'The entry is larger than it says.');
  }
}

async function extract(descriptor: number, extent: Extent, target: string, budget: { left: number }): Promise<void> {
  const { entry, name } = extent;
  let checksum = 0;
  let size = 0;
  // wx: an existing file is never written to, whatever the name resolves to.
  const file = openSync(target, 'wx', 0o600);
  try {
    const taken = await unpackData(descriptor, extent, {
      write(chunk) {
        size += chunk.length;
        budget.left -= chunk.length;
        checksum = crc32(chunk, checksum);
        if (budget.left < 0) throw new ArchiveError('zip.too-large', name, 'The archive expands beyond 500 MB.');
        if (size > entry.uncompressedSize)
          throw new ArchiveError('zip.invalid', name, 'The entry is larger than it says.');
        for (let done = 0; done < chunk.length;) done += writeSync(file, chunk, done, chunk.length - done);
      },
    });
    if (size !== entry.uncompressedSize)
      throw new ArchiveError('zip.invalid', name, 'The entry is smaller than it says.');
    if (taken !== entry.compressedSize)
      throw new ArchiveError('zip.invalid', name, 'There is something behind the data of the entry.');
    if (checksum !== entry.crc32) throw new ArchiveError('zip.invalid', name, 'The checksum of the entry is wrong.');
  } finally {
    closeSync(file);
  }
}

async function unpackOpened(descriptor: number, folder: string, progress: UnpackProgress): Promise<Finding[]> {
  const end = readEndRecord(descriptor);
  if (end.entryCount > MAX_ENTRIES)
    throw new ArchiveError('zip.too-large', '', `The archive has more than ${MAX_ENTRIES} entries.`);
  const entries = await readEntries(await openZip(descriptor));
  checkDirectory(descriptor, end, entries);
  const findings: Finding[] = [];
  const accepted = checkEntries(entries, findings);
  if (entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0) > MAX_TOTAL_BYTES)
    throw new ArchiveError('zip.too-large', '', 'The archive expands beyond 500 MB.');
  if (hasErrors(findings)) return findings;
  const extents = new Map(entries.map((entry) => [entry, readLocalHeader(descriptor, entry)]));
  checkExtents(descriptor, [...extents.values()], end.directoryOffset);

  const prefix = wrappingFolder(accepted);
  const budget = { left: MAX_TOTAL_BYTES };
  const made = new Set([folder]);
  const makeFolder = (at: string): void => {
    if (made.has(at)) return;
    mkdirSync(at, { recursive: true, mode: 0o700 });
    made.add(at);
  };
  for (const [index, { entry, name, isFolder, skipped }] of accepted.entries()) {
    // Most of the work is done without waiting: whoever watches must hear of it, and be able to stop it.
    if (index % PAUSE_AFTER === 0) {
      progress(index, accepted.length);
      await setImmediate();
    }
    const extent = extents.get(entry);
    if (skipped || extent === undefined || !name.startsWith(prefix) || name === prefix.slice(0, -1)) continue;
    const target = path.join(folder, name.slice(prefix.length));
    if (!`${target}${path.sep}`.startsWith(`${folder}${path.sep}`))
      throw new ArchiveError('zip.path-escape', name, 'The path leads out of the pack.');
    makeFolder(isFolder ? target : path.dirname(target));
    if (!isFolder) await extract(descriptor, extent, target, budget);
  }
  progress(accepted.length, accepted.length);
  return findings;
}

/** Told how many entries are unpacked, of how many. */
export type UnpackProgress = (done: number, total: number) => void;

/**
 * Unpacks a zip into an empty folder that exists. Nothing is believed: the end record, the central directory, the local
 * headers with their extra fields and what follows the data must say the same, entries must fill the file without gap or
 * overlap, names are held against a grammar, only regular files and folders are taken, and bytes and checksums are counted
 * while they are written. Mostly synchronous: it belongs into a process of its own.
 * @returns findings; with an error among them, what lies in the folder is to be thrown away.
 * @throws what the system says when the disk is full, which is no fault of the archive
 */
export async function unpackZip(
  zipPath: string,
  folder: string,
  progress: UnpackProgress = () => undefined,
): Promise<Finding[]> {
  const descriptor = openSync(zipPath, 'r');
  try {
    return await unpackOpened(descriptor, path.resolve(folder), progress);
  } catch (error) {
    if (error instanceof ArchiveError)
      return [
        finding({
          rule: error.rule,
          file: error.entry.slice(0, 300),
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
    closeSync(descriptor);
  }
}
