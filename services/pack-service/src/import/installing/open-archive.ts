import type { Finding } from '@parley/shared/contracts';
import { finding } from '../validating/finding';
import { runPackChild, type PackChildEnd, type PackChildOptions } from './run-pack-child';

/** What is said of an archive whose unpacking had to be ended, or ended by itself. */
export const unpackingEnded = ({ timedOut }: Pick<PackChildEnd, 'timedOut'>): Finding =>
  finding({
    rule: 'zip.invalid',
    file: '',
    message: timedOut ? 'Unpacking the archive takes too long.' : 'The archive cannot be unpacked.',
    hint: 'Make the archive anew from the folder of the pack.',
  });

/**
 * Unpacks an archive in a child process with limits of memory and time.
 * @returns findings; an error among them means that the folder holds nothing to rely on.
 * @throws DiskFullError
 */
export async function openArchive(
  archive: string,
  folder: string,
  options: PackChildOptions = {},
): Promise<readonly Finding[]> {
  const end = await runPackChild({ task: 'unpack', archive, folder }, options);
  return end.findings ?? [unpackingEnded(end)];
}
