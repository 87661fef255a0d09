import path from 'node:path';
import { BackupError } from './backup-error';
import { readBackupPlace } from './config';
import { createBackup } from './create-backup';
import { restoreBackup } from './restore-backup';

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** `backup FILE` or `restore FILE`: what npm run backup and npm run restore run. */
async function main([command, file, ...others]: readonly string[]): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || file === undefined || others.length > 0)
    throw new BackupError('Name one file: npm run backup -- FILE, or npm run restore -- FILE.');
  const place = readBackupPlace();
  const target = path.resolve(file);
  if (command === 'backup') {
    const { bytes, sessions, schema_version, drafts, leftOut } = await createBackup(place, target);
    const missing = leftOut.length === 0 ? '' : ` Left out, rename them first: ${leftOut.join(', ')}.`;
    return `Backed up ${countOf(sessions, 'session')} and ${countOf(drafts, 'draft')} into ${target} (${(bytes / 1e6).toFixed(1)} MB, schema ${schema_version}).${missing}`;
  }
  const { kept, sessions, created_at } = await restoreBackup(place, target);
  const made = created_at === null ? '' : ` as they were at ${created_at}`;
  const before = kept === null ? '' : ` What was there before is in ${kept}; remove it when you do not need it.`;
  return `Restored ${countOf(sessions, 'session')}${made}.${before} Start with npm start.`;
}

main(process.argv.slice(2)).then(
  (line) => void process.stdout.write(`${line}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
