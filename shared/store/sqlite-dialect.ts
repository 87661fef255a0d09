import { setTimeout as sleep } from 'node:timers/promises';
import knexFactory, { type Knex } from 'knex';
import { StorageFaultError, type StorageFault } from '@parley/shared/contracts';
import { corruptDatabase } from './data-folder';
import type { Dialect } from './dialect';
import { DatabaseOpenError } from './database-errors';
import { fileSize } from './file-size';
import { OpenFile } from './open-file';
import { changedRows } from './raw-result';
import { quickCheck } from './sqlite-quick-check';
import { retryWhileBusy } from './retry-while-busy';
import { explainFailure, isBusy, isCorrupt } from './sqlite-failures';
import { fullText } from './sqlite-full-text';
import { SqliteTransactions, type Connection } from './sqlite-transactions';

/**
 * All SQL that only SQLite understands.
 *
 * The driver is synchronous: while it waits for a lock the whole process waits. So it waits for a few milliseconds only,
 * and callers try again after a pause that leaves the event loop free (see WriteQueue).
 */
const LOCK_WAIT_MS = 20;
const OPEN_LOCK_WAIT_MS = 200;
const STATEMENTS_KEPT = 300;
const CACHE_KIB = 4_000;
const FLUSH_TRIES = 20;
const FLUSH_PAUSE_MS = 25;
/** Less is left for the next turns to fill. */
const WORTH_GIVING_BACK = 1024 * 1024;
/** Pages of one step: some milliseconds of the lock. */
const PAGES_A_STEP = 256;
/** A database of an older version is rewritten for it, which locks it for about a second. */
const MAX_REWRITTEN = 64 * 1024 * 1024;

/**
 * Parsing is a good part of what a short statement costs; knex prepares the same texts over and over. On our own connection
 * only; why not a client of knex's or nothing at all: docs/decisions, 0030.
 */
function keepStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  const kept = new Map<string, unknown>();
  connection.prepare = (sql) => {
    if (!/^\s*(select|insert|update|delete|begin|commit|rollback|savepoint|release)\b/i.test(sql)) return prepare(sql);
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
    } else {
      kept.delete(sql);
    }
    kept.set(sql, statement);
    if (kept.size > STATEMENTS_KEPT) kept.delete(kept.keys().next().value as string);
    return statement;
  };
}

function configure(connection: Connection): void {
  connection.pragma(`busy_timeout = ${OPEN_LOCK_WAIT_MS}`);
  // Only a database that is empty, or rewritten as a whole, takes it over; so it must come first.
  connection.pragma('auto_vacuum = INCREMENTAL');
  connection.pragma('journal_mode = WAL');
  // The driver's own default in WAL mode is NORMAL, which may lose the last commits when the power goes.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  // Sorting and compacting must not leave conversation text in temporary files.
  connection.pragma('temp_store = MEMORY');
  connection.pragma('cell_size_check = ON');
  connection.pragma('journal_size_limit = 67108864');
  // The driver's own default is 16 MB in each of three processes; the system keeps the file's pages anyway.
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  const wanted: Record<string, unknown> = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, secure_delete: 1 };
  for (const [pragma, value] of Object.entries(wanted)) {
    const actual = connection.pragma(pragma, { simple: true });
    if (actual !== value) {
      throw new DatabaseOpenError(
        'not_durable',
        `SQLite answers ${pragma}=${String(actual)} where ${String(value)} is needed: move the data folder to a local disk.`,
      );
    }
  }
  connection.pragma(`busy_timeout = ${LOCK_WAIT_MS}`);
  keepStatements(connection);
}

const QUIET = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};

/** @param opened hears of the one connection. */
function knexOf(file: string, opened: (connection: Connection) => void = () => undefined): Knex {
  return knexFactory({
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // The values of a statement are conversation text: an error names the statement without them, and nothing is printed.
    compileSqlOnError: false,
    log: QUIET,
    acquireConnectionTimeout: 10_000,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Connection, done: (error: Error | null, connection: Connection) => void) => {
        try {
          configure(connection);
          opened(connection);
          done(null, connection);
        } catch (error) {
          done(error as Error, connection);
        }
      },
    },
  });
}

