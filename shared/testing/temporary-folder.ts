import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function temporaryFolder(purpose = 'test', within = os.tmpdir()): TemporaryFolder {
  const folder = mkdtempSync(path.join(within, `parley-${purpose}-`));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
