import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), link: z.boolean().optional(), os: z.array(z.string()).optional() }),
  ),
});
type Lockfile = z.infer<typeof Lockfile>;

const LIBRARY = 'node_modules/node-llama-cpp';
const BUILDS = 'node_modules/@node-llama-cpp/';

function readLockfile(file: string): Lockfile | null {
  try {
    return Lockfile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Whether the packages of the model server are there, all of them: npm writes what it has installed as its last step, so
 * that an install that was killed has no such list.
 * @param folder Holds package-lock.json.
 * @param modules Its folder node_modules.
 */
export function arePackagesInstalled(folder: string, modules: string): boolean {
  const wanted = readLockfile(path.join(folder, 'package-lock.json'))?.packages[LIBRARY]?.version;
  const installed = readLockfile(path.join(modules, '.package-lock.json'))?.packages;
  return wanted !== undefined && installed?.[LIBRARY]?.version === wanted;
}

/** Whether there is a build of the library for this machine among them. */
export function hasBuildForThisMachine(modules: string): boolean {
  const installed = readLockfile(path.join(modules, '.package-lock.json'))?.packages ?? {};
  return Object.entries(installed).some(([place, { link }]) => place.startsWith(BUILDS) && link !== true);
}

/** How many packages an install fetches on this system, about. */
export function packageCount(folder: string): number {
  const packages = Object.entries(readLockfile(path.join(folder, 'package-lock.json'))?.packages ?? {});
  return packages.filter(
    ([place, { link, os }]) =>
      place.startsWith('node_modules/') && link !== true && (os === undefined || os.includes(process.platform)),
  ).length;
}
