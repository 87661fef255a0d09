import { existsSync, readFileSync } from 'node:fs';

/** The process that started another one. Of Linux alone. @throws Error when it is gone. */
export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Of Linux alone. */
export const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
