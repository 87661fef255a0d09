import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '@parley/shared/service';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The system's code when the program could not be started at all. */
  readonly failed: string | null;
}

export interface GuardedProcess {
  /** Of the program; null until it runs. */
  readonly pid: number | null;
  /** Resolves when the program has ended. */
  readonly ended: Promise<ProcessExit>;
  /** Ends the program: asks first, kills after five seconds. */
  stop(): void;
}

export interface GuardedProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** The program's whole environment. */
  readonly environment: Environment;
  onOutput(text: string): void;
  onPid(pid: number): void;
}

/** Works from the sources, from the compiled modules and from the bundle alike. */
function guardFile(): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'guard', 'sidecar-guard.cjs');
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) throw new Error('guard/sidecar-guard.cjs is missing; install Parley again');
  }
}

/**
 * Runs a program behind the guard, a small process that ends the program when this one is gone, however it went. Should the
 * guard be killed instead, this process ends the program.
 */
export function startGuarded(options: GuardedProcessOptions): GuardedProcess {
  const guard: ChildProcess = fork(guardFile(), [options.program, ...options.args], {
    silent: true,
    execArgv: [],
    env: { ...options.environment },
  });
  let pid: number | null = null;
  let exit: ProcessExit | null = null;
  guard.stdout?.setEncoding('utf8').on('data', options.onOutput);
  guard.stderr?.setEncoding('utf8').on('data', options.onOutput);
  guard.on(
    'message',
    (message: { pid?: number; failed?: string; exit?: { code: number | null; signal: string | null } }) => {
      if (message.pid !== undefined) {
        pid = message.pid;
        options.onPid(pid);
      }
      if (message.failed !== undefined) exit = { code: null, signal: null, failed: message.failed };
      if (message.exit !== undefined) exit = { ...message.exit, failed: null };
    },
  );
  // The channel ends after its last message: without word of an end, it is the guard that has been killed.
  guard.once('disconnect', () => {
    if (exit === null && pid !== null) killQuietly(pid);
  });
  const ended = new Promise<ProcessExit>((resolve) => {
    guard.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ code: null, signal: null, failed: error.code ?? 'UNKNOWN' }),
    );
    guard.once('close', (code, signal) => {
      resolve(exit ?? { code, signal, failed: null });
    });
  });
  return {
    get pid() {
      return pid;
    },
    ended,
    stop: () => {
      if (guard.connected) guard.send('stop', () => undefined);
    },
  };
}

/** Kills a program and all that it has started: the guard makes it the first of a group. */
export function killQuietly(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It is gone already, or no group.
    }
  }
}
