import { releaseJob, type JobRow } from '@parley/shared/store';
import type { WorkerContext } from '../context';
import { writeDebrief } from '../debrief/write-debrief';
import type { JobOutcome } from '../worker-metrics';
import { claimNextJob } from './claim-jobs';
import { JobInterrupted, keepLease } from './keep-lease';
import { releaseAbandonedJobs } from './release-abandoned-jobs';
import { errorName, retryJob } from './retry-job';

/** Takes jobs from the queue and works on a few at a time, until it is stopped. */
export class JobRunner {
  private readonly running = new Map<Promise<void>, AbortController>();
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private lookAgain = false;
  private stopped = false;

  constructor(private readonly context: WorkerContext) {}

  start(): void {
    this.wake();
  }

  /** Looks at the queue at once. */
  wake(): void {
    if (this.stopped) return;
    this.lookAgain = true;
    this.looking ??= this.look().then(() => {
      this.looking = null;
      if (this.lookAgain) this.wake();
      else this.lookLater();
    });
  }

  /**
   * Takes no more jobs; those that run may finish within the grace time, then they are broken off and given back.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.looking;
    const deadline = setTimeout(() => {
      for (const work of this.running.values()) work.abort(new JobInterrupted('stopping'));
    }, this.context.policy.stopGrace);
    await Promise.all(this.running.keys());
    clearTimeout(deadline);
  }

  private lookLater(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.context.policy.poll);
  }

  /** Takes what there is to take; never rejects. */
  private async look(): Promise<void> {
    this.lookAgain = false;
    const { context } = this;
    try {
      await releaseAbandonedJobs(context);
      while (!this.stopped && this.running.size < context.policy.concurrency) {
        const job = await claimNextJob(context);
        if (job === null) break;
        this.run(job);
      }
    } catch (error) {
      context.logger.error({ err: error, code: errorName(error) }, 'cannot look for jobs');
    }
  }

  private run(job: JobRow): void {
    const interrupt = new AbortController();
    const work = this.work(job, interrupt).finally(() => {
      this.running.delete(work);
      this.wake();
    });
    this.running.set(work, interrupt);
  }

  /** Works on one claimed job; never rejects. */
  private async work(job: JobRow, interrupt: AbortController): Promise<void> {
    const { context } = this;
    const begun = performance.now();
    const lease = keepLease(context, { id: job.id, owner: context.owner }, interrupt);
    let outcome: JobOutcome;
    try {
      outcome = await writeDebrief(context, job, interrupt.signal);
    } catch (error) {
      outcome = await this.giveBack(job, error);
    } finally {
      await lease.end();
    }
    const duration = performance.now() - begun;
    context.metrics.ended(outcome, duration);
    context.logger.info(
      {
        job_id: job.id,
        session_id: job.session_id,
        attempt: job.attempts,
        state: outcome,
        duration_ms: Math.round(duration),
      },
      'debrief job ended',
    );
  }

  private async giveBack(job: JobRow, error: unknown): Promise<JobOutcome> {
    const { context } = this;
    const fields = { job_id: job.id, session_id: job.session_id, attempt: job.attempts };
    try {
      if (error instanceof JobInterrupted) {
        if (error.reason === 'lost') return 'lost';
        const held = { id: job.id, owner: context.owner };
        await context.database.write((transaction) => releaseJob(transaction, held, context.now().toISOString()));
        return 'released';
      }
      const pause = await retryJob(context, job, error);
      if (pause === null) {
        context.logger.error({ ...fields, err: error, code: errorName(error) }, 'debrief given up');
        return 'given_up';
      }
      context.logger.warn(
        { ...fields, err: error, code: errorName(error), retry_in_ms: pause },
        'debrief retried later',
      );
      return 'retried';
    } catch (storeError) {
      // Not even that could be stored: the lease runs out and the job is claimed again.
      context.logger.error({ ...fields, err: storeError }, 'job could not be given back');
      return 'lost';
    }
  }
}
