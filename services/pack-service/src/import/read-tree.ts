import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { foldedName, isLeftover, nameProblem } from './check-name';
import { finding } from './finding';
import { HEAD_BYTES } from './sniff-type';

export const MAX_ENTRIES = 10_000;
/** Interface, import rule 3, for archives; folders are held to it too. */
export const MAX_TOTAL_BYTES = 500 * 1024 * 1024;

export interface TreeFile {
  /** From the root of the pack, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** The first bytes. */
  readonly head: Buffer;
}

/** The files of a pack on disk, as they were when they were read. */
export interface PackTree {
  readonly root: string;
  /** In the order of their paths. */
  readonly files: readonly TreeFile[];
  readonly findings: readonly Finding[];
}

async function readTreeFile(file: FileHandle, relative: string): Promise<TreeFile> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  const chunk = Buffer.allocUnsafe(256 * 1024);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
    hash.update(bytes);
    size += bytesRead;
    if (size > MAX_TOTAL_BYTES) break;
  }
  return { path: relative, size, sha256: hash.digest('hex'), head };
}

/**
 * Reads the names, sizes and hashes of all files below `root`. Symbolic links and special files are findings and are
 * never followed.
 * @throws the system's error when `root` itself cannot be read.
 */
export async function readTree(root: string): Promise<PackTree> {
  const files: TreeFile[] = [];
  const findings: Finding[] = [];
  const names = new Map<string, string>();
  let total = 0;
  let entries = 0;
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (++entries > MAX_ENTRIES || total > MAX_TOTAL_BYTES) {
        const message =
          entries > MAX_ENTRIES
            ? `There are more than ${MAX_ENTRIES} files and folders.`
            : 'The files are larger than 500 MB together.';
        return {
          root,
          files: [],
          findings: [
            finding({ rule: 'file.too-large', file: '', message, hint: 'Take out what the pack does not need.' }),
          ],
        };
      }
      if (isLeftover(relative)) {
        findings.push(
          finding({
            severity: 'warning',
            rule: 'file.skipped',
            file: relative,
            message: 'Left behind by the system; it is skipped.',
            hint: 'Delete it.',
          }),
        );
        continue;
      }
      const problem = nameProblem(relative);
      if (problem !== null) {
        findings.push(
          finding({
            rule: `file.${problem.rule}`,
            file: relative.slice(0, 300),
            message: problem.message,
            hint: 'Rename it.',
          }),
        );
        continue;
      }
      const other = names.get(foldedName(relative));
      if (other !== undefined)
        findings.push(
          finding({
            rule: 'file.duplicate',
            file: relative,
            message: `On some systems this is the same file as ${other}.`,
            hint: 'Rename one of the two.',
          }),
        );
      names.set(foldedName(relative), relative);
      if (entry.isDirectory()) pending.push(relative);
      else if (entry.isSymbolicLink())
        findings.push(
          finding({
            rule: 'file.symlink',
            file: relative,
            message: 'Symbolic links are not allowed.',
            hint: 'Put the file itself there.',
          }),
        );
      else if (!entry.isFile())
        findings.push(
          finding({ rule: 'file.special', file: relative, message: 'This is no regular file.', hint: 'Take it out.' }),
        );
      else {
        // O_NOFOLLOW: the entry may have been replaced by a link since it was listed.
        const handle = await open(path.join(root, relative), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
        try {
          const file = await readTreeFile(handle, relative);
          total += file.size;
          files.push(file);
        } finally {
          await handle.close();
        }
      }
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { root, files, findings };
}
