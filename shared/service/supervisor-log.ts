import { copyFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from './logger';

const MAX_BYTES = 5_000_000;
const LOOK_EVERY_MS = 10 * 60_000;

/**
 * PM2 writes a log of its own and never begins a new one: a process that dies again and again fills the disk with it. It
 * appends, so what is there can be copied to `pm2.1.log` and cut off while it runs; one copy is kept.
 */
export function turnSupervisorLog(home: string, maxBytes = MAX_BYTES): boolean {
  const log = path.join(home, 'pm2.log');
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return false;
  copyFileSync(log, path.join(home, 'pm2.1.log'));
  truncateSync(log);
  return true;
}

/** Looks at once and every ten minutes. @returns what ends it */
export function watchSupervisorLog(home: string, logger: Logger): () => void {
  const look = (): void => {
    try {
      turnSupervisorLog(home);
    } catch (error) {
      logger.warn({ err: error }, "the supervisor's log could not be turned");
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
