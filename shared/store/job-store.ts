import { z } from 'zod';
import type { Queryable, Transaction } from './dialect';
import type { Database } from './database';
import { parseSound, read, readCount, readRow, readSoundRows } from './stored-row';

const Job = z.object({
  id: z.int(),
  kind: z.literal('debrief'),
  session_id: z.string(),
  state: z.enum(['queued', 'running', 'failed', 'done']),
  /** How often it was claimed. */
  attempts: z.int(),
  run_after: z.string(),
  lease_until: z.string().nullable(),
  lease_owner: z.string().nullable(),
  last_error: z.string().nullable(),
  created_at: z.string(),
});
export type JobRow = z.infer<typeof Job>;

const JOBS = { table: 'jobs', id: ['id'], shape: Job };
const JOB_IDS = { table: 'jobs', id: ['id'], shape: z.object({ id: z.int() }) };

/** Queues the debrief of a session, in the transaction that moves it to DebriefGenerating; a job that gave up runs again. */
export async function enqueueDebrief(transaction: Transaction, sessionId: string, now: string): Promise<void> {
  await transaction
    .knex('jobs')
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
 * was faster, or when it cannot be read, which ends it as failed. Only reads while there is nothing to take, so that idle polling takes no lock.
 */
export async function claimJob(database: Database, options: ClaimOptions): Promise<JobRow | null> {
  const { now, latest, owner, lease_until } = options;
  const due = [now, latest, now, latest];
  const next = await readRow(database, JOB_IDS, (knex) =>
    knex('jobs').whereRaw(DUE, due).orderBy('id').limit(1).select('id'),
  );
  if (next === null) return null;
  return database.write(async (transaction) => {
    const [claimed] = await read(transaction, (knex) => knex.raw(CLAIM, [owner, lease_until, next.id, ...due]));
    if (claimed === undefined) return null;
    const job = parseSound(database, JOBS, claimed);
    // It would be the oldest again and again, and the others behind it would wait for ever.
    if (job === null) await failJob(transaction, { id: next.id, owner }, 'damaged_row');
    return job;
  });
}

/** The jobs that are held now, as far as they can be read. */
export const runningJobs = (database: Database): Promise<JobRow[]> =>
  readSoundRows(database, JOBS, (knex) => knex('jobs').where({ state: 'running' }).orderBy('id').select('*'));

/** A job that somebody holds. */
export interface HeldJob {
  readonly id: number;
  readonly owner: string;
}

const held = (queryable: Queryable, job: HeldJob) =>
  queryable.knex('jobs').where({ id: job.id, lease_owner: job.owner, state: 'running' });

/** Keeps a held job. False: it was taken over, deleted or finished, and its result must not be stored. */
export async function extendLease(transaction: Transaction, job: HeldJob, leaseUntil: string): Promise<boolean> {
  return (await held(transaction, job).update({ lease_until: leaseUntil })) === 1;
}

/** Ends a held job as done. False: it is no longer held. */
export async function finishJob(transaction: Transaction, job: HeldJob): Promise<boolean> {
  const done = { state: 'done', lease_owner: null, lease_until: null, last_error: null };
  return (await held(transaction, job).update(done)) === 1;
}

/** Puts a held job back, to be claimed again after `runAfter`. @param lastError a code or a kind of error, never text */
export async function requeueJob(
  transaction: Transaction,
  job: HeldJob,
  runAfter: string,
  lastError: string | null,
): Promise<boolean> {
  const queued = { state: 'queued', lease_owner: null, lease_until: null, run_after: runAfter, last_error: lastError };
  return (await held(transaction, job).update(queued)) === 1;
}

/** Gives a held job back untried: its owner stops or is gone. It can be claimed again at once. */
export async function releaseJob(transaction: Transaction, job: HeldJob, now: string): Promise<boolean> {
  const attempts = transaction.knex.raw('case when attempts > 0 then attempts - 1 else 0 end');
  const queued = { state: 'queued', lease_owner: null, lease_until: null, run_after: now, attempts };
  return (await held(transaction, job).update(queued)) === 1;
}

/** Gives a held job up, until somebody asks for it again. @param lastError a code or a kind of error, never text */
export async function failJob(transaction: Transaction, job: HeldJob, lastError: string): Promise<boolean> {
  const failed = { state: 'failed', lease_owner: null, lease_until: null, last_error: lastError };
  return (await held(transaction, job).update(failed)) === 1;
}

/** How many jobs wait or run. */
export const queueDepth = (queryable: Queryable): Promise<number> =>
  readCount(queryable, (knex) => knex('jobs').whereIn('state', ['queued', 'running']).count({ count: '*' }));
