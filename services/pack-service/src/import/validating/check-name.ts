/**
 * The grammar of names inside a pack. It is stricter than any file system, so that a pack means the same on Linux,
 * macOS and Windows, and it is looked at before a path is made of a name.
 */
export interface NameProblem {
  readonly rule: 'path-escape' | 'name';
  readonly message: string;
}

const MAX_DEPTH = 16;
/** Bytes of a whole path: as many as the members of a file may name. */
const MAX_PATH = 400;
/** Bytes of each part of a path; file systems take 255, of which some keep a few for themselves. */
const MAX_PART = 240;
/** Names of devices on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

export const isReservedName = (name: string): boolean => RESERVED.test(name);

/** @param name path with `/` between its parts, without a `/` at its end; null when it may be used. */
export function nameProblem(name: string): NameProblem | null {
  const escape = (message: string): NameProblem => ({ rule: 'path-escape', message });
  const bad = (message: string): NameProblem => ({ rule: 'name', message });
  if (name.startsWith('/') || /^[a-zA-Z]:/.test(name)) return escape('The path is absolute.');
  if (name.includes('\\')) return escape('The path holds a backslash.');
  const parts = name.split('/');
  if (parts.includes('..')) return escape('The path leads out of the pack.');
  if (parts.some((part) => part === '' || part === '.')) return bad('The path has an empty part.');
  if (parts.length > MAX_DEPTH) return bad(`The path is deeper than ${MAX_DEPTH} levels.`);
  if (Buffer.byteLength(name) > MAX_PATH) return bad(`The path is longer than ${MAX_PATH} bytes.`);
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART))
    return bad(`A name in the path is longer than ${MAX_PART} bytes; the limit is on each folder and file name.`);
  if (/[\p{C}<>:"|?*]/u.test(name)) return bad('The name holds a character that not every system can store.');
  if (parts.some((part) => /[. ]$|^ /.test(part)))
    return bad('A name may not begin with a space or end with a dot or space.');
  if (parts.some(isReservedName)) return bad('The name is reserved for a device on some systems.');
  return null;
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * Two names that are equal under this are one file on some systems. Plain names, which nearly all are, do without the tables
 * of all the world's letters.
 */
export const foldedName = (name: string): string =>
  ASCII.test(name) ? name.toLowerCase() : name.normalize('NFC').toLowerCase().normalize('NFC');

/** Folders and files of the tools that packs are written with: a pack may be a git repository. */
const TOOL_NAMES = new Set(['.git', '.github', '.vscode', '.idea', '.gitignore', '.gitattributes', '.editorconfig']);
const SYSTEM_NAMES = new Set(['.DS_Store', 'Thumbs.db']);

/** What an editor keeps of the text before, and what the workbench leaves when it stops in the middle of a save. */
const HALF_SAVED = /(?:~|\.saving)$/;

const isLeftoverName = (name: string): boolean =>
  TOOL_NAMES.has(name) || SYSTEM_NAMES.has(name) || HALF_SAVED.test(name);

/**
 * What systems, editors and version control leave in folders and archives: skipped with a warning.
 * @returns the part of the path that all of it lies in, as `.git` of `.git/config`; null for a path of the pack.
 */
export function leftoverIn(path: string): string | null {
  const parts = path.split('/');
  const at = parts[0] === '__MACOSX' ? 0 : parts.findIndex(isLeftoverName);
  return at === -1 ? null : parts.slice(0, at + 1).join('/');
}

/**
 * Whether a path that a file names stays inside the pack, and which file it means.
 * @param from folder that it is relative to; '' is the pack's root.
 * @returns the path from the pack's root, or null when it leads out of it or is no relative path.
 */
export function resolveInside(from: string, reference: string): string | null {
  if (
    reference.startsWith('/') ||
    reference.includes('\\') ||
    reference.includes('\0') ||
    /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(reference)
  )
    return null;
  const parts: string[] = from === '' ? [] : from.split('/');
  for (const part of reference.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
