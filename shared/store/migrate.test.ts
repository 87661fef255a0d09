import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database';
import { openDatabase } from './open-database';
import { migrate, schemaVersion } from './migrate';
import { MIGRATIONS, type Migration } from './migrations';
import { insertSession } from './session-store';
import {
  describeOnEachDatabase,
  exitOf,
  newSession,
  openMigrated,
  storeFixture,
  type StoreFixture,
} from '../testing/store/store-fixture';

const NEWEST = MIGRATIONS.length;
const NEXT = NEWEST + 1;

const addColumn: Migration = {
  id: NEXT,
  name: 'add-a-column',
  up: (transaction) => transaction.knex.schema.alterTable('sessions', (table) => void table.text('mood')),
};

const KILLED_HALF_WAY = `const { openDatabase, migrate } = require('store');
  (async () => {
    const database = await openDatabase(place);
    await migrate(database, { migrations: [{ id: Number(process.argv[3]), name: 'half', up: async (trx) => {
      await trx.knex.schema.createTable('half_done', (table) => { table.text('a'); });
      process.kill(process.pid, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 60000));
    } }] });
  })();`;

const MIGRATE = `const { openDatabase, migrate } = require('store');
  (async () => {
    const database = await openDatabase(place);
    const applied = await migrate(database);
    process.send(applied.length);
    await database.close();
    process.disconnect();
  })().catch((error) => { console.error(error); process.exit(1); });`;

describeOnEachDatabase('migrate', (makeFixture) => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await makeFixture(true);
  });
  afterEach(() => fixture.remove());

  const ids = async (database: Database) =>
    (await database.knex('schema_migrations').select('id', 'name').orderBy('id')) as object[];

  it('makes all tables once, and nothing on the second run', async () => {
    const database = await fixture.open();
    expect(await schemaVersion(database)).toBe(0);
    expect((await migrate(database)).map(({ id }) => id)).toEqual(MIGRATIONS.map(({ id }) => id));
    expect(await migrate(database)).toEqual([]);
    expect(await schemaVersion(database)).toBe(MIGRATIONS.length);
    expect(await ids(database)).toEqual(MIGRATIONS.map(({ id, name }) => ({ id, name })));
    expect(existsSync(join(fixture.dataDir, 'backups'))).toBe(false);
  });

  it('runs once when five processes start together on an empty folder', async () => {
    const children = Array.from({ length: 5 }, () => fixture.run(MIGRATE));
    const applied: unknown[] = [];
    for (const child of children) child.on('message', (count) => applied.push(count));
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0, 0, 0, 0]);
    expect(applied.sort()).toEqual([0, 0, 0, 0, MIGRATIONS.length]);
  });

  it('leaves nothing half done when the process is killed in the middle', async () => {
    const database = await openMigrated(fixture);
    await database.write((transaction) => insertSession(transaction, newSession()));
    await expect(exitOf(fixture.run(KILLED_HALF_WAY, [String(NEXT)]))).rejects.toThrow('SIGKILL');
    expect(await database.dialect.hasTable(database.knex, 'half_done')).toBe(false);
    expect(await schemaVersion(database)).toBe(NEWEST);
    expect((await migrate(database, { migrations: [...MIGRATIONS, addColumn] })).map(({ id }) => id)).toEqual([NEXT]);
  });

  it('refuses a database that a newer version wrote, in one line, and does not touch it', async () => {
    const database = await openMigrated(fixture);
    await migrate(database, { migrations: [...MIGRATIONS, { ...addColumn, id: 99 }] });
    await expect(migrate(database)).rejects.toMatchObject({ problem: 'newer_schema' });
    await database.close();
    await expect(fixture.open()).rejects.toMatchObject({
      problem: 'newer_schema',
      message: expect.stringMatching(
        new RegExp(`^The database .* newer version of Parley \\(schema 99; this version knows ${NEWEST}\\)[^\\n]*$`),
      ),
    });
  });

  it('rolls everything back when a step fails', async () => {
    const database = await openMigrated(fixture);
    const broken: Migration = {
      id: NEXT + 1,
      name: 'broken',
      up: (transaction) => transaction.knex.raw('create nonsense'),
    };
    await expect(migrate(database, { migrations: [...MIGRATIONS, addColumn, broken] })).rejects.toMatchObject({
      code: fixture.url === null ? 'SQLITE_ERROR' : '42601',
    });
    expect(await schemaVersion(database)).toBe(NEWEST);
    expect(await database.knex.schema.hasColumn('sessions', 'mood')).toBe(false);
  });
});

describe('migrate, on SQLite', () => {
  const fixture = storeFixture();
  afterAll(() => fixture.remove());

  it('copies a database with data before it changes it', async () => {
    const database = await openMigrated(fixture);
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    await migrate(database, { migrations: [...MIGRATIONS, addColumn] });
    const [copy, ...others] = readdirSync(join(fixture.dataDir, 'backups'));
    expect(others).toEqual([]);
    expect(copy).toMatch(new RegExp(`^schema-${NEWEST}-.*\\.sqlite$`));
    // It holds everything that was ever said: for its owner alone, like the database.
    expect((statSync(join(fixture.dataDir, 'backups', String(copy))).mode & 0o777).toString(8)).toBe('600');
    const backup = await openDatabase({
      dataDir: join(fixture.dataDir, 'backups'),
      file: join(fixture.dataDir, 'backups', String(copy)),
    });
    expect(await backup.knex('sessions').pluck('id')).toEqual([session.id]);
    expect(await schemaVersion(backup)).toBe(NEWEST);
    await backup.close();
  });
});
