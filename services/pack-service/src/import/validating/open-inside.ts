import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Dirent,
} from 'node:fs';
import path from 'node:path';

/** What was found below a folder is not there any more, is something else now, or cannot be read. */
export class ChangedWhileReadError extends Error {
  constructor(cause?: unknown) {
    super('the folder was changed while it was read', { cause });
    this.name = 'ChangedWhileReadError';
  }
}

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
/** Of a pipe that has taken a file's place, nobody waits for the other end. */
const FILE_FLAGS = FLAGS | (constants.O_NONBLOCK ?? 0);
const FOLDER_FLAGS = FLAGS | (constants.O_DIRECTORY ?? 0);

/** Linux says of each open descriptor where it leads; other systems are asked where the path leads now. */
const linkOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/**
 * Whether what is open is what lies at `expected`, without any link on the way there. Opening goes by a path, and a
 * folder on that path may be swapped for a link between two looks at it.
 * @param asksLinux false on systems without /proc
 */
export function liesAt(descriptor: number, expected: string, asksLinux = process.platform === 'linux'): boolean {
  try {
    if (asksLinux) return readlinkSync(linkOf(descriptor)) === expected;
    const open = fstatSync(descriptor, { bigint: true });
    const there = lstatSync(expected, { bigint: true });
    return open.dev === there.dev && open.ino === there.ino && realpathSync(expected) === expected;
  } catch {
    return false;
  }
}

function openAt(expected: string, flags: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(expected, flags);
  } catch (error) {
    throw new ChangedWhileReadError(error);
  }
  if (liesAt(descriptor, expected)) return descriptor;
  closeSync(descriptor);
  throw new ChangedWhileReadError();
}

/**
 * Opens a regular file below a folder for reading.
 * @param root real path of the folder
 * @param relative path below it, of plain names
 * @returns a descriptor that the caller closes; null when it is no regular file
 * @throws ChangedWhileReadError when what was opened does not lie there
 */
export function openInside(root: string, relative: string): number | null {
  const descriptor = openAt(path.join(root, relative), FILE_FLAGS);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return null;
}

/**
 * The entries of a folder below another, or of that one.
 * @throws ChangedWhileReadError when what was listed does not lie there
 */
export function listInside(root: string, relative: string): Dirent[] {
  const expected = path.join(root, relative);
  const descriptor = openAt(expected, FOLDER_FLAGS);
  try {
    if (process.platform === 'linux') return readdirSync(linkOf(descriptor), { withFileTypes: true });
    const entries = readdirSync(expected, { withFileTypes: true });
    if (!liesAt(descriptor, expected)) throw new ChangedWhileReadError();
    return entries;
  } finally {
    closeSync(descriptor);
  }
}
