import { ServiceError } from '@parley/shared/contracts';
import { failJob, requeueJob, type HeldJob, type JobRow } from '@parley/shared/store';
import type { WorkerContext } from '../context';

/** Name of an error for the jobs table: a code, never a message, since messages may carry text. */
export const errorName = (error: unknown): string => {
  if (error instanceof ServiceError) return error.code;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return code !== '' ? code : error instanceof Error ? error.name : 'UNKNOWN';
};

/** Pause before the next attempt, in milliseconds: doubled with each one, up to the longest. */
export function backOff({ policy }: Pick<WorkerContext, 'policy'>, attempts: number): number {
  return Math.min(policy.longestRetry, policy.firstRetry * 2 ** Math.min(Math.max(attempts - 1, 0), 20));
}

/** Puts a failed job back for later, or gives it up after very many attempts. @returns the pause; null when given up */
export async function retryJob(context: WorkerContext, job: JobRow, error: unknown): Promise<number | null> {
  const held: HeldJob = { id: job.id, owner: context.owner };
  const name = errorName(error);
  if (job.attempts >= context.policy.attemptsInAll) {
    await context.database.write((transaction) => failJob(transaction, held, name));
    return null;
  }
  const pause = backOff(context, job.attempts);
  const runAfter = new Date(context.now().getTime() + pause).toISOString();
  await context.database.write((transaction) => requeueJob(transaction, held, runAfter, name));
  return pause;
}
