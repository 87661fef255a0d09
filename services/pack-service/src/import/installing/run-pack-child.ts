import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DiskFullError, type Finding } from '@parley/shared/contracts';
import type { PackJob, PackMessage, PackProgress, PackStage } from './pack-job';

/** How the process that unpacks and checks is started; tests run it from its sources. */
export interface PackChildOptions {
  readonly childPath?: string;
  readonly nodeArguments?: readonly string[];
  /** Milliseconds; a pack that takes longer is refused. */
  readonly timeoutMs?: number;
}

/** What it may use. 500 MB unpack in under 10 s on a slow disk, 10,000 files are checked in as much. */
export const CHILD_LIMITS = {
  unpack: { timeoutMs: 120_000, memoryMb: 128 },
  check: { timeoutMs: 300_000, memoryMb: 512 },
} as const;

/** What became of a job. */
export interface PackChildEnd {
  /** null when it had to be ended, or ended itself before it was done. */
  readonly findings: readonly Finding[] | null;
  readonly timedOut: boolean;
  /** Where it was then. */
  readonly stage: PackStage;
}

export interface PackChildWatch {
  /** Ends the process. */
  readonly signal?: AbortSignal;
  readonly progress?: (progress: PackProgress) => void;
}

/** Beside this file when compiled, below the bundle in dist/; from the sources, the compiled one of this service. */
function defaultChildPath(): string {
  const compiled = [
    path.join(__dirname, 'pack-child.js'),
    path.join(__dirname, 'import', 'installing', 'pack-child.js'),
  ];
  return (
    compiled.find((file) => existsSync(file)) ??
    path.resolve(__dirname, '../../../dist/import/installing/pack-child.js')
  );
}

/**
 * Does a job in a child process with limits of memory and time.
 * @throws DiskFullError; what the signal says; an Error when the process cannot be started or fails by itself
 */
export function runPackChild(
  job: PackJob,
  options: PackChildOptions = {},
  { signal, progress }: PackChildWatch = {},
): Promise<PackChildEnd> {
  signal?.throwIfAborted();
  const limits = CHILD_LIMITS[job.task];
  return new Promise((resolve, reject) => {
    const child = fork(options.childPath ?? defaultChildPath(), {
      execArgv: [`--max-old-space-size=${limits.memoryMb}`, ...(options.nodeArguments ?? [])],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let last: Exclude<PackMessage, { say: 'progress' }> | null = null;
    let stage: PackStage = 'unpacking';
    let timedOut = false;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, options.timeoutMs ?? limits.timeoutMs);
    signal?.addEventListener('abort', kill, { once: true });
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
    };
    child.on('message', (message: PackMessage) => {
      if (message.say !== 'progress') last = message;
      else {
        stage = message.stage;
        progress?.({ stage, files_done: message.files_done, files_total: message.files_total });
      }
    });
    child.once('error', (error) => {
      over();
      reject(error);
    });
    child.once('exit', () => {
      over();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (last?.say === 'no-room') reject(new DiskFullError());
      else if (last?.say === 'failed') reject(new Error(`the process for packs failed: ${last.reason}`));
      else resolve({ findings: last?.findings ?? null, timedOut, stage });
    });
    child.send(job, (error) => {
      // It ended before it could be told: the exit says all there is to say.
      if (error !== null) kill();
    });
  });
}
