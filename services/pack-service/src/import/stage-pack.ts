import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError, UPLOAD_LIMIT, type Finding } from '@parley/shared/contracts';
import type { PackContext } from '../context';
import { copyFolder } from './copy-folder';
import { finding, hasErrors, inFileOrder } from './finding';
import { openArchive } from './open-archive';
import { validatePack, type Validation } from './validate-pack';

/** A pack that lies in a staging folder of its own, validated. */
export interface StagedPack {
  readonly folder: string;
  /** null when the archive could not be unpacked. */
  readonly validation: Validation | null;
  readonly findings: readonly Finding[];
  readonly valid: boolean;
}

/** Where a pack comes from: a folder or archive on this machine, or an uploaded archive. */
export interface PackSource {
  readonly path: string;
  readonly uploaded: boolean;
}

async function kindOf(source: PackSource): Promise<{ at: string; kind: 'folder' | 'archive'; size: number }> {
  try {
    const at = await realpath(source.path);
    const found = await stat(at);
    if (found.isDirectory() || found.isFile())
      return { at, kind: found.isDirectory() ? 'folder' : 'archive', size: found.size };
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

async function fillStaging(context: PackContext, source: PackSource, folder: string): Promise<Finding[]> {
  const { at, kind, size } = await kindOf(source);
  if (kind === 'folder') return copyFolder(at, folder);
  if (size > UPLOAD_LIMIT)
    return [
      finding({
        rule: 'zip.too-large',
        file: '',
        message: 'The archive is larger than 500 MB.',
        hint: 'Take out what the pack does not need.',
      }),
    ];
  return openArchive(at, folder, context.unpack);
}

/**
 * Takes a pack into a staging folder and validates what lies there, then hands it to `use`. The folder is gone
 * afterwards, unless `use` has moved it.
 * @throws ServiceError VALIDATION_ERROR when there is nothing at the path.
 */
export async function withStagedPack<T>(
  context: PackContext,
  source: PackSource,
  use: (staged: StagedPack) => Promise<T>,
): Promise<T> {
  const folder = path.join(context.folders.staging, `import-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const opening = await fillStaging(context, source, folder);
    // What did not unpack is not looked at further: its other findings would be about the damage, not the pack.
    const unreadable = opening.some((one) => one.severity === 'error' && one.rule.startsWith('zip.'));
    const validation = unreadable ? null : await validatePack(folder);
    const findings = inFileOrder([...opening, ...(validation?.findings ?? [])]);
    return await use({ folder, validation, findings, valid: validation !== null && !hasErrors(findings) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
