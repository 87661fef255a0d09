import type { Queryable } from './dialect';
import { answeredRows } from './raw-result';

export type JobState = 'queued' | 'running' | 'failed' | 'done';

export interface JobRow {
  readonly id: number;
  readonly kind: 'debrief';
  readonly session_id: string;
  readonly state: JobState;
  /** How often it was claimed. */
  readonly attempts: number;
  readonly run_after: string;
  readonly lease_until: string | null;
  readonly lease_owner: string | null;
  readonly last_error: string | null;
  readonly created_at: string;
}

/** Queues the debrief of a session, in the transaction that moves it to DebriefGenerating; a job that gave up runs again. */
export async function enqueueDebrief(transaction: Queryable, sessionId: string, now: string): Promise<void> {
  await transaction('jobs')
    .insert({
      kind: 'debrief',
      session_id: sessionId,
      state: 'queued',
      attempts: 0,
      run_after: now,
      lease_until: null,
      lease_owner: null,
      last_error: null,
      created_at: now,
    })
    .onConflict(['kind', 'session_id'])
    .merge({ state: 'queued', attempts: 0, run_after: now })
    .where('jobs.state', 'failed');
}

export interface ClaimOptions {
  readonly owner: string;
  readonly now: string;
  readonly lease_until: string;
  /**
   * No pause and no lease reaches further than this. A time beyond it was written by a clock that has gone back since,
   * and is taken as over.
   */
  readonly latest: string;
}

const DUE = `(state = 'queued' and (run_after <= ? or run_after > ?))
  or (state = 'running' and (lease_until is null or lease_until <= ? or lease_until > ?))`;
const CLAIM = `update jobs set state = 'running', attempts = attempts + 1, lease_owner = ?, lease_until = ?
  where id = ? and (${DUE}) returning *`;

/**
 * Takes the oldest job that is due, or whose owner let its lease run out; null when there is none, or when somebody else
 * was faster. Only reads while there is nothing to take, so that idle polling takes no lock.
 */
export async function claimJob(queryable: Queryable, options: ClaimOptions): Promise<JobRow | null> {
  const { now, latest, owner, lease_until } = options;
  const due = [now, latest, now, latest];
  const next = (await queryable('jobs').whereRaw(DUE, due).orderBy('id').first('id')) as { id: number } | undefined;
  if (next === undefined) return null;
  const result: unknown = await queryable.raw(CLAIM, [owner, lease_until, next.id, ...due]);
  return answeredRows<JobRow>(result)[0] ?? null;
}

/** The jobs that are held now. */
export async function runningJobs(queryable: Queryable): Promise<JobRow[]> {
  return (await queryable('jobs').where({ state: 'running' }).orderBy('id').select('*')) as JobRow[];
}

/** A job that somebody holds. */
export interface HeldJob {
  readonly id: number;
  readonly owner: string;
}

const held = (queryable: Queryable, job: HeldJob) =>
  queryable('jobs').where({ id: job.id, lease_owner: job.owner, state: 'running' });

/** Keeps a held job. False: it was taken over, deleted or finished, and its result must not be stored. */
export async function extendLease(queryable: Queryable, job: HeldJob, leaseUntil: string): Promise<boolean> {
  return (await held(queryable, job).update({ lease_until: leaseUntil })) === 1;
}

/** Ends a held job as done. False: it is no longer held. */
export async function finishJob(transaction: Queryable, job: HeldJob): Promise<boolean> {
  const done = { state: 'done', lease_owner: null, lease_until: null, last_error: null };
  return (await held(transaction, job).update(done)) === 1;
}

/** Puts a held job back, to be claimed again after `runAfter`. @param lastError a code or a kind of error, never text */
export async function requeueJob(
  queryable: Queryable,
  job: HeldJob,
  runAfter: string,
  lastError: string | null,
): Promise<boolean> {
  const queued = { state: 'queued', lease_owner: null, lease_until: null, run_after: runAfter, last_error: lastError };
  return (await held(queryable, job).update(queued)) === 1;
}

/** Gives a held job back untried: its owner stops or is gone. It can be claimed again at once. */
export async function releaseJob(queryable: Queryable, job: HeldJob, now: string): Promise<boolean> {
  const attempts = queryable.raw('case when attempts > 0 then attempts - 1 else 0 end');
  const queued = { state: 'queued', lease_owner: null, lease_until: null, run_after: now, attempts };
  return (await held(queryable, job).update(queued)) === 1;
}

/** Gives a held job up, until somebody asks for it again. @param lastError a code or a kind of error, never text */
export async function failJob(queryable: Queryable, job: HeldJob, lastError: string): Promise<boolean> {
  const failed = { state: 'failed', lease_owner: null, lease_until: null, last_error: lastError };
  return (await held(queryable, job).update(failed)) === 1;
}

/** How many jobs wait or run. */
export async function queueDepth(queryable: Queryable): Promise<number> {
  const row = (await queryable('jobs').whereIn('state', ['queued', 'running']).count({ count: '*' }).first()) as
    { count: number | string } | undefined;
  return Number(row?.count ?? 0);
}
