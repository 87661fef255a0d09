import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeWithPostgres,
  POSTGRES_PASSWORD,
  startPostgresServer,
  temporaryFolder,
  waitUntil,
  type TemporaryFolder,
} from '@parley/shared/testing';
import type { Database } from './database';
import { openDatabase, type OpenDatabaseOptions } from './open-database';
import { migrate } from './migrate';
import { readStoredChoice } from './stored-choice';
import { putRuntimeChoice } from './runtime-choice-store';
import { insertSession } from './session-store';
import { newSession, newTurn } from '../testing/store/store-fixture';
import { appendTurns, listTurns } from './turn-store';

describeWithPostgres('a database of PostgreSQL', (server) => {
  let folder: TemporaryFolder;
  let url: string;
  const opened: Database[] = [];
  beforeEach(async () => {
    folder = temporaryFolder('postgres-store');
    url = await server().createDatabase();
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    folder.remove();
  });

  const open = async (options: Partial<OpenDatabaseOptions> = {}): Promise<Database> => {
    const database = await openDatabase({ dataDir: folder.path, url, ...options });
    opened.push(database);
    return database;
  };
  const openMigrated = async (options: Partial<OpenDatabaseOptions> = {}): Promise<Database> => {
    const database = await open(options);
    await migrate(database);
    return database;
  };
  const settings = (database: Database): PromiseLike<unknown> => database.knex('settings').orderBy('key').pluck('key');
  const put = (database: Database, key: string): Promise<unknown> =>
    database.write((transaction) => transaction.knex('settings').insert({ key, value: '1' }));
  /** Ends connections on the server's side, as an operator or a fault of the network does. */
  const endConnections = (query: string): Promise<unknown> =>
    server().ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and query like '${query}'`,
    );

  it('says what it is without the password', async () => {
    const database = await openMigrated();
    const { dialect } = database;
    expect([dialect.name, dialect.file, dialect.fault(), dialect.logSizeInBytes()]).toEqual([
      'postgres',
      null,
      null,
      0,
    ]);
    expect(dialect.label).toBe(`postgres://parley@127.0.0.1:${server().port}${new URL(url).pathname}`);
    expect(await dialect.libraryVersion()).toMatch(/^PostgreSQL \d+/);
    expect(await dialect.sizeInBytes()).toBeGreaterThan(1_000_000);
    expect(await dialect.findDamage()).toBeNull();
    await expect(dialect.backup('/nowhere')).rejects.toThrow(/kept by PostgreSQL: save it with pg_dump/);
    await dialect.compact();
    expect(await dialect.flushDeleted()).toBe(true);
  });

  it('asserts on each connection that a commit is on the disk, whatever the database has set', async () => {
    await server().ask(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    const database = await open();
    expect((await database.knex.raw('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
    const written = await database.write((transaction) => transaction.knex.raw('show synchronous_commit'));
    expect(written.rows).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('refuses a database whose text is not UTF-8', async () => {
    url = await server().createDatabase("encoding 'LATIN1' locale_provider libc locale 'C' template template0");
    await expect(open()).rejects.toMatchObject({
      problem: 'unusable',
      message: expect.stringMatching(/keeps its text as LATIN1, and Parley needs UTF8/),
    });
  });

  it.each([
    [
      'a wrong password',
      (given: string) => given.replace(/:[^:@]+@/, ':wrong@'),
      /does not take the password for postgres:/,
    ],
    ['no password', (given: string) => given.replace(/:[^:@]+@/, '@'), /wants a password for postgres:/],
    ['no such database', (given: string) => `${given}_not`, /^There is no database postgres:.*createdb/],
    [
      'a user without rights',
      (given: string) => given.replace('parley:', 'guest:'),
      /^PostgreSQL does not let the user of postgres:/,
    ],
  ])('says in one sentence without the password: %s', async (_what, change, sentence) => {
    const roles = await server().ask("select 1 from pg_roles where rolname = 'guest'");
    if (roles.length === 0) await server().ask(`create role guest login password '${POSTGRES_PASSWORD}'`);
    url = change(url);
    const error = await openMigrated().catch((reason: unknown) => reason as Error);
    const { name, message } = error as Error;
    expect([name, message]).toEqual(['DatabaseOpenError', expect.stringMatching(sentence)]);
    expect(message).not.toContain('secret');
    expect(message).not.toContain('\n');
  });

  it('takes a body back whose failed statement it passed over, and says what failed', async () => {
    const database = await openMigrated();
    await put(database, 'a');
    const passing = database.write(async (transaction) => {
      await transaction.knex('settings').insert({ key: 'b', value: '1' });
      await transaction
        .knex('settings')
        .insert({ key: 'a', value: '2' })
        .then(undefined, () => undefined);
    });
    await expect(passing).rejects.toMatchObject({ code: '23505' });
    expect(await settings(database)).toEqual(['a']);
  });

  it('answers what failed first, to a body that goes on and fails at the next statement', async () => {
    const database = await openMigrated();
    await put(database, 'a');
    const going = database.write(async (transaction) => {
      await put({ ...database, write: (body) => body(transaction) }, 'a').catch(() => undefined);
      await transaction.knex('settings').insert({ key: 'c', value: '1' });
    });
    await expect(going).rejects.toMatchObject({ code: '23505' });
    expect(await settings(database)).toEqual(['a']);
  });

  it('stores nothing of a transaction whose connection is lost, and goes on with another one', async () => {
    const database = await openMigrated();
    const cut = database.write(async (transaction) => {
      await transaction.knex('settings').insert({ key: 'half', value: '1' });
      await endConnections('insert into "settings"%');
      await transaction.knex('settings').insert({ key: 'other half', value: '1' });
    });
    await expect(cut).rejects.toMatchObject({ fault: 'server_unreachable', status: 503, retryable: true });
    await put(database, 'next');
    expect(await settings(database)).toEqual(['next']);
    expect(database.dialect.fault()).toBeNull();
  });

  it('ends a transaction that nobody goes on with, so that others are not held up for ever', async () => {
    const [frozen, other] = [await openMigrated(), await open()];
    const waiting = frozen.write(async (transaction) => {
      await transaction.knex('settings').insert({ key: 'frozen', value: '1' });
      await sleep(13_000);
    });
    const awake = expect(waiting).rejects.toMatchObject({ fault: 'server_unreachable' });
    await sleep(11_000);
    await put(other, 'other');
    await awake;
    expect(await settings(other)).toEqual(['other']);
  });

  it('keeps what was said out of every error', async () => {
    const database = await openMigrated();
    const session = await database.write((transaction) => insertSession(transaction, newSession()));
    const failing: Promise<unknown>[] = [
      database.write((transaction) =>
        transaction.knex('turns').insert({ session_id: session.id, turn_index: 1, role: 'npc', text: 'marmalade' }),
      ),
      database.write((transaction) => appendTurns(transaction, session.id, [newTurn(1, 'marma\0lade marmalade')])),
      database.write((transaction) =>
        transaction.knex('turns').where({ session_id: session.id }).update({ turn_index: 'marmalade' }),
      ),
    ];
    for (const one of failing) {
      const error = await one.catch((reason: unknown) => reason as Error);
      expect(error).toBeInstanceOf(Error);
      const told = [
        String(error),
        (error as Error).stack,
        JSON.stringify(error),
        JSON.stringify(Object.values(error as Error)),
      ];
      expect(told.join(' ')).not.toContain('marmalade');
    }
  });

  it('lets one process have it alone, and the next one when that ends', async () => {
    const first = await openMigrated({ share: 'sole' });
    await put(first, 'first');
    await put(await open(), 'worker');
    await expect(open({ share: 'sole' })).rejects.toMatchObject({
      message: expect.stringMatching(/^Another session-api uses postgres:.*Stop the other one, then start again\.$/),
    });
    await first.close();
    const second = await open({ share: 'sole' });
    await put(second, 'second');
    expect(await settings(second)).toEqual(['first', 'second', 'worker']);
  });

  it('commits nothing in a process that has lost the database to another one, until it is free again', async () => {
    const first = await openMigrated({ share: 'sole' });
    await put(first, 'before');
    await server().ask(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 2 and granted",
    );
    // In the same breath, before the first one can come back.
    const second = await open({ share: 'sole' });
    await expect(put(first, 'split')).rejects.toMatchObject({ fault: 'server_in_use', status: 503 });
    expect(first.dialect.fault()).toBe('server_in_use');
    await put(second, 'after');
    await second.close();
    await waitUntil('the first one to have it again', () => first.dialect.fault() === null);
    await put(first, 'again');
    expect(await settings(first)).toEqual(['after', 'again', 'before']);
  });

  it('reads the choice of the runtime without a store', async () => {
    expect(await readStoredChoice({ dataDir: folder.path, url })).toBeNull();
    const database = await openMigrated();
    expect(await readStoredChoice({ dataDir: folder.path, url })).toBeNull();
    await database.write((transaction) => putRuntimeChoice(transaction, { runtime_id: 'fake' }));
    expect(await readStoredChoice({ dataDir: folder.path, url })).toEqual({ runtime_id: 'fake' });
  });

  it('takes numbers that no row has, as a forged cursor names them', async () => {
    const database = await openMigrated();
    expect(await database.dialect.searchTurns(database, 'hello', 9_000_000_000_000_000, 1)).toEqual([]);
    expect(await listTurns(database, 'nobody', { from: 9_000_000_000_000_000 })).toEqual([]);
  });

  it('sorts text by its code points, as SQLite does', async () => {
    const database = await openMigrated();
    for (const key of ['a_b', 'a-b', 'B', 'ä', 'a', 'z']) await put(database, key);
    expect(await settings(database)).toEqual(['B', 'a', 'a-b', 'a_b', 'z', 'ä']);
  });
});

describeWithPostgres('a server of PostgreSQL that fails', () => {
  it('is told in health as it is, and used again without a restart of ours', async () => {
    const server = await startPostgresServer();
    const folder = temporaryFolder('postgres-store');
    const url = await server.createDatabase();
    const database = await openDatabase({ dataDir: folder.path, url, share: 'sole' });
    const put = (key: string): Promise<unknown> =>
      database.write((transaction) => transaction.knex('settings').insert({ key, value: '1' }));
    try {
      await migrate(database);
      await put('before');
      await server.stop();
      // Nobody has asked for anything: the connection that writes is missed.
      await waitUntil('the fault to be seen', () => database.dialect.fault() === 'server_unreachable');
      await expect(put('lost')).rejects.toMatchObject({
        fault: 'server_unreachable',
        message: expect.stringMatching(/^PostgreSQL does not answer, and nothing of this was stored: start it/),
      });
      await server.start();
      await waitUntil('the fault to pass', () => database.dialect.fault() === null);
      await put('after');
      await server.stop();
      await server.start({ default_transaction_read_only: 'on' });
      await waitUntil('the server to be back', () => database.dialect.fault() === null);
      await expect(put('refused')).rejects.toMatchObject({ fault: 'server_read_only' });
      expect(database.dialect.fault()).toBe('server_read_only');
      await server.stop();
      await server.start({ max_connections: '4', superuser_reserved_connections: '0', max_wal_senders: '0' });
      await waitUntil('the server to be back', () => database.dialect.fault() === null);
      const taken = Array.from({ length: 3 }, () => server.ask('select pg_sleep(1)'));
      await waitUntil('all connections to be taken', async () =>
        openDatabase({ dataDir: folder.path, url }).then(
          (other) => other.close().then(() => false),
          (error: unknown) => String(error).includes('PostgreSQL has no connection left for postgres://'),
        ),
      );
      await Promise.allSettled(taken);
      await put('again');
      expect(await database.knex('settings').orderBy('key').pluck('key')).toEqual(['after', 'again', 'before']);
    } finally {
      await database.close();
      await server.remove();
      folder.remove();
    }
  });

  it('is refused when it may lose what it was given', async () => {
    const server = await startPostgresServer();
    const folder = temporaryFolder('postgres-store');
    try {
      const url = await server.createDatabase();
      await server.stop();
      await server.start({ fsync: 'off' });
      await expect(openDatabase({ dataDir: folder.path, url })).rejects.toMatchObject({
        problem: 'not_durable',
        message: expect.stringMatching(/^PostgreSQL answers fsync=off for postgres:.* where on is needed/),
      });
    } finally {
      await server.remove();
      folder.remove();
    }
  });
});
