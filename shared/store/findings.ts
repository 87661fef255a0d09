import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What was noticed about the database when it was opened; lies in the data folder, so that npm run doctor finds it, too. */
const NAME = 'storage-findings.json';

const StorageFindings = z.object({
  /** When it was noticed that a process had ended without closing the database. */
  found_at: z.iso.datetime(),
  /** The log that the process had left was not there any more. */
  log_removed: z.boolean(),
  /** What the check afterwards has found: null until there was one, `ok`, or SQLite's own words. */
  check: z.string().nullable(),
});
export type StorageFindings = z.infer<typeof StorageFindings>;

/** Null when nothing was ever noticed, or it is not whole. */
export function readFindings(dataDir: string): StorageFindings | null {
  try {
    return StorageFindings.parse(JSON.parse(readFileSync(join(dataDir, NAME), 'utf8')));
  } catch {
    return null;
  }
}

/** Best effort: a disk that takes nothing costs the finding. */
export function writeFindings(dataDir: string, findings: StorageFindings): void {
  const draft = join(dataDir, `.${NAME}.${process.pid}`);
  try {
    writeFileSync(draft, `${JSON.stringify(findings)}\n`, { mode: 0o600 });
    renameSync(draft, join(dataDir, NAME));
  } catch {
    rmSync(draft, { force: true });
  }
}
