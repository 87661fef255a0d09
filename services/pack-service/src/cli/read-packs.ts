import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Finding } from '@parley/shared/contracts';
import { openArchive } from '../import/installing/open-archive';
import type { PackChildOptions } from '../import/installing/run-pack-child';
import { inFileOrder } from '../import/validating/finding';
import { validatePack, type Validation } from '../import/validating/validate-pack';

/** A path that a person typed and that leads to no pack. */
export class NoPackError extends Error {
  constructor(given: string) {
    super(`${given} is no pack: name a folder with a manifest.yaml, a folder of such folders, or a zip.`);
    this.name = 'NoPackError';
  }
}

export interface ReadPack {
  /** How its files are named in findings. */
  readonly prefix: string;
  /** null when the archive could not be unpacked. */
  readonly validation: Validation | null;
  readonly findings: readonly Finding[];
}

const tidy = (given: string): string =>
  given
    .split(path.sep)
    .join('/')
    .replace(/(?<!\/)\/+$/, '');

async function readArchive(given: string, unpack: PackChildOptions): Promise<ReadPack> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-pack-'));
  try {
    const opening = await openArchive(path.resolve(given), folder, unpack);
    const unreadable = opening.some((one) => one.severity === 'error');
    const validation = unreadable ? null : await validatePack(folder);
    return { prefix: tidy(given), validation, findings: inFileOrder([...opening, ...(validation?.findings ?? [])]) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readFolder(given: string): Promise<ReadPack> {
  const validation = await validatePack(given);
  return { prefix: given === '.' ? '' : tidy(given), validation, findings: validation.findings };
}

/**
 * The pack at a path, or all packs in a folder of packs: each a folder with a manifest.yaml, or an archive.
 * @throws NoPackError when there is none.
 */
export async function packsAt(given: string): Promise<string[]> {
  const found = await stat(given).catch(() => null);
  if (found === null) throw new NoPackError(given);
  if (!found.isDirectory() || existsSync(path.join(given, 'manifest.yaml'))) return [given];
  const inside = await readdir(given, { withFileTypes: true });
  const packs = inside
    .filter((entry) => entry.isDirectory() && existsSync(path.join(given, entry.name, 'manifest.yaml')))
    .map((entry) => path.join(given, entry.name))
    .sort();
  if (packs.length === 0) throw new NoPackError(given);
  return packs;
}

/** Reads one of {@link packsAt}. */
export async function readPack(given: string, unpack: PackChildOptions = {}): Promise<ReadPack> {
  return (await stat(given)).isDirectory() ? readFolder(given) : readArchive(given, unpack);
}

/**
 * Reads the pack at a path, or all packs in a folder of packs.
 * @throws NoPackError when there is none.
 */
export async function readPacks(given: string, unpack: PackChildOptions = {}): Promise<ReadPack[]> {
  const read: ReadPack[] = [];
  for (const pack of await packsAt(given)) read.push(await readPack(pack, unpack));
  return read;
}
