import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Finding } from '@parley/shared/contracts';
import { foldedName, leftoverIn, nameProblem } from './check-name';
import { finding } from './finding';
import { ChangedWhileReadError, listInside, openInside } from './open-inside';
import { HEAD_BYTES } from './sniff-type';

const MAX_ENTRIES = 10_000;
/** For archives and folders alike (docs/interface.md, Import rules, 3). */
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
const PIECE = 256 * 1024;
/** Entries between two pauses: whoever else runs in this process gets its turn. */
const PAUSE_AFTER = 50;

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
  /** The real path. */
  readonly root: string;
  /** In the order of their paths. */
  readonly files: readonly TreeFile[];
  readonly findings: readonly Finding[];
}

export interface ReadTreeOptions {
  /** An empty folder that gets a copy of each file, made of the very bytes that were hashed. */
  readonly copyTo?: string;
  /** Told how many files were read. */
  readonly progress?: (done: number) => void;
}

/** Reads a file to its end, or to one byte more than `limit`, in pieces that are only lent. */
function* piecesOf(descriptor: number, limit: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, limit + 1));
  for (let left = limit + 1; left > 0;) {
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, left), null);
    if (read === 0) return;
    left -= read;
    yield buffer.subarray(0, read);
  }
}

function readTreeFile(descriptor: number, relative: string, limit: number, copy: number | null): TreeFile {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  for (const piece of piecesOf(descriptor, limit)) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
    hash.update(piece);
    size += piece.length;
    if (copy !== null) for (let done = 0; done < piece.length;) done += writeSync(copy, piece, done);
  }
  return { path: relative, size, sha256: hash.digest('hex'), head };
}

/** One walk over the files of a pack. */
class TreeReader {
  readonly files: TreeFile[] = [];
  readonly findings: Finding[] = [];
  private readonly names = new Map<string, string>();
  private readonly madeFolders = new Set<string>();
  private total = 0;
  private entries = 0;

  constructor(
    private readonly root: string,
    private readonly options: ReadTreeOptions,
  ) {}

  /** @returns false when there is more than a pack may have. */
  async walk(): Promise<boolean> {
    const pending = [''];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const entry of this.list(folder)) {
        const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (++this.entries > MAX_ENTRIES || this.total > MAX_TOTAL_BYTES) return false;
        if (this.entries % PAUSE_AFTER === 0) {
          this.options.progress?.(this.files.length);
          await setImmediate();
        }
        if (!this.accepts(relative)) continue;
        if (entry.isDirectory()) pending.push(relative);
        else if (entry.isSymbolicLink())
          this.add('file.symlink', relative, 'Symbolic links are not allowed.', 'Put the file itself there.');
        else if (!entry.isFile()) this.addSpecial(relative);
        else this.read(relative);
      }
    }
    return this.total <= MAX_TOTAL_BYTES;
  }

  get tooMany(): boolean {
    return this.entries > MAX_ENTRIES;
  }

  private add(
    rule: string,
    file: string,
    message: string,
    hint: string,
    severity: Finding['severity'] = 'error',
  ): void {
    this.findings.push(finding({ severity, rule, file, message, hint }));
  }

  private addSpecial(relative: string): void {
    this.add('file.special', relative, 'This is no regular file.', 'Take it out.');
  }

  private addChanged(relative: string): void {
    const message = 'This was changed, or cannot be read, while the pack was read.';
    this.add('file.changed', relative, message, 'Check that you may read it, leave the folder alone and try again.');
  }

  private list(folder: string): ReturnType<typeof listInside> {
    try {
      return listInside(this.root, folder);
    } catch (error) {
      if (!(error instanceof ChangedWhileReadError)) throw error;
      // The folder that was asked for is nothing that has changed: there is none.
      if (folder === '' && this.entries === 0 && error.cause !== undefined) throw error.cause;
      this.addChanged(folder);
      return [];
    }
  }

  /** Whether a name may be in a pack, and is no other file's name on some system. */
  private accepts(relative: string): boolean {
    if (leftoverIn(relative) !== null) {
      const message = 'This is no part of a pack, but of the system, an editor or version control; it is skipped.';
      this.add('file.skipped', relative, message, 'It may stay; what is installed goes without it.', 'warning');
      return false;
    }
    const problem = nameProblem(relative);
    if (problem !== null) {
      this.add(`file.${problem.rule}`, relative.slice(0, 300), problem.message, 'Rename it.');
      return false;
    }
    const folded = foldedName(relative);
    const other = this.names.get(folded);
    if (other !== undefined)
      this.add(
        'file.duplicate',
        relative,
        `On some systems this is the same file as ${other}.`,
        'Rename one of the two.',
      );
    this.names.set(folded, relative);
    return true;
  }

  private read(relative: string): void {
    let descriptor: number | null;
    try {
      descriptor = openInside(this.root, relative);
    } catch (error) {
      if (!(error instanceof ChangedWhileReadError)) throw error;
      this.addChanged(relative);
      return;
    }
    if (descriptor === null) {
      this.addSpecial(relative);
      return;
    }
    const copy = this.openCopy(relative);
    try {
      const file = readTreeFile(descriptor, relative, MAX_TOTAL_BYTES - this.total, copy);
      this.total += file.size;
      this.files.push(file);
    } finally {
      closeSync(descriptor);
      if (copy !== null) closeSync(copy);
    }
  }

  private openCopy(relative: string): number | null {
    const { copyTo } = this.options;
    if (copyTo === undefined) return null;
    const target = path.join(copyTo, relative);
    const folder = path.dirname(target);
    if (!this.madeFolders.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.madeFolders.add(folder);
    // wx: an existing file is never written to.
    return openSync(target, 'wx', 0o600);
  }
}

/**
 * Reads the names, sizes and hashes of all files below `root`, and copies them when told to. Symbolic links and special
 * files are findings and are never followed, also when they take the place of a file or folder meanwhile.
 * @throws the system's error when `root` itself cannot be read, or the copy cannot be written
 */
export async function readTree(root: string, options: ReadTreeOptions = {}): Promise<PackTree> {
  const real = realpathSync(root);
  const reader = new TreeReader(real, options);
  if (!(await reader.walk())) {
    const message = reader.tooMany
      ? `There are more than ${MAX_ENTRIES} files and folders.`
      : 'The files are larger than 500 MB together.';
    const hint = 'Take out what the pack does not need.';
    return { root: real, files: [], findings: [finding({ rule: 'file.too-large', file: '', message, hint })] };
  }
  const files = reader.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { root: real, files, findings: reader.findings };
}
