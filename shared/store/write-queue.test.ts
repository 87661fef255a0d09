import { DatabaseBusyError } from './database-errors';
import {
  exitOf,
  openMigrated,
  newSession,
  newTurn,
  type StoreFixture,
  describeOnEachDatabase,
  DUPLICATE,
  holdWriteLock,
} from '../testing/store/store-fixture';
import { findSession, insertSession, saveSession } from './session-store';
import { getSettings, patchSettings } from './settings-store';
import { appendTurns, listTurns } from './turn-store';
import type { Database } from './database';

/** Reads a counter, then writes it: what fails at once in a transaction that begins as a reader. */
const COUNT_UP = `const { openDatabase } = require('store');
  (async () => {
    const database = await openDatabase(place);
    for (let i = 0; i < Number(process.argv[3]); i += 1) {
      await database.write(async (trx) => {
        const { value } = await trx.knex('settings').where({ key: 'count' }).first('value');
        await trx.knex('settings').where({ key: 'count' }).update({ value: String(Number(value) + 1) });
      });
    }
    await database.close();
  })().catch((error) => { console.error(error); process.exit(1); });`;

const rowOfNoSession = {
  session_id: 'nobody',
  turn_index: 1,
  role: 'player',
  used_fallback: 0,
  created_at: '2026-11-22T00:00:00.000Z',
};

describeOnEachDatabase('Database.write', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  const count = async (): Promise<number> =>
    Number(((await database.knex('settings').where({ key: 'count' }).first('value')) as { value: string }).value);

  it('loses no update when two processes and this one read, then write, at once', async () => {
    await database.knex('settings').insert({ key: 'count', value: '0' });
    const children = [fixture.run(COUNT_UP, ['150']), fixture.run(COUNT_UP, ['150'])].map(exitOf);
    for (let i = 0; i < 150; i += 1) {
      await database.write(async (transaction) => {
        const row = (await transaction.knex('settings').where({ key: 'count' }).first('value')) as { value: string };
        await transaction
          .knex('settings')
          .where({ key: 'count' })
          .update({ value: String(Number(row.value) + 1) });
      });
    }
    expect(await Promise.all(children)).toEqual([0, 0]);
    expect(await count()).toBe(450);
  });

  it('queues the writers of one process', async () => {
    await database.knex('settings').insert({ key: 'count', value: '0' });
    const once = () =>
      database.write(async (transaction) => {
        const row = (await transaction.knex('settings').where({ key: 'count' }).first('value')) as { value: string };
        await transaction
          .knex('settings')
          .where({ key: 'count' })
          .update({ value: String(Number(row.value) + 1) });
      });
    await Promise.all(Array.from({ length: 64 }, once));
    expect(await count()).toBe(64);
  });

  it('stores nothing of a body that rejects, and answers its error', async () => {
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    const failing = database.write(async (transaction) => {
      await saveSession(transaction, { ...session, turn_count: 3 }, session);
      await appendTurns(transaction, session.id, [newTurn(2, 'Hello')]);
      throw new Error('the engine changed its mind');
    });
    await expect(failing).rejects.toThrow('the engine changed its mind');
    expect(await findSession(database, session.id)).toEqual(session);
    expect(await listTurns(database, session.id)).toEqual([]);
  });

  it('refuses a statement that comes after the end of its transaction', async () => {
    const late = await database.write(async (transaction) => transaction);
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    await expect(saveSession(late, { ...session, turn_count: 3 }, session)).rejects.toThrow('after the end');
    expect(() => late.knex('settings')).toThrow('after the end');
    expect(await findSession(database, session.id)).toEqual(session);
  });

  it('begins anew after one whose commit failed, and stores nothing of that one', async () => {
    const failing = database.write(async (transaction) => {
      await transaction.knex('settings').insert({ key: 'orphan', value: '1' });
      if (fixture.url === null) await transaction.knex.raw('pragma defer_foreign_keys = on');
      else
        await transaction.knex.raw(
          'alter table turns alter constraint turns_session_id_foreign deferrable initially deferred',
        );
      await transaction.knex('turns').insert({ ...rowOfNoSession });
    });
    await expect(failing).rejects.toMatchObject({
      code: fixture.url === null ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : '23503',
    });
    await database.write((transaction) => transaction.knex('settings').insert({ key: 'next', value: '1' }));
    expect(await database.knex('settings').pluck('key')).toEqual(['next']);
  });

  it('gives up with a retryable 503 when another process keeps the lock, without running the body', async () => {
    const release = await holdWriteLock(await fixture.open());
    let runs = 0;
    const started = performance.now();
    const error: unknown = await database
      .write(async () => {
        runs += 1;
      })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseBusyError);
    expect(error).toMatchObject({ status: 503, retryable: true });
    expect(runs).toBe(0);
    expect(performance.now() - started).toBeLessThan(9000);
    await release();
    await database.write(async () => {
      runs += 1;
    });
    expect(runs).toBe(1);
  });

  it('is not needed for a single statement, which waits for the lock too', async () => {
    const other = await fixture.open();
    const release = await holdWriteLock(other);
    let done = false;
    const writing = database
      .write((transaction) => patchSettings(transaction, { save_transcripts: false }))
      .then(() => {
        done = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toBe(false);
    await release();
    await writing;
    expect(await getSettings(other)).toMatchObject({ save_transcripts: false });
  });

  it('says no word of SQL when a single statement gives up on the lock', async () => {
    const other = await fixture.open();
    const release = await holdWriteLock(other);
    const error = await database
      .write((transaction) => patchSettings(transaction, { save_transcripts: false }))
      .catch((reason: unknown) => reason);
    await release();
    expect(error).toBeInstanceOf(DatabaseBusyError);
    expect((error as Error).message).toBe('The database is busy. Try again in a moment.');
  });

  it('leaves the event loop free while it waits for the lock', async () => {
    const other = await fixture.open();
    const release = await holdWriteLock(other);
    const waiting = database.write(async () => 'done');
    let longest = 0;
    let last = performance.now();
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    await release();
    expect(await waiting).toBe('done');
    // The driver itself would block for its whole timeout; short waits keep the loop turning.
    expect(longest).toBeLessThan(1000);
  });

  it('keeps the values of a failed statement out of the error', async () => {
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    const turns = [newTurn(2, 'a secret about marmalade')];
    await database.write((transaction) => appendTurns(transaction, session.id, turns));
    const error = await database
      .write((transaction) => appendTurns(transaction, session.id, turns))
      .catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code: DUPLICATE });
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toContain('marmalade');
  });
});
