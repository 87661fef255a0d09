import path from 'node:path';
import { zipFolder } from '../authoring/zip-pack';
import { readTree } from '../import/validating/read-tree';
import { formatFindings } from './format-findings';
import type { CommandOutput } from './command-output';
import { readPacks } from './read-packs';
import { UsageError } from './usage-error';

/**
 * Makes the zip of a pack that lints without an error.
 * @param out the zip; `<pack_id>-<version>.zip` in the current folder when left out.
 * @returns whether it was made.
 * @throws NoPackError, UsageError when the path is no single folder.
 */
export async function buildPack(given: string, out: string | undefined, output: CommandOutput): Promise<boolean> {
  const [pack, another] = await readPacks(given);
  if (pack?.validation == null || another !== undefined || given.endsWith('.zip'))
    throw new UsageError('build wants the folder of one pack.');
  const { findings, validation } = pack;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  output.stdout(formatFindings([{ prefix: pack.prefix, valid: errors === 0, findings, extra: {} }], 'text'));
  const manifest = validation.pack.manifest?.content;
  if (errors > 0 || manifest === undefined) {
    output.stderr(`Not built: ${errors} ${errors === 1 ? 'error' : 'errors'}. Mend what the findings name.\n`);
    return false;
  }
  const target = path.resolve(out ?? `${manifest.pack_id}-${manifest.version}.zip`);
  const { files } = await readTree(given);
  try {
    await zipFolder(
      given,
      files.map(({ path: name }) => name),
      target,
    );
  } catch (error) {
    output.stderr(`Not built: ${(error as Error).message}. Mend that, then build it again.\n`);
    return false;
  }
  output.stdout(`${path.relative(process.cwd(), target)}\n`);
  output.stderr(
    `${manifest.name} ${manifest.version}: ${files.length} files. Anybody can import this zip on the Packs page.\n`,
  );
  return true;
}
