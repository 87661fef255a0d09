import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './managed-process';

const PACKS = path.join(PROJECT_ROOT, 'packs');

/** Ids of the packs that the set comes with, in the order of the alphabet; each holds one scenario of the same id. */
export const BUILT_IN_IDS: readonly string[] = readdirSync(PACKS)
  .filter((name) => existsSync(path.join(PACKS, name, 'manifest.yaml')))
  .sort();
