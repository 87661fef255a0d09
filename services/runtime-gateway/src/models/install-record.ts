import { rename } from 'node:fs/promises';
import { z } from 'zod';
import { ModelInstall } from '@parley/shared/contracts';
import { openOwnFile, readRegularFileSync } from './open-regular-file';

/** Where the bytes of an install come from. */
export const InstallSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pull'), name: z.string() }),
  z.object({ kind: z.literal('url'), url: z.string(), sha256: z.string().nullable(), etag: z.string().nullable() }),
  z.object({ kind: z.literal('file'), path: z.string() }),
]);
export type InstallSource = z.infer<typeof InstallSource>;

/** An install with what is needed to go on with it after a restart. */
export const InstallRecord = z.object({ install: ModelInstall, source: InstallSource });
export type InstallRecord = z.infer<typeof InstallRecord>;

/** The installs that a file holds, newest first; none when it is not there or cannot be read. */
export function readInstallRecords(file: string): InstallRecord[] {
  try {
    return z.array(InstallRecord).parse(JSON.parse(readRegularFileSync(file)));
  } catch {
    return [];
  }
}

/** Replaces the file in one step: a crash leaves the old list or the new one. */
export async function writeInstallRecords(file: string, records: readonly InstallRecord[]): Promise<void> {
  const next = `${file}.next`;
  const handle = await openOwnFile(next, { begins: true });
  try {
    await handle.writeFile(JSON.stringify(records, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
}

export const isRunning = ({ install }: InstallRecord): boolean =>
  ['queued', 'downloading', 'verifying'].includes(install.status);

/** The install that the part file of a model is of, if there is one: the newest that writes such a file. */
export function partOwner(records: readonly InstallRecord[], modelId: string): InstallRecord | undefined {
  return records.find(({ install, source }) => install.model_id === modelId && source.kind !== 'pull');
}
