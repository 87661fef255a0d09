import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, readSync, realpathSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MAX_DRAFT_TEXT, ServiceError, type DraftFile, type DraftText } from '@parley/shared/contracts';
import { ChangedWhileReadError, decodeText, leftoverIn, nameProblem, openInside, roleOf } from './pack-tools';

/** More than these are not listed: a person who writes has fewer, and an installed pack may have ten thousand. */
const MAX_LISTED = 2_000;

const versionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

const noFile = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'There is no such file in the draft. Load the draft again to see what there is.');

const badPath = (message: string): ServiceError =>
  new ServiceError('VALIDATION_ERROR', `The file cannot have this path: ${message}`, {
    details: { issues: [{ path: 'path', message }] },
  });

const changedMeanwhile = (message: string): ServiceError =>
  new ServiceError('INVALID_STATE', message, {
    details: { operation: 'saveDraftFile', allowed_in: ['the version that was read last'] },
  });

/** The kind of a file as the page names it; null for what the workbench does not write. */
function textKind(name: string): DraftFile['kind'] | null {
  const role = roleOf(name);
  if (role.role === 'yaml') return role.kind;
  return role.role === 'document' || role.role === 'asset-metadata' ? 'text' : null;
}

/**
 * Looks at a path before anything is made of it.
 * @throws ServiceError VALIDATION_ERROR for a path that leads out of the draft, or that no text of a pack has.
 */
function checkPath(name: string): void {
  const problem = nameProblem(name);
  if (problem !== null) throw badPath(problem.message);
  if (leftoverIn(name) !== null) throw badPath('It is no part of a pack.');
  if (textKind(name) !== null) return;
  const role = roleOf(name);
  throw badPath(
    role.role === 'unexpected' ? role.hint : 'The workbench edits YAML, README and LICENSE; put it into the folder.',
  );
}

/** All files below a folder, links and what tools leave there aside. */
export async function listDraftFiles(folder: string): Promise<DraftFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((name) => leftoverIn(name) === null)
    .sort()
    .slice(0, MAX_LISTED);
  return Promise.all(
    names.map(async (name) => {
      const { size } = await stat(path.join(folder, name));
      const kind = textKind(name);
      const editable = kind !== null && size <= MAX_DRAFT_TEXT && nameProblem(name) === null;
      const otherwise = roleOf(name).role === 'asset' ? 'asset' : 'other';
      return { path: name, kind: kind ?? otherwise, size_bytes: size, editable };
    }),
  );
}

/** The bytes of a file below a folder; null when there is none, or it is a link or too large. */
function readInside(folder: string, name: string): Buffer | null {
  let descriptor: number | null;
  try {
    descriptor = openInside(realpathSync(folder), name);
  } catch (error) {
    if (error instanceof ChangedWhileReadError) return null;
    throw error;
  }
  if (descriptor === null) return null;
  try {
    const { size } = fstatSync(descriptor);
    if (size > MAX_DRAFT_TEXT) throw badPath('It is too large for the workbench; open it in another editor.');
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, size, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** @throws ServiceError NOT_FOUND; VALIDATION_ERROR for a path that may not be opened, or a file that is no text. */
export function readDraftFile(folder: string, name: string): DraftText {
  checkPath(name);
  const bytes = readInside(folder, name);
  if (bytes === null) throw noFile();
  const text = decodeText(bytes);
  if (text === null) throw badPath('It is not UTF-8 text.');
  return { path: name, text, version: versionOf(bytes) };
}

/** Makes the folder of a file, and says where it is. @throws ServiceError VALIDATION_ERROR when a link leads elsewhere. */
async function placeInside(folder: string, name: string): Promise<string> {
  const parent = path.join(realpathSync(folder), path.dirname(name));
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (realpathSync(parent) !== parent) throw badPath('Its folder is a link to another place.');
  return path.join(parent, path.basename(name));
}

/**
 * Saves a text in the place of the version that it was made from.
 * @param base null: the file must not be there yet.
 * @throws ServiceError VALIDATION_ERROR; INVALID_STATE when somebody else was faster.
 */
export async function saveDraftFile(
  folder: string,
  name: string,
  { text, base }: { readonly text: string; readonly base: string | null },
): Promise<string> {
  checkPath(name);
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_DRAFT_TEXT)
    throw badPath(`The text is larger than ${MAX_DRAFT_TEXT / 1024} KiB. Split it into several files.`);
  const before = readInside(folder, name);
  if (before !== null && base === null)
    throw changedMeanwhile('There is a file of this name already. Choose another name, or open that one.');
  if (before === null && base !== null)
    throw changedMeanwhile('The file was deleted meanwhile. Copy what you need of it and load the draft again.');
  if (before !== null && versionOf(before) !== base)
    throw changedMeanwhile(
      'The file was changed in another tab or editor. Copy what you need of yours and load it again.',
    );
  const target = await placeInside(folder, name);
  // Written beside it and moved: a crash leaves the old text or the new one.
  const half = `${target}.${randomUUID()}.saving`;
  try {
    await writeFile(half, bytes, { flag: 'wx', mode: 0o600 });
    await rename(half, target);
  } finally {
    await rm(half, { force: true });
  }
  return versionOf(bytes);
}

/** @throws ServiceError NOT_FOUND; INVALID_STATE for the manifest; VALIDATION_ERROR. */
export async function deleteDraftFile(folder: string, name: string): Promise<void> {
  checkPath(name);
  if (name === 'manifest.yaml')
    throw new ServiceError('INVALID_STATE', 'The manifest stays: a pack cannot be without it.', {
      details: { operation: 'deleteDraftFile', allowed_in: ['other files'] },
    });
  if (readInside(folder, name) === null) throw noFile();
  await rm(path.join(realpathSync(folder), name));
}
