import { open } from 'node:fs/promises';
import { refuseFullDisk } from './free-space';

export interface CopyModelOptions {
  readonly from: string;
  readonly to: string;
  /** Stops the copy within a piece: a model has gigabytes, and a person who cancels waits for the answer. */
  readonly signal: AbortSignal;
  onProgress(bytesDone: number, bytesTotal: number): void;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a file piece by piece.
 * @throws DownloadError when the disk is too small; the signal's reason; what reading and writing throw.
 */
export async function copyModelFile({ from, to, signal, onProgress }: CopyModelOptions): Promise<void> {
  const source = await open(from, 'r');
  try {
    const { size } = await source.stat();
    await refuseFullDisk(to, size);
    const target = await open(to, 'w', 0o600);
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let done = 0; ;) {
        signal.throwIfAborted();
        onProgress(done, size);
        const { bytesRead } = await source.read(piece, 0, PIECE_BYTES, done);
        if (bytesRead === 0) break;
        await target.writeFile(piece.subarray(0, bytesRead));
        done += bytesRead;
      }
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
