import type { Database } from './database';
import { insertKeptAnswer } from './kept-answer-store';
import { claimJob, enqueueDebrief, finishJob } from './job-store';
import { prune } from './prune';
import { insertSession } from './session-store';
import { newSession, openMigrated, type StoreFixture, describeOnEachDatabase } from '../testing/store/store-fixture';

import { insertTurnKey } from './turn-store';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-04T05:06:07.000Z');
const hoursAgo = (hours: number): string => new Date(NOW.getTime() - hours * HOUR).toISOString();

describeOnEachDatabase('prune', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  it('deletes keys of turns after the hours that they are promised for, however many, and no others', async () => {
    const { id } = await database.write((transaction) => insertSession(transaction, newSession()));
    const key = (name: string) => ({ key: name, text_hash: '', turn_index: 2, answer: {} });
    await database.write(async (transaction) => {
      for (let at = 0; at < 450; at += 1) await insertTurnKey(transaction, id, key(`old-${at}`), hoursAgo(25));
      await insertTurnKey(transaction, id, key('recent'), hoursAgo(23));
    });
    expect(await prune(database, NOW)).toBe(450);
    expect(await database.knex('turn_keys').pluck('key')).toEqual(['recent']);
    expect(await prune(database, NOW)).toBe(0);
  });

  it('deletes answers that have expired, and jobs that were done a day ago', async () => {
    const answer = (key: string, expires_at: string) =>
      database.write((transaction) =>
        insertKeptAnswer(transaction, {
          scope: 's',
          key,
          request_digest: 'd',
          status: 201,
          headers: {},
          body: {},
          created_at: hoursAgo(48),
          expires_at,
        }),
      );
    await answer('expired', hoursAgo(1));
    await answer('kept', hoursAgo(-1));
    const finish = async (created: string): Promise<string> => {
      const { id } = await database.write((transaction) =>
        insertSession(transaction, newSession({ id: `s-${created}` })),
      );
      await database.write((transaction) => enqueueDebrief(transaction, id, created));
      const job = await claimJob(database, {
        owner: 'o',
        now: hoursAgo(0),
        lease_until: hoursAgo(-1),
        latest: hoursAgo(-2),
      });
      expect(await database.write((transaction) => finishJob(transaction, { id: job?.id ?? 0, owner: 'o' }))).toBe(
        true,
      );
      return id;
    };
    await finish(hoursAgo(30));
    const recent = await finish(hoursAgo(2));
    const { id: waiting } = await database.write((transaction) =>
      insertSession(transaction, newSession({ id: 'waits' })),
    );
    await database.write((transaction) => enqueueDebrief(transaction, waiting, hoursAgo(30)));
    expect(await prune(database, NOW)).toBe(2);
    expect(await database.knex('kept_answers').pluck('key')).toEqual(['kept']);
    expect(await database.knex('jobs').pluck('session_id')).toEqual([recent, waiting]);
  });
});
