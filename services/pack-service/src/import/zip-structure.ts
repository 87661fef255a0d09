import type { FileHandle } from 'node:fs/promises';
import type { Entry } from 'yauzl';

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
const LOCAL_SIZE = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const END_SIGNATURE = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const FLAG_DESCRIPTOR = 0x8;
/** Lengths of what may follow an entry whose sizes come after its data: with and without signature, 32 and 64 bit. */
const DESCRIPTOR_SIZES = [12, 16, 20, 24];

const invalid = (message: string, entry = ''): ArchiveError => new ArchiveError('zip.invalid', entry, message);

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw invalid('The archive is cut off.');
  return buffer;
}

/**
 * The one end record, with nothing after it but its own comment, and the central directory directly before it.
 * @throws ArchiveError zip.invalid
 */
export async function readEndRecord(file: FileHandle): Promise<{ entryCount: number; directoryOffset: number }> {
  const { size } = await file.stat();
  if (size < END_SIZE) throw invalid('The file is no zip archive.');
  const tailStart = Math.max(0, size - END_SIZE - MAX_COMMENT);
  const tail = await readExactly(file, tailStart, size - tailStart);
  const at = tail.indexOf(END_SIGNATURE);
  if (at === -1) throw invalid('The file is no zip archive.');
  if (tail.indexOf(END_SIGNATURE, at + 1) !== -1) throw invalid('The archive has more than one end.');
  if (tail.length - at < END_SIZE || at + END_SIZE + tail.readUInt16LE(at + 20) !== tail.length)
    throw invalid('Something stands after the end of the archive.');
  const entryCount = tail.readUInt16LE(at + 10);
  const directorySize = tail.readUInt32LE(at + 12);
  const directoryOffset = tail.readUInt32LE(at + 16);
  if (entryCount === 0xffff || directoryOffset === 0xffffffff)
    throw invalid('Archives in the 64-bit form are not accepted.');
  if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== entryCount)
    throw invalid('The archive is split over several files.');
  if (directorySize > MAX_DIRECTORY_BYTES)
    throw new ArchiveError('zip.too-large', '', 'The list of entries is too long.');
  if (directoryOffset + directorySize !== tailStart + at)
    throw invalid('The list of entries is not where the archive says.');
  return { entryCount, directoryOffset };
}

/** Bytes of the file that an entry takes up. */
export interface Extent {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly hasDescriptor: boolean;
}

/**
 * Reads the header before an entry's data and holds it against the central directory: readers that believe one or the
 * other must see the same file.
 * @throws ArchiveError zip.invalid
 */
export async function readLocalHeader(file: FileHandle, entry: Entry): Promise<Extent> {
  const nameBytes = entry.fileName as unknown as Buffer;
  const name = nameBytes.toString('utf8');
  const start = entry.relativeOffsetOfLocalHeader;
  const header = await readExactly(file, start, LOCAL_SIZE);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw invalid('An entry is not where the archive says.', name);
  const nameLength = header.readUInt16LE(26);
  const localName = await readExactly(file, start + LOCAL_SIZE, nameLength);
  const hasDescriptor = (entry.generalPurposeBitFlag & FLAG_DESCRIPTOR) !== 0;
  const differs = (value: number, expected: number): boolean =>
    value !== expected && value !== 0xffffffff && !(hasDescriptor && value === 0);
  if (
    !localName.equals(nameBytes) ||
    header.readUInt16LE(6) !== entry.generalPurposeBitFlag ||
    header.readUInt16LE(8) !== entry.compressionMethod ||
    (header.readUInt32LE(14) !== entry.crc32 && !(hasDescriptor && header.readUInt32LE(14) === 0)) ||
    differs(header.readUInt32LE(18), entry.compressedSize) ||
    differs(header.readUInt32LE(22), entry.uncompressedSize)
  )
    throw invalid('The archive says two different things about an entry.', name);
  const end = start + LOCAL_SIZE + nameLength + header.readUInt16LE(28) + entry.compressedSize;
  return { name, start, end, hasDescriptor };
}

/**
 * Entries must fill the archive from its first byte to the central directory: no overlap (which makes small archives
 * expand without bound), no gap, nothing before the first.
 * @throws ArchiveError zip.invalid
 */
export function checkExtents(extents: readonly Extent[], directoryOffset: number): void {
  const sorted = [...extents].sort((a, b) => a.start - b.start);
  let expected = 0;
  let slack = [0];
  for (const extent of [...sorted, { name: '', start: directoryOffset, end: directoryOffset, hasDescriptor: false }]) {
    const gap = extent.start - expected;
    if (gap < 0) throw invalid('Entries of the archive overlap.', extent.name);
    if (!slack.includes(gap)) throw invalid('There is something between the entries of the archive.', extent.name);
    expected = extent.end;
    slack = extent.hasDescriptor ? DESCRIPTOR_SIZES : [0];
  }
}
