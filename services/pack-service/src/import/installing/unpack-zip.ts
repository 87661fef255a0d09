import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import type { Finding } from '@parley/shared/contracts';
import { extractEntry } from './extract-entry';
import { finding, hasErrors } from '../validating/finding';
import { isOutOfRoom } from './out-of-room';
import { checkEntries, wrappingFolder } from './zip-entries';
import {
  ArchiveError,
  checkDirectory,
  checkExtents,
  readEndRecord,
  readExactly,
  readLocalHeader,
} from './zip-structure';

const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
/** Entries between two pauses. */
const PAUSE_AFTER = 100;

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
    if (!isFolder) await extractEntry(descriptor, extent, target, budget);
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
