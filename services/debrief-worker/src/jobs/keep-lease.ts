import { extendLease, type HeldJob } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { leaseEnd } from './claim-jobs';

/** Why work on a job is broken off. */
export class JobInterrupted extends Error {
  constructor(readonly reason: 'lost' | 'stopping') {
    super(reason === 'lost' ? 'the job was taken over or deleted' : 'the worker stops');
    this.name = 'JobInterrupted';
  }
}

export interface KeptLease {
  /** Ends the heartbeat; resolves when none is on its way any more. */
  end(): Promise<void>;
}

/** Renews the lease until `end`; when the job is no longer held, `lost` is aborted with JobInterrupted. */
export function keepLease(context: WorkerContext, job: HeldJob, lost: AbortController): KeptLease {
  let beating: Promise<void> = Promise.resolve();
  const beat = async (): Promise<void> => {
    try {
      const held = await context.database.write((transaction) => extendLease(transaction, job, leaseEnd(context)));
      if (!held) lost.abort(new JobInterrupted('lost'));
    } catch (error) {
      // The next beat may succeed; the lease is longer than several of them.
      context.logger.warn({ job_id: job.id, err: error }, 'heartbeat failed');
    }
  };
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, context.policy.heartbeat);
  return {
    async end() {
      clearInterval(timer);
      await beating;
    },
  };
}
