import { constants } from 'node:os';

/** Whether a file could not be written because of the disk, not of the archive. Without a library: the child stays small. */
export function isOutOfRoom(error: unknown): boolean {
  const { errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === -constants.errno.ENOSPC || errno === -constants.errno.EDQUOT;
}
