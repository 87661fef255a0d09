import { closeSync, openSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { STORED } from './zip-entries';
import { ArchiveError, readExactly, type Extent } from './zip-structure';

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

/**
 * Unpacks one entry into a new file, counting bytes and checksum while it is written.
 * @param budget bytes that the whole archive may still expand to; less after the call
 * @throws ArchiveError when the data is not what the entry says
 */
export async function extractEntry(
  descriptor: number,
  extent: Extent,
  target: string,
  budget: { left: number },
): Promise<void> {
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
