import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { killQuietly } from './guarded-process';

/**
 * Which model server this gateway runs, on disk: the last net for one that outlived gateway and guard. A full or read-only
 * disk only loses the net.
 */
export class LeftOver {
  private readonly file: string;

  constructor(dataDir: string) {
    this.file = path.join(dataDir, 'sidecar.json');
  }

  remember(pid: number): void {
    try {
      writeFileSync(this.file, JSON.stringify({ pid, started: startOf(pid) }), { mode: 0o600 });
    } catch {
      this.forget();
    }
  }

  forget(): void {
    try {
      rmSync(this.file, { force: true });
    } catch {
      // What stays names a process by its number and its start: another one is never taken for it.
    }
  }

  /** Ends a model server of an earlier gateway. A process that only has its number is left alone. @returns Whether it was there. */
  sweep(): boolean {
    let known: { pid?: unknown; started?: unknown };
    try {
      known = JSON.parse(readFileSync(this.file, 'utf8')) as { pid?: unknown; started?: unknown };
    } catch {
      return false;
    }
    this.forget();
    const { pid, started } = known;
    if (typeof pid !== 'number' || typeof started !== 'string' || startOf(pid) !== started) return false;
    killQuietly(pid);
    return true;
  }
}

/** When a process began, as the system counts it: with the number it names one process for good. null: not known here. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
