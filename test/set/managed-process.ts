import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@parley/shared/contracts';

/** These files also run compiled, a folder deeper: the root is where the lockfile lies. */
function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package-lock.json')) ? folder : findRoot(path.dirname(folder));
}

export const PROJECT_ROOT = findRoot(__dirname);

/** The program of a process: the same file that `npm start` gives to the supervisor, run in the same way. */
export const programOf = (service: ServiceName): string =>
  path.join(PROJECT_ROOT, 'services', service.replaceAll('_', '-'), 'dist', 'service.cjs');

/** How a process ended: exactly one of both is set. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ManagedProcess {
  readonly service: ServiceName;
  readonly pid: number;
  /** What it wrote to its two streams; a process of the set writes there only what a person must mend. */
  output(): string;
  /** null while it runs. */
  end(): ProcessEnd | null;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<ProcessEnd>;
}

export interface LaunchOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Words in front of the command, for example those of a tracer. */
  readonly wrapper?: readonly string[];
  /** Words for node itself. */
  readonly nodeWords?: readonly string[];
}

/** A test that dies leaves no process behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Variables of this shell that a process needs; everything else reaches it only when a test says so. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_DATA_HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG'];

/** Starts the program of a service. */
export function launch(service: ServiceName, options: LaunchOptions): ManagedProcess {
  const { environment, wrapper = [], nodeWords = [] } = options;
  const inherited = Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const [command = process.execPath, ...words] = [...wrapper, process.execPath, ...nodeWords, programOf(service)];
  const child = spawn(command, words, {
    cwd: PROJECT_ROOT,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  const keep = (data: Buffer): void => {
    output += data.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let end: ProcessEnd | null = null;
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      output += String(error);
      end = { code: 127, signal: null };
      resolve(end);
    });
    child.once('close', (code, signal) => {
      end ??= { code, signal };
      running.delete(child);
      resolve(end);
    });
  });
  return {
    service,
    pid: child.pid ?? -1,
    output: () => output,
    end: () => end,
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
