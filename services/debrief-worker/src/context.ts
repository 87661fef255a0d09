import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics, type Logger, type Metrics } from '@parley/shared/service';
import type { Database } from '@parley/shared/store';
import type { WorkerConfig } from './config';
import { WorkerMetrics } from './worker-metrics';

/** How patient the worker is. Milliseconds unless told. */
export interface WorkerPolicy {
  /** Debriefs that are written at the same time. */
  readonly concurrency: number;
  /** Pause between two looks at the queue while it is empty and nobody wakes the worker. */
  readonly poll: number;
  /** A job whose holder has said nothing for so long is given to another. */
  readonly lease: number;
  readonly heartbeat: number;
  /** Back-off of a failed job: the first pause, doubled each time up to the longest. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** Attempts at a job after which the model is left out, in case it is the model's answer that breaks the worker. */
  readonly attemptsWithModel: number;
  /** Attempts after which the job is given up until the player asks again. */
  readonly attemptsInAll: number;
  /** Pauses between calls of a runtime that cannot be reached or answers nothing usable, before the model is left out. */
  readonly modelRetries: readonly number[];
  /** How long a model that is still loading, or too busy, is waited for, and how often it is asked. */
  readonly modelPatience: number;
  readonly modelPause: number;
  /** Pauses between calls of another process that cannot be reached. */
  readonly peerRetries: readonly number[];
  /** For how long session-api is told of a stored debrief. */
  readonly announcePatience: number;
  /** What running debriefs have to finish when the worker stops. */
  readonly stopGrace: number;
}

export const WORKER_POLICY: WorkerPolicy = {
  concurrency: 4,
  poll: 1_000,
  lease: 10_000,
  heartbeat: 2_500,
  firstRetry: 500,
  longestRetry: 30_000,
  attemptsWithModel: 3,
  attemptsInAll: 50,
  modelRetries: [400, 1_600],
  modelPatience: 90_000,
  modelPause: 1_000,
  peerRetries: [200, 800, 2_000],
  announcePatience: 5_000,
  stopGrace: 4_000,
};

/** Everything that the worker's parts share. Tests pass parts of their own. */
export interface WorkerContext {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly database: Database;
  readonly policy: WorkerPolicy;
  readonly metrics: WorkerMetrics;
  readonly now: () => Date;
  /** Names this process in the jobs that it holds: host, process id and a random part. */
  readonly owner: string;
  /** Rejects with the signal's reason when it aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface ContextOverrides {
  readonly policy?: Partial<WorkerPolicy>;
  readonly now?: () => Date;
}

const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    throw signal.reason;
  }
};

export function createContext(
  config: WorkerConfig,
  logger: Logger,
  database: Database,
  overrides: ContextOverrides = {},
  metrics: Metrics = createMetrics('debrief_worker'),
): WorkerContext {
  return {
    config,
    logger,
    database,
    policy: { ...WORKER_POLICY, ...overrides.policy },
    metrics: new WorkerMetrics(metrics.registry, database),
    now: overrides.now ?? (() => new Date()),
    owner: `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`,
    pause,
  };
}
