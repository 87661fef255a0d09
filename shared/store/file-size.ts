import { statSync } from 'node:fs';

/**
 * Bytes of a file; 0 when it is not there or cannot be looked at, as in a folder that may no longer be entered or on a disk
 * that went away: that is told by what asks whether the database is in its place.
 */
export function fileSize(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
