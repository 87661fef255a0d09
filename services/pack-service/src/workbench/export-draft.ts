import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '@parley/shared/contracts';
import { zipFolder } from '../authoring/zip-pack';
import type { PackContext } from '../context';
import { inspectInChild } from './check-draft';
import { copyFolder, readTree } from './pack-tools';

/**
 * The zip of a draft, as `packs build` makes it. What is checked is a copy: what is exported is what was looked at.
 * @throws ServiceError PACK_INVALID while the draft has errors
 */
export async function exportDraft(
  context: PackContext,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const base = path.join(context.folders.staging, `export-${randomUUID()}`);
  const copy = path.join(base, 'pack');
  await mkdir(copy, { recursive: true, mode: 0o700 });
  try {
    await copyFolder(folder, copy);
    const { check, contents } = await inspectInChild(context, copy, signal);
    const errors = check.findings.filter(({ severity }) => severity === 'error');
    const [content] = contents;
    if (!check.valid || content === undefined)
      throw new ServiceError(
        'PACK_INVALID',
        'The draft has errors; nothing was exported. Mend what the findings name.',
        {
          details: { findings: errors },
        },
      );
    const { files } = await readTree(copy);
    const zip = path.join(base, 'pack.zip');
    await zipFolder(
      copy,
      files.map(({ path: name }) => name),
      zip,
    );
    return { name: content.pack_id, bytes: await readFile(zip) };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}
