import { fstatSync, readSync } from 'node:fs';
import type { Entry } from 'yauzl';
import { centralFieldsAgree, IN_EXTRA_FIELD, localFieldsAgree } from './zip-extra-fields';

/** An archive that is not what it claims to be. `entry` is '' when it is about the whole. */
export class ArchiveError extends Error {
  constructor(
    readonly rule: string,
    readonly entry: string,
    message: string,
  ) {
    super(message);
    this.name = 'ArchiveError';
  }
}

const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const CENTRAL_SIZE = 46;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIZE = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const END_SIGNATURE = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const LOCATOR_SIZE = 20;
const LOCATOR_SIGNATURE = 0x07064b50;
/** Without data of its own kind, which could hold anything. */
const WIDE_END_SIZE = 56;
const WIDE_END_SIGNATURE = 0x06064b50;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const FLAG_DESCRIPTOR = 0x8;

const invalid = (message: string, entry = ''): ArchiveError => new ArchiveError('zip.invalid', entry, message);
const CUT_OFF = 'The archive is cut off.';

/** Reads by itself, without the queue of the thread pool: only the process that unpacks waits for it. */
export function readExactly(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const read = position < 0 ? 0 : readSync(descriptor, buffer, done, length - done, position + done);
    if (read === 0) throw invalid(CUT_OFF);
    done += read;
  }
  return buffer;
}

/** The list of entries as the end of an archive says it. */
export interface EndRecord {
  readonly entryCount: number;
  readonly directoryOffset: number;
  readonly directorySize: number;
}

/** A number of 64 bits; above what a file here can have it is as wrong as any other. */
const wide = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

/**
 * The end of the 64-bit form, which stands before the other one and must say the same where that one says anything.
 * @returns null when there is none
 */
function readWideEnd(descriptor: number, endAt: number): (EndRecord & { readonly at: number }) | null {
  if (endAt < LOCATOR_SIZE) return null;
  const locator = readExactly(descriptor, endAt - LOCATOR_SIZE, LOCATOR_SIZE);
  if (locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return null;
  const at = endAt - LOCATOR_SIZE - WIDE_END_SIZE;
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1)
    throw invalid('The archive is split over several files.');
  if (wide(locator, 8) !== at) throw invalid('The end of the archive is not where it says.');
  const record = readExactly(descriptor, at, WIDE_END_SIZE);
  if (record.readUInt32LE(0) !== WIDE_END_SIGNATURE || wide(record, 4) !== WIDE_END_SIZE - 12)
    throw invalid('The end of the archive is not where it says.');
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || wide(record, 24) !== wide(record, 32))
    throw invalid('The archive is split over several files.');
  return { at, entryCount: wide(record, 32), directorySize: wide(record, 40), directoryOffset: wide(record, 48) };
}

/**
 * The end record, with nothing after it but its own comment, and the central directory directly before it. It is the last
 * one in the file, which is the one that readers find; a stored file may well hold the end of another archive.
 * @throws ArchiveError zip.invalid
 */
export function readEndRecord(descriptor: number): EndRecord {
  const { size } = fstatSync(descriptor);
  if (size < END_SIZE) throw invalid('The file is no zip archive.');
  const tailStart = Math.max(0, size - END_SIZE - MAX_COMMENT);
  const tail = readExactly(descriptor, tailStart, size - tailStart);
  const at = tail.lastIndexOf(END_SIGNATURE);
  if (at === -1) throw invalid('The file is no zip archive.');
  if (tail.length - at < END_SIZE || at + END_SIZE + tail.readUInt16LE(at + 20) !== tail.length)
    throw invalid('Something stands after the end of the archive.');
  if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== tail.readUInt16LE(at + 10))
    throw invalid('The archive is split over several files.');
  const endAt = tailStart + at;
  const wideEnd = readWideEnd(descriptor, endAt);
  const field = (said: number, limit: number, value: number | undefined): number => {
    if (value === undefined || (said !== value && said !== limit)) {
      if (value === undefined && said !== limit) return said;
      throw invalid('The archive has two ends that say different things.');
    }
    return value;
  };
  const entryCount = field(tail.readUInt16LE(at + 10), 0xffff, wideEnd?.entryCount);
  const directorySize = field(tail.readUInt32LE(at + 12), IN_EXTRA_FIELD, wideEnd?.directorySize);
  const directoryOffset = field(tail.readUInt32LE(at + 16), IN_EXTRA_FIELD, wideEnd?.directoryOffset);
  if (directorySize > MAX_DIRECTORY_BYTES)
    throw new ArchiveError('zip.too-large', '', 'The list of entries is too long.');
  if (directoryOffset + directorySize !== (wideEnd?.at ?? endAt))
    throw invalid('The list of entries is not where the archive says.');
  return { entryCount, directoryOffset, directorySize };
}

/**
 * Walks over the central directory, which must be filled by its entries, and holds what the reader of the archive does not
 * look at against what it answered: numbers of disks, extra fields.
 * @throws ArchiveError zip.invalid
 */
