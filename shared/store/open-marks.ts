import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { identityOf, isAlive, readIdentity, writeIdentity } from '@parley/shared/process-identity';
import { readFindings, writeFindings } from './findings';

/**
 * Beside the database lies a file for each process that has it open, `parley.sqlite.open-<pid>-<n>`, with who that is. One
 * that its process has left behind tells of an end without closing: a power cut, a kill.
 */
const PART = '.open-';
let opened = 0;

interface Marks {
  readonly living: string[];
  readonly leftBehind: string[];
}

function marksOf(file: string): Marks {
  const folder = dirname(file);
  const marks = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}${PART}`))
    .map((name) => join(folder, name));
  const isLiving = (mark: string): boolean => {
    const identity = readIdentity(mark);
    return identity !== null && isAlive(identity);
  };
  const living = marks.filter(isLiving);
  return { living, leftBehind: marks.filter((mark) => !living.includes(mark)) };
}

/** Whether any process has the database open. */
export const isDatabaseOpen = (file: string): boolean => marksOf(file).living.length > 0;

const hasLog = (file: string): boolean => statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined;

function noteLeftBehind(dataDir: string, leftBehind: readonly string[], logRemoved: boolean): void {
  if (leftBehind.length === 0) return;
  // What is not checked yet may have more to say than what comes now.
  const earlier = readFindings(dataDir);
  const log_removed = logRemoved || (earlier?.check === null && earlier.log_removed);
  writeFindings(dataDir, { found_at: new Date().toISOString(), log_removed, check: null });
  for (const mark of leftBehind) rmSync(mark, { force: true });
}

/**
 * Marks the database as open before it is opened, and notes what processes before have left. Never throws.
 * @returns takes the mark away; to be called when the database is closed
 */
export function markOpen(dataDir: string, file: string): () => void {
  const mark = `${file}${PART}${process.pid}-${(opened += 1)}`;
  try {
    const { living, leftBehind } = marksOf(file);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    // Whoever closes the database as the last one takes the log away; whoever was killed leaves it.
    noteLeftBehind(dataDir, leftBehind, size > 0 && living.length === 0 && !hasLog(file));
    const identity = identityOf(process.pid);
    if (identity !== null) writeIdentity(mark, identity);
  } catch {
    // A disk that takes no file. The database itself will say so.
  }
  return () => {
    try {
      // The last one to close took the log away: those that were killed before are not to blame for that.
      if (!hasLog(file)) noteLeftBehind(dataDir, marksOf(file).leftBehind, false);
      rmSync(mark, { force: true });
    } catch {
      // A disk that has become read-only. The mark says the truth then: nobody could close in order.
    }
  };
}
