import { claimJob, type JobRow } from '@parley/shared/store';
import type { WorkerContext } from '../context';

const isoAfter = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString();

/** When a lease that is taken or renewed now runs out. */
export const leaseEnd = ({ now, policy }: WorkerContext): string => isoAfter(now(), policy.lease);

/** The next job for this process, or null. Nothing waits longer than the longest pause or lease, whatever clocks do. */
export async function claimNextJob(context: WorkerContext): Promise<JobRow | null> {
  const { database, owner, policy } = context;
  const now = context.now();
  return claimJob(database, {
    owner,
    now: now.toISOString(),
    lease_until: leaseEnd(context),
    latest: isoAfter(now, Math.max(policy.lease, policy.longestRetry) + 1_000),
  });
}
