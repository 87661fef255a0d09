import { hostname } from 'node:os';
import { requeueJob, runningJobs } from '@parley/shared/store';
import type { WorkerContext } from '../context';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process that the owner names is certainly gone: one of this machine that no longer runs. */
export function isGone(owner: string | null, self: string): boolean {
  if (owner === null || owner === self) return false;
  const [host, pid] = owner.split('/');
  if (host !== hostname() || !/^[1-9]\d*$/.test(pid ?? '')) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

/**
 * Takes jobs away from processes of this machine that were killed, so that their debriefs need not wait for the lease to
 * run out. The killed attempt still counts: it may have been the job that killed the process.
 * @returns how many
 */
export async function releaseAbandonedJobs(context: WorkerContext): Promise<number> {
  const { database, owner, now } = context;
  const abandoned = (await runningJobs(database)).filter((job) => isGone(job.lease_owner, owner));
  if (abandoned.length === 0) return 0;
  return database.write(async (transaction) => {
    let released = 0;
    for (const job of abandoned) {
      const held = { id: job.id, owner: job.lease_owner as string };
      if (await requeueJob(transaction, held, now().toISOString(), 'PROCESS_GONE')) released += 1;
    }
    return released;
  });
}
