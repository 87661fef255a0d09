import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, UPLOAD_LIMIT } from '@parley/shared/contracts';
import type { PackContext } from '../../context';
import { readCheckedPack, unreadablePack, type CheckedPack } from './checked-pack';
import { finding } from '../validating/finding';
import { unpackingEnded } from './open-archive';
import type { PackPlace, PackProgress } from './pack-job';
import { CHILD_LIMITS, runPackChild, type PackChildEnd, type PackChildWatch } from './run-pack-child';

/** A pack that lies in a staging folder of its own, checked. */
export interface StagedPack {
  readonly folder: string;
  readonly checked: CheckedPack;
}

/** Where a pack comes from: a folder or archive on this machine, or an uploaded archive. */
export interface PackSource {
  readonly path: string;
  readonly uploaded: boolean;
}

/** Who waits for a pack, and may give up. */
export interface StagingWatch {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: PackProgress) => void;
}

/** What lies at a path. @throws ServiceError VALIDATION_ERROR when nothing does that could be a pack. */
export async function placeOf(source: PackSource): Promise<PackPlace & { readonly size: number }> {
  try {
    const at = await realpath(source.path);
    const found = await stat(at);
    if (found.isDirectory() || found.isFile())
      return { path: at, kind: found.isDirectory() ? 'folder' : 'archive', size: found.size };
  } catch {
    // Missing, or not for this user to read: the same to the caller.
  }
  throw new ServiceError(
    'VALIDATION_ERROR',
    'There is no folder or zip at this path that can be read. Check the path and try again.',
    {
      details: { issues: [{ path: 'path', message: 'Must be an existing folder or zip on this machine.' }] },
    },
  );
}

/** What is said of a pack whose check had to be ended, or ended by itself. */
function checkEnded(end: Pick<PackChildEnd, 'timedOut' | 'stage'>, kind: PackPlace['kind']): CheckedPack {
  if (end.stage === 'unpacking' && kind === 'archive') return unreadablePack([unpackingEnded(end)]);
  const { timeoutMs, memoryMb } = CHILD_LIMITS.check;
  return unreadablePack([
    finding({
      rule: 'pack.too-complex',
      file: '',
      message: end.timedOut
        ? `Checking the pack takes longer than ${timeoutMs / 60_000} minutes.`
        : `The pack cannot be checked with ${memoryMb} MB of memory.`,
      hint: 'Make its longest files and lists shorter, or make several packs of it.',
    }),
  ]);
}

/**
 * Checks a pack in a process of its own.
 * @param scratch folder for what it finds
 * @throws DiskFullError, or what the signal says
 */
export async function checkInChild(
  context: Pick<PackContext, 'packChild'>,
  place: PackPlace,
  scratch: { readonly folder: string; readonly result: string },
  watch: PackChildWatch = {},
): Promise<CheckedPack> {
  const end = await runPackChild({ task: 'check', place, ...scratch }, context.packChild, watch);
  const checked = end.findings === null ? null : await readCheckedPack(scratch.result);
  return checked ?? checkEnded(end, place.kind);
}

/**
 * Takes a pack into a staging folder and checks what lies there, then hands it to `use`. Not more than two at once; the
 * others wait. The folder is gone afterwards, unless `use` has moved it.
 * @throws ServiceError VALIDATION_ERROR when there is nothing at the path; what the caller's signal says.
 */
export async function withStagedPack<T>(
  context: PackContext,
  source: PackSource,
  use: (staged: StagedPack) => Promise<T>,
  { signal, progress }: StagingWatch = {},
): Promise<T> {
  const { size, ...place } = await placeOf(source);
  return context.queue.run(async (ended) => {
    progress?.({ stage: 'unpacking', files_done: 0, files_total: null });
    const base = path.join(context.folders.staging, `import-${randomUUID()}`);
    const folder = path.join(base, 'pack');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const scratch = { folder, result: path.join(base, 'result') };
      const watch = { signal: ended, ...(progress === undefined ? {} : { progress }) };
      const checked =
        place.kind === 'archive' && size > UPLOAD_LIMIT
          ? tooLarge()
          : await checkInChild(context, place, scratch, watch);
      return await use({ folder, checked });
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  }, signal);
}

const tooLarge = (): CheckedPack =>
  unreadablePack([
    finding({
      rule: 'zip.too-large',
      file: '',
      message: 'The archive is larger than 500 MB.',
      hint: 'Take out what the pack does not need.',
    }),
  ]);
