import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DiskFullError, type Finding } from '@parley/shared/contracts';
import { finding } from './finding';
import { NO_ROOM_LEFT } from './out-of-room';

/** How the process that unpacks is started; tests run it from its sources. */
export interface UnpackOptions {
  readonly childPath?: string;
  readonly nodeArguments?: readonly string[];
  /** Milliseconds; an archive that takes longer is refused. */
  readonly timeoutMs?: number;
}

/** 500 MB take under 10 s on a slow disk. */
const DEFAULT_TIMEOUT_MS = 120_000;
const MEMORY_LIMIT_MB = 128;

/** Beside this file when compiled, below the bundle in dist/; from the sources, the compiled one of this service. */
function defaultChildPath(): string {
  const compiled = [path.join(__dirname, 'unpack-zip-child.js'), path.join(__dirname, 'import', 'unpack-zip-child.js')];
  return compiled.find((file) => existsSync(file)) ?? path.resolve(__dirname, '../../dist/import/unpack-zip-child.js');
}

/**
 * Unpacks an archive in a child process with limits of memory and time.
 * @returns findings; an error among them means that the folder holds nothing to rely on.
 * @throws DiskFullError
 */
export function openArchive(zipPath: string, folder: string, options: UnpackOptions = {}): Promise<Finding[]> {
  return new Promise((resolve, reject) => {
    const child = fork(options.childPath ?? defaultChildPath(), [zipPath, folder], {
      execArgv: [`--max-old-space-size=${MEMORY_LIMIT_MB}`, ...(options.nodeArguments ?? [])],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let answer: Finding[] | typeof NO_ROOM_LEFT | null = null;
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    child.once('message', (message) => {
      answer = message as Finding[] | typeof NO_ROOM_LEFT;
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      if (answer === NO_ROOM_LEFT) {
        reject(new DiskFullError());
        return;
      }
      const message = timedOut ? 'Unpacking the archive takes too long.' : 'The archive cannot be unpacked.';
      resolve(
        answer ?? [
          finding({
            rule: 'zip.invalid',
            file: '',
            message,
            hint: 'Make the archive anew from the folder of the pack.',
          }),
        ],
      );
    });
  });
}
