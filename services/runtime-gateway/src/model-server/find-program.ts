import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '@parley/shared/service';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Whether a program can be started by its name alone. */
export function isOnPath(name: string, environment: Environment): boolean {
  const isWindows = process.platform === 'win32';
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter).filter(Boolean);
  return folders.some((folder) => isProgram(path.join(folder, isWindows ? `${name}.exe` : name)));
}

/** npm's own program, as it comes with this Node: beside it, or where systems put it. null: there is none. */
export function findNpm(): string | null {
  const beside = path.dirname(process.execPath);
  const places = [
    path.join(beside, 'node_modules'),
    path.join(beside, '..', 'lib', 'node_modules'),
    path.join(beside, '..', 'share', 'nodejs'),
  ];
  return places.map((place) => path.join(place, 'npm', 'bin', 'npm-cli.js')).find((file) => existsSync(file)) ?? null;
}

/** The folder of the model server that comes with Parley, from the sources and from the bundle alike. null: it does not. */
export function findModelServer(): string | null {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'model-server');
    if (existsSync(path.join(place, 'package-lock.json'))) return place;
    if (folder === path.dirname(folder)) return null;
  }
}
