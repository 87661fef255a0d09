import { DownloadError } from './download-error';
import { refusedWrite, refuseFullDisk, RoomWatch, type FreeBytes } from './free-space';
import { openOwnFile, openRegularFile } from './open-regular-file';

export interface CopyModelOptions {
  readonly from: string;
  readonly to: string;
  /** Stops the copy within a piece: a model has gigabytes, and a person who cancels waits for the answer. */
  readonly signal: AbortSignal;
  readonly freeBytes: FreeBytes;
  onProgress(bytesDone: number, bytesTotal: number): void;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a file piece by piece, as long as it is when the copy begins.
 * @throws DownloadError when the disk has no room or the file changes meanwhile; NotAFileError; the signal's reason; what
 * reading and writing throw.
 */
export async function copyModelFile({ from, to, signal, freeBytes, onProgress }: CopyModelOptions): Promise<void> {
  const source = await openRegularFile(from);
  try {
    const { size } = await source.stat();
    await refuseFullDisk(to, size, freeBytes);
    const room = new RoomWatch(to, freeBytes);
    const target = await openOwnFile(to, { begins: true });
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let done = 0; done < size;) {
        signal.throwIfAborted();
        onProgress(done, size);
        const { bytesRead } = await source.read(piece, 0, Math.min(PIECE_BYTES, size - done), done);
        if (bytesRead === 0)
          throw new DownloadError('The file became shorter while it was copied; wait until it is complete.', true);
        await room.before(bytesRead);
        await target.writeFile(piece.subarray(0, bytesRead));
        done += bytesRead;
      }
      onProgress(size, size);
      await target.sync();
    } catch (error) {
      throw refusedWrite(error);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
