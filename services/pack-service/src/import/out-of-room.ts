import { constants } from 'node:os';

/** What the process that unpacks sends in the place of findings when the disk is full. */
export const NO_ROOM_LEFT = 'no_room_left';

/** Whether a file could not be written because of the disk, not of the archive. Without a library: the child stays small. */
export function isOutOfRoom(error: unknown): boolean {
  const { errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === -constants.errno.ENOSPC || errno === -constants.errno.EDQUOT;
}
