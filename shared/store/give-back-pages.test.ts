import { mkdirSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { giveBackPages, type Database } from './database';
import { clearConversations, scrubCleared } from './clear-conversations';
import { insertSession } from './session-store';
import { newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from '../testing/store/store-fixture';
import { appendTurns, listTurns } from './turn-store';

const MB = 1024 * 1024;

describe('pages that deleted rows have left', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  const fill = async (database: Database, megabytes: number): Promise<void> => {
    for (let index = 0; index < megabytes; index += 1)
      await database.knex('settings').insert({ key: `large${index}`, value: 'x'.repeat(MB) });
  };
  const empty = (database: Database): Promise<number> =>
    database.knex('settings').where('key', 'like', 'large%').delete();
  const size = async (database: Database): Promise<number> => {
    await database.dialect.flushDeleted();
    return statSync(fixture.file).size;
  };

  it('are given back to the disk, and what is left is whole', async () => {
    const database = await openMigrated(fixture);
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    const small = await size(database);
    await fill(database, 3);
    // Behind the large rows: it has to be moved.
    const turns = Array.from({ length: 50 }, (_, index) => newTurn(index + 1, `words ${index} `.repeat(100)));
    await database.write((transaction) => appendTurns(transaction, session.id, turns));
    await empty(database);
    expect(await size(database)).toBeGreaterThan(small + 2 * MB);
    await giveBackPages(database);
    expect(statSync(fixture.file).size).toBeLessThan(small + MB);
    expect(await listTurns(database, session.id)).toEqual(turns);
    expect(await database.knex.raw('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  it('are given back while others write', async () => {
    const database = await openMigrated(fixture);
    const other = await fixture.open();
    await fill(database, 3);
    await empty(database);
    let writes = 0;
    let given = false;
    const giving = giveBackPages(database).finally(() => (given = true));
    while (!given) {
      await other.write((transaction) =>
        transaction
          .knex('settings')
          .insert({ key: `k${writes}`, value: '1' })
          .onConflict('key')
          .merge(),
      );
      writes += 1;
      await setImmediate();
    }
    await giving;
    expect(writes).toBeGreaterThan(1);
    expect(await size(database)).toBeLessThan(2 * MB);
  });

  it('stay when there are few of them: the next turns fill them', async () => {
    const database = await openMigrated(fixture);
    await database.knex('settings').insert({ key: 'large', value: 'x'.repeat(MB / 2) });
    await empty(database);
    const before = await size(database);
    await giveBackPages(database);
    expect(statSync(fixture.file).size).toBe(before);
  });

  describe('of a database that was made by an older version', () => {
    beforeEach(() => {
      mkdirSync(fixture.dataDir);
      const old = new BetterSqlite3(fixture.file);
      old.pragma('journal_mode = WAL');
      old.exec('create table something (id integer primary key)');
      expect(old.pragma('auto_vacuum', { simple: true })).toBe(0);
      old.close();
    });

    it('are given back, too, when little is left', async () => {
      const database = await openMigrated(fixture);
      await fill(database, 3);
      await empty(database);
      await giveBackPages(database);
      expect(statSync(fixture.file).size).toBeLessThan(MB);
      await fill(database, 3);
      await empty(database);
      await giveBackPages(database);
      expect(statSync(fixture.file).size).toBeLessThan(MB);
    });

    it('can be given back once everything was cleared', async () => {
      const database = await openMigrated(fixture);
      await clearConversations(database);
      await scrubCleared(database);
      expect(await database.write(async (transaction) => transaction.knex.raw('pragma auto_vacuum'))).toEqual([
        { auto_vacuum: 2 },
      ]);
    });
  });
});
