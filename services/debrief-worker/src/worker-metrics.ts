import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { queueDepth, type Database } from '@parley/shared/store';

/** How a held job ended. */
export type JobOutcome = 'model' | 'fallback' | 'obsolete' | 'lost' | 'retried' | 'given_up' | 'released';

/** What the worker counts. */
export class WorkerMetrics {
  private readonly jobs: Counter<'outcome'>;
  private readonly duration: Histogram;

  constructor(registry: Registry, database: Database) {
    this.jobs = new Counter({
      name: 'parley_debrief_jobs_total',
      help: 'Debrief jobs by how they ended.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.duration = new Histogram({
      name: 'parley_debrief_job_duration_seconds',
      help: 'Time from the claim of a debrief job to its end.',
      buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
      registers: [registry],
    });
    new Gauge({
      name: 'parley_debrief_jobs_waiting',
      help: 'Debrief jobs that wait or run.',
      registers: [registry],
      async collect() {
        this.set(await queueDepth(database));
      },
    });
  }

  ended(outcome: JobOutcome, milliseconds: number): void {
    this.jobs.inc({ outcome });
    this.duration.observe(milliseconds / 1000);
  }
}