export function checkDirectory(descriptor: number, end: EndRecord, entries: readonly Entry[]): void {
  const directory = readExactly(descriptor, end.directoryOffset, end.directorySize);
  let at = 0;
  for (const entry of entries) {
    const left = directory.length - at;
    if (left < CENTRAL_SIZE || directory.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw invalid(CUT_OFF);
    const nameEnd = at + CENTRAL_SIZE + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const next = extraEnd + directory.readUInt16LE(at + 32);
    if (next > directory.length) throw invalid(CUT_OFF);
    const header = {
      name: directory.subarray(at + CENTRAL_SIZE, nameEnd),
      compressedSize: directory.readUInt32LE(at + 20),
      uncompressedSize: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
      disk: directory.readUInt16LE(at + 34),
      extra: directory.subarray(nameEnd, extraEnd),
    };
    const name = header.name.toString('utf8');
    if (header.disk !== 0 && header.disk !== 0xffff) throw invalid('The archive is split over several files.', name);
    if (!centralFieldsAgree(header, { ...sizesOf(entry), offset: entry.relativeOffsetOfLocalHeader }))
      throw invalid('The archive says two different things about an entry.', name);
    at = next;
  }
  if (at !== directory.length) throw invalid('The list of entries is longer than the archive says.');
}

const sizesOf = (entry: Entry): { compressedSize: number; uncompressedSize: number } => ({
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
});

/** Bytes of the file that an entry takes up. */
export interface Extent {
  readonly entry: Entry;
  readonly name: string;
  readonly start: number;
  /** Where its packed data begins. */
  readonly dataStart: number;
  readonly end: number;
}

const hasDescriptor = (entry: Entry): boolean => (entry.generalPurposeBitFlag & FLAG_DESCRIPTOR) !== 0;

/**
 * Reads the header before an entry's data and holds it against the central directory: readers that believe one or the
 * other must see the same file.
 * @throws ArchiveError zip.invalid
 */
export function readLocalHeader(descriptor: number, entry: Entry): Extent {
  const nameBytes = entry.fileName as unknown as Buffer;
  const name = nameBytes.toString('utf8');
  const start = entry.relativeOffsetOfLocalHeader;
  const header = readExactly(descriptor, start, LOCAL_SIZE);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw invalid('An entry is not where the archive says.', name);
  const nameLength = header.readUInt16LE(26);
  const rest = readExactly(descriptor, start + LOCAL_SIZE, nameLength + header.readUInt16LE(28));
  const later = hasDescriptor(entry);
  const compressedSize = header.readUInt32LE(18);
  const uncompressedSize = header.readUInt32LE(22);
  const agrees = (said: number, value: number): boolean =>
    said === value || said === IN_EXTRA_FIELD || (later && said === 0);
  const fields = {
    name: rest.subarray(0, nameLength),
    compressedSize,
    uncompressedSize,
    extra: rest.subarray(nameLength),
  };
  const crc = header.readUInt32LE(14);
  if (
    !fields.name.equals(nameBytes) ||
    header.readUInt16LE(6) !== entry.generalPurposeBitFlag ||
    header.readUInt16LE(8) !== entry.compressionMethod ||
    (crc !== entry.crc32 && !(later && crc === 0)) ||
    !agrees(compressedSize, entry.compressedSize) ||
    !agrees(uncompressedSize, entry.uncompressedSize) ||
    !localFieldsAgree(fields, sizesOf(entry), later)
  )
    throw invalid('The archive says two different things about an entry.', name);
  const dataStart = start + LOCAL_SIZE + rest.length;
  return { entry, name, start, dataStart, end: dataStart + entry.compressedSize };
}

/** Whether the bytes are what may follow an entry whose sizes come after its data, in one of the four forms there are. */
function isDescriptor(bytes: Buffer, entry: Entry): boolean {
  const signed = bytes.length === 16 || bytes.length === 24;
  if (!signed && bytes.length !== 12 && bytes.length !== 20) return false;
  if (signed && bytes.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE) return false;
  const fields = signed ? bytes.subarray(4) : bytes;
  const sizes =
    fields.length === 20 ? [wide(fields, 4), wide(fields, 12)] : [fields.readUInt32LE(4), fields.readUInt32LE(8)];
  return (
    fields.readUInt32LE(0) === entry.crc32 && sizes[0] === entry.compressedSize && sizes[1] === entry.uncompressedSize
  );
}

/**
 * Entries must fill the archive from its first byte to the central directory: no overlap (which makes small archives
 * expand without bound), no gap, nothing before the first. Between two of them is a descriptor that says the truth, or
 * nothing.
 * @throws ArchiveError zip.invalid
 */
export function checkExtents(descriptor: number, extents: readonly Extent[], directoryOffset: number): void {
  const sorted = [...extents].sort((a, b) => a.start - b.start);
  let expected = 0;
  let before: Entry | null = null;
  for (const { start, end, name, entry } of [
    ...sorted,
    { start: directoryOffset, end: directoryOffset, name: '', entry: null },
  ]) {
    const gap = start - expected;
    if (gap < 0) throw invalid('Entries of the archive overlap.', name);
    const described = before !== null && hasDescriptor(before);
    if (described ? gap > 24 || !isDescriptor(readExactly(descriptor, expected, gap), before as Entry) : gap !== 0)
      throw invalid('There is something between the entries of the archive.', name);
    expected = end;
    before = entry;
  }
}
