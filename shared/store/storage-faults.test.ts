import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFindings } from './findings';
import { listAttempts } from './progress-store';
import { probeStorage } from './probe-storage';
import { insertSession } from './session-store';
import { exitOf, newSession, openMigrated, storeFixture, type StoreFixture } from '../testing/store/store-fixture';

const gone = { code: 'SERVICE_UNAVAILABLE', fault: 'database_gone', details: { reason: 'database_gone' } };

/** Opens the database, writes a session, and is killed while it is open. */
const KILLED = `const { openDatabase, migrate } = require('store');
  (async () => {
    const database = await openDatabase({ dataDir: process.argv[2] });
    await migrate(database);
    await database.knex('settings').insert({ key: 'kept', value: '1' });
    process.kill(process.pid, 'SIGKILL');
  })();`;

describe('faults of the storage', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  const write = async (database: Awaited<ReturnType<StoreFixture['open']>>) =>
    database.write((transaction) => insertSession(transaction, newSession()));

  it('nothing is stored in a database whose folder was deleted, and it says so', async () => {
    const database = await openMigrated(fixture);
    await write(database);
    expect(database.dialect.fault()).toBeNull();
    rmSync(fixture.dataDir, { recursive: true });
    expect(database.dialect.fault()).toBe('database_gone');
    await expect(write(database)).rejects.toMatchObject({
      ...gone,
      message: expect.stringMatching(/no longer in the data folder, and nothing of this was stored: put .* back/),
    });
  });

  it('nothing is stored beside another file at its place, nor without its log; and all goes on when they are back', async () => {
    const database = await openMigrated(fixture);
    await write(database);
    for (const path of [fixture.file, `${fixture.file}-wal`]) {
      renameSync(path, `${path}.away`);
      writeFileSync(path, '');
      await expect(write(database)).rejects.toMatchObject(gone);
      renameSync(`${path}.away`, path);
      await write(database);
      expect(database.dialect.fault()).toBeNull();
    }
    expect(await database.knex('sessions').select('id')).toHaveLength(3);
  });

  it('a database that is read-only is told of until it takes rows again', async () => {
    const database = await openMigrated(fixture);
    const refused = database.write(async (transaction) => {
      await transaction.knex.raw('pragma query_only = 1');
      try {
        await insertSession(transaction, newSession());
      } finally {
        await transaction.knex.raw('pragma query_only = 0');
      }
    });
    await expect(refused).rejects.toMatchObject({ details: { reason: 'database_read_only' } });
    expect(database.dialect.fault()).toBe('database_read_only');
    await probeStorage(database);
    expect(database.dialect.fault()).toBeNull();
    expect(await database.knex('settings').select('key')).toEqual([]);
  });

  it('damage is found while the database is open, is told, and stays told', async () => {
    const database = await openMigrated(fixture);
    for (let at = 0; at < 200; at += 1) await write(database);
    await database.dialect.flushDeleted();
    expect(await database.dialect.findDamage()).toBeNull();
    const bytes = readFileSync(fixture.file);
    const size = 4096;
    // Not the first pages, which tell what tables there are.
    for (let page = 30; page * size < bytes.length; page += 1) bytes.fill(0xa5, page * size, page * size + 64);
    writeFileSync(fixture.file, bytes);
    expect(await database.dialect.findDamage()).toMatch(/\w/);
    expect(database.dialect.fault()).toBe('database_damaged');
    await database.knex.raw('pragma shrink_memory');
    await expect(listAttempts(database)).rejects.toMatchObject({
      details: { reason: 'database_damaged' },
    });
  });

  it('an end without closing is noticed at the next opening, a proper end is not', async () => {
    await (await openMigrated(fixture)).close();
    await (await fixture.open()).close();
    expect(readFindings(fixture.dataDir)).toBeNull();
    await expect(exitOf(fixture.run(KILLED))).rejects.toThrow('SIGKILL');
    const database = await fixture.open();
    expect(readFindings(fixture.dataDir)).toMatchObject({ log_removed: false, check: null });
    expect(await database.knex('settings').pluck('key')).toEqual(['kept']);
    await database.close();
    expect(readdirSync(fixture.dataDir).filter((name) => name.includes('.open-'))).toEqual([]);
  });

  it('a log that was removed after an end without closing is noticed', async () => {
    await (await openMigrated(fixture)).close();
    await expect(exitOf(fixture.run(KILLED))).rejects.toThrow('SIGKILL');
    expect(statSync(`${fixture.file}-wal`).size).toBeGreaterThan(0);
    for (const log of ['-wal', '-shm']) rmSync(fixture.file + log);
    const database = await fixture.open();
    expect(readFindings(fixture.dataDir)).toMatchObject({ log_removed: true });
    expect(await database.knex('settings').pluck('key')).toEqual([]);
  });

  it('a log that the last of several processes took away in order is none that was removed', async () => {
    const other = await openMigrated(fixture);
    await expect(exitOf(fixture.run(KILLED))).rejects.toThrow('SIGKILL');
    await other.close();
    expect(existsSync(`${fixture.file}-wal`)).toBe(false);
    await fixture.open();
    expect(readFindings(fixture.dataDir)).toMatchObject({ log_removed: false, check: null });
    expect(existsSync(join(fixture.dataDir, 'storage-findings.json'))).toBe(true);
  });
});
