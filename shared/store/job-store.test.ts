import type { Database } from './database';
import {
  claimJob,
  enqueueDebrief,
  extendLease,
  failJob,
  finishJob,
  queueDepth,
  releaseJob,
  requeueJob,
  runningJobs,
  type JobRow,
} from './job-store';
import { insertSession } from './session-store';
import {
  exitOf,
  newSession,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';

const clock = (minute: number): string => new Date(Date.UTC(2026, 2, 4, 5, minute)).toISOString();
const claim = (minute: number, owner = 'a') => ({
  owner,
  now: clock(minute),
  lease_until: clock(minute + 1),
  latest: clock(minute + 10),
});

const CLAIM_ALL = `const { openDatabase, claimJob } = require('store');
  (async () => {
    const database = await openDatabase(place);
    const now = '2026-03-04T06:00:00.000Z';
    const later = '2026-03-04T07:00:00.000Z';
    const claimed = [];
    for (;;) {
      try {
        const job = await claimJob(database, { owner: String(process.pid), now, lease_until: later, latest: later });
        if (job === null) break;
        claimed.push(job.id);
      } catch (error) {
        if (!database.dialect.isBusy(error)) throw error;
      }
    }
    await database.close();
    process.send(claimed, () => process.disconnect());
  })().catch((error) => { console.error(error); process.exit(1); });`;

describeOnEachDatabase('the job store', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  async function enqueue(minute = 0): Promise<string> {
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    await database.write((transaction) => enqueueDebrief(transaction, session.id, clock(minute)));
    return session.id;
  }
  const stored = async (): Promise<JobRow> => (await database.knex('jobs').first()) as JobRow;

  it('queues one job a session, however often it is asked', async () => {
    const session = await enqueue();
    await database.write((transaction) => enqueueDebrief(transaction, session, clock(1)));
    expect(await queueDepth(database)).toBe(1);
    expect(await stored()).toMatchObject({ state: 'queued', attempts: 0, run_after: clock(0), session_id: session });
  });

  it('gives a job to one owner, the oldest first', async () => {
    const [first, second] = [await enqueue(), await enqueue()];
    expect(await claimJob(database, claim(1, 'a'))).toMatchObject({
      session_id: first,
      attempts: 1,
      lease_owner: 'a',
    });
    expect(await claimJob(database, claim(1, 'b'))).toMatchObject({ session_id: second, lease_owner: 'b' });
    expect(await claimJob(database, claim(1, 'c'))).toBeNull();
    expect(await queueDepth(database)).toBe(2);
  });

  it('waits for the time of a job', async () => {
    await enqueue(5);
    expect(await claimJob(database, claim(4))).toBeNull();
    expect(await claimJob(database, claim(5))).not.toBeNull();
  });

  it('gives a job to another when its lease ran out, and the first owner can do no more', async () => {
    await enqueue();
    const job = await claimJob(database, claim(1, 'a'));
    const held = { id: Number(job?.id), owner: 'a' };
    expect(await database.write((transaction) => extendLease(transaction, held, clock(3)))).toBe(true);
    expect(await claimJob(database, claim(2, 'b'))).toBeNull();
    expect(await claimJob(database, claim(3, 'b'))).toMatchObject({ attempts: 2, lease_owner: 'b' });
    expect(await database.write((transaction) => extendLease(transaction, held, clock(9)))).toBe(false);
    expect(await database.write((transaction) => finishJob(transaction, held))).toBe(false);
    expect(await database.write((transaction) => requeueJob(transaction, held, clock(9), 'x'))).toBe(false);
    expect(await database.write((transaction) => finishJob(transaction, { ...held, owner: 'b' }))).toBe(true);
    expect(await queueDepth(database)).toBe(0);
  });

  it('does not wait for a time that only a clock that went back can have written', async () => {
    await enqueue(59);
    const job = await claimJob(database, claim(1, 'a'));
    expect(job).not.toBeNull();
    await database.write((transaction) => extendLease(transaction, { id: Number(job?.id), owner: 'a' }, clock(59)));
    expect(await claimJob(database, claim(2, 'b'))).toMatchObject({ lease_owner: 'b' });
  });

  it('puts a job back with its error for a later try', async () => {
    await enqueue();
    const job = await claimJob(database, claim(1));
    await database.write((transaction) =>
      requeueJob(transaction, { id: Number(job?.id), owner: 'a' }, clock(5), 'SERVICE_UNAVAILABLE'),
    );
    expect(await stored()).toMatchObject({ state: 'queued', last_error: 'SERVICE_UNAVAILABLE', lease_owner: null });
    expect(await claimJob(database, claim(4))).toBeNull();
    expect(await claimJob(database, claim(5))).toMatchObject({ attempts: 2 });
  });

  it('gives a job back untried, at once', async () => {
    await enqueue();
    const job = await claimJob(database, claim(1, 'a'));
    const held = { id: Number(job?.id), owner: 'a' };
    expect((await runningJobs(database)).map(({ lease_owner }) => lease_owner)).toEqual(['a']);
    expect(await database.write((transaction) => releaseJob(transaction, held, clock(1)))).toBe(true);
    expect(await database.write((transaction) => releaseJob(transaction, held, clock(1)))).toBe(false);
    expect(await runningJobs(database)).toEqual([]);
    expect(await claimJob(database, claim(1, 'b'))).toMatchObject({ attempts: 1, lease_owner: 'b' });
  });

  it('gives a job up', async () => {
    await enqueue();
    const job = await claimJob(database, claim(1, 'a'));
    expect(
      await database.write((transaction) => failJob(transaction, { id: Number(job?.id), owner: 'a' }, 'INTERNAL')),
    ).toBe(true);
    expect(await stored()).toMatchObject({ state: 'failed', last_error: 'INTERNAL' });
    expect(await claimJob(database, claim(9, 'b'))).toBeNull();
    expect(await queueDepth(database)).toBe(0);
  });

  it('runs a job again that had given up, when it is asked for again', async () => {
    const session = await enqueue();
    await database.knex('jobs').update({ state: 'failed', attempts: 9 });
    await database.write((transaction) => enqueueDebrief(transaction, session, clock(7)));
    expect(await stored()).toMatchObject({ state: 'queued', attempts: 0, run_after: clock(7) });
  });

  it('gives each job once when several processes claim at the same time', async () => {
    for (let i = 0; i < 120; i += 1) await enqueue();
    const children = [1, 2, 3].map(() => fixture.run(CLAIM_ALL));
    const claimed: number[] = [];
    for (const child of children) child.on('message', (ids) => claimed.push(...(ids as number[])));
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0, 0]);
    expect(claimed.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_value, index) => index + 1));
  });
});