/** Fills free pages with zeros: rows of a table take them, some in each transaction, and are deleted again. */
async function overwriteFreePages(dialect: Dialect): Promise<void> {
  const write = async (statement: string, values: number[] = []): Promise<unknown> => {
    await sleep(0);
    return retryWhileBusy(
      () => dialect.transaction(async (transaction) => transaction.knex.raw(statement, values)),
      isBusy,
    );
  };
  const numberOf = async (pragma: string): Promise<number> => {
    const [row] = (await dialect.knex.raw(`pragma ${pragma}`)) as Record<string, number>[];
    return row?.[pragma] ?? 0;
  };
  // Four bytes of each page say which one is the next.
  const bytesOfPage = (await numberOf('page_size')) - 4;
  // A process that died here has left one.
  await write('create table if not exists blank (zeros blob)');
  for (let free = await numberOf('freelist_count'); free > 0; free = await numberOf('freelist_count'))
    await write('insert into blank values (zeroblob(?))', [Math.min(free, PAGES_A_STEP) * bytesOfPage]);
  const oldest = 'delete from blank where rowid = (select min(rowid) from blank)';
  while (changedRows(await write(oldest)) > 0);
  await write('drop table blank');
}

/** @param file path of the database file; its folder must exist. */
export function openSqlite(file: string): Dialect {
  const knex = knexOf(file);
  const openFile = new OpenFile(file);
  let lastFault: StorageFault | null = null;
  const explain = (error: unknown): unknown => {
    const explained = explainFailure(error, file);
    // Damage stays until it is mended, whatever else can still be read.
    if (explained instanceof StorageFaultError && lastFault !== 'database_damaged') lastFault = explained.fault;
    return explained;
  };
  const assertInPlace = (): void => openFile.assertInPlace();
  let writing: Connection | null = null;
  const transactions = new SqliteTransactions(() => dialect, {
    knex: knexOf(file, (connection) => (writing = connection)),
    connection: () => writing,
    explain,
    beforeCommit: assertInPlace,
    committed() {
      if (lastFault !== 'database_damaged') lastFault = null;
    },
  });
  const pragma = (source: string): Promise<number> =>
    transactions.alone(async (writer) => {
      const rows = (await writer.raw(`pragma ${source}`)) as Record<string, number>[];
      return Object.values(rows[0] ?? {})[0] ?? 0;
    });

  const dialect: Dialect = {
    name: 'sqlite',
    label: file,
    file,
    clock: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
    knex,
    transaction: (body) => transactions.run(body),
    async close() {
      await transactions.close();
      await knex.destroy();
    },
    explain,
    ...fullText,
    isBusy,
    asOpenError: (error) => (isCorrupt(error) ? corruptDatabase(file, error) : error),
    fault() {
      try {
        assertInPlace();
        return lastFault;
      } catch (error) {
        return error instanceof StorageFaultError ? error.fault : 'database_unreadable';
      }
    },
    async libraryVersion() {
      const rows = (await knex.raw('select sqlite_version() as version')) as { version: string }[];
      return `SQLite ${rows[0]?.version ?? 'unknown'}`;
    },
    async hasTable(queryable, table) {
      const rows = (await queryable.raw("select 1 from sqlite_master where type = 'table' and name = ?", [
        table,
      ])) as unknown[];
      return rows.length > 0;
    },
    settleSchema: () => Promise.resolve(),
    async findDamage() {
      const damage = await quickCheck(file);
      if (damage !== null) lastFault = 'database_damaged';
      return damage;
    },
    async backup(target) {
      await transactions.alone(async (writer) => writer.raw('vacuum into ?', [target]));
    },
    async flushDeleted() {
      for (let attempt = 0; attempt < FLUSH_TRIES; attempt += 1) {
        if ((await pragma('wal_checkpoint(TRUNCATE)')) === 0) return true;
        await sleep(FLUSH_PAUSE_MS);
      }
      return false;
    },
    async giveBackPages() {
      const ask = (source: string): Promise<number> => retryWhileBusy(() => pragma(source), isBusy);
      const size = await ask('page_size');
      let free = await ask('freelist_count');
      if (free * size < WORTH_GIVING_BACK) return;
      if ((await ask('auto_vacuum')) === 0) {
        if (((await ask('page_count')) - free) * size > MAX_REWRITTEN) return;
        await dialect.compact();
      } else
        for (let left = Infinity; free > 0 && free < left; free = await ask('freelist_count')) {
          left = free;
          await ask(`incremental_vacuum(${PAGES_A_STEP})`);
          await sleep(0);
        }
      await dialect.flushDeleted();
    },
    overwriteFreePages: () => overwriteFreePages(dialect),
    async compact() {
      await retryWhileBusy(() => transactions.alone(async (writer) => writer.raw('vacuum')), isBusy);
    },
    logSizeInBytes: () => fileSize(`${file}-wal`),
    async sizeInBytes() {
      const sizes = [file, `${file}-wal`].map(fileSize);
      return sizes[0] === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
    },
  };
  return dialect;
}
