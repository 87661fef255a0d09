import { createHash, type Hash } from 'node:crypto';
import { openRegularFile } from './open-regular-file';

export interface HashFileOptions {
  /** Only so many bytes of its beginning; all of it without. */
  readonly bytes?: number;
  /** What it is added to. */
  readonly hash?: Hash;
  readonly signal: AbortSignal;
}

/** Reads a file into a SHA-256. @throws NotAFileError, the signal's reason, and what reading throws. */
export async function hashFile(file: string, options: HashFileOptions): Promise<Hash> {
  const { bytes = Infinity, hash = createHash('sha256'), signal } = options;
  if (bytes === 0) return hash;
  const handle = await openRegularFile(file);
  const stream = handle.createReadStream({ start: 0, end: bytes - 1, signal });
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash;
}
