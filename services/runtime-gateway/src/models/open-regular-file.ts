import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What is there is no file but a pipe, a device, a socket or a folder. The message is for a person. */
export class NotAFileError extends Error {
  constructor() {
    super('This is no file but a pipe, a device or a folder; name the file itself.');
    this.name = 'NotAFileError';
  }
}

/**
 * A pipe without another end would hold up the opening for good, and with it one of the few threads that all files share; a
 * terminal would become this process's own. Windows has neither, nor the constants.
 */
const NEVER_WAITING = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

async function regular(file: string, flags: number, mode?: number): Promise<FileHandle> {
  const handle = await open(file, flags | NEVER_WAITING, mode).catch((error: NodeJS.ErrnoException) => {
    // A socket, a pipe that nobody reads, a folder that is written to, a link where none may be.
    throw ['ENXIO', 'EISDIR', 'ELOOP'].includes(error.code ?? '') ? new NotAFileError() : error;
  });
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new NotAFileError();
}

/**
 * Opens a file for reading, at once whatever is there; a link to a file is followed.
 * @throws NotAFileError; the system's error when it cannot be opened.
 */
export const openRegularFile = (file: string): Promise<FileHandle> => regular(file, constants.O_RDONLY);

/**
 * Opens a file of ours for writing, readable by the owner alone, made when it is not there. A link in its place is not
 * followed: it would lead out of our folder.
 * @param begins Whether what is in it goes.
 * @throws NotAFileError; the system's error when it cannot be opened.
 */
export const openOwnFile = (file: string, { begins }: { begins: boolean }): Promise<FileHandle> =>
  regular(
    file,
    constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (begins ? constants.O_TRUNC : 0),
    0o600,
  );

/** The text of a file that is read while the process starts. @throws as `openRegularFile`. */
export function readRegularFileSync(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | NEVER_WAITING);
  try {
    if (!fstatSync(descriptor).isFile()) throw new NotAFileError();
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
