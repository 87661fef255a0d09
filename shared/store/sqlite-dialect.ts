import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import knexFactory, { type Knex } from 'knex';
import type { Dialect, Queryable, TurnHit, TurnText } from './dialect';
import { DatabaseOpenError } from './database-errors';
import { runText } from './raw-result';
import { retryWhileBusy } from './retry-while-busy';
import { explainFailure, isBusy, isCorrupt } from './sqlite-failures';
import { clientOf, SqliteTransactions, type Connection, type Explain, type Statement } from './sqlite-transaction';
import { apart, together } from './unspaced-words';

/**
 * All SQL that only SQLite understands.
 *
 * The driver is synchronous: while it waits for a lock the whole process waits. So it waits for a few milliseconds only,
 * and callers try again after a pause that leaves the event loop free (see transact).
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

/** Full-text row ids sort by session, then by turn: newest-first search walks them backwards and stops early. */
const TURNS_PER_SESSION = 65536;

/** Files that SQLite keeps beside the database. */
export const sqliteSidecarFiles = (file: string): string[] => [`${file}-wal`, `${file}-shm`, `${file}-journal`];

/** Parsing is a good part of what a short statement costs; knex prepares the same texts over and over. */
function keepStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  const kept = new Map<string, Statement>();
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

/**
 * A statement outside of a transaction waits for the lock like a transaction does: one that failed with BUSY has changed
 * nothing. Statements inside of transactions have the lock already, and a client of their own.
 */
function waitForLock(knex: Knex, explain: Explain): void {
  const client = clientOf(knex);
  const run = client.query.bind(client);
  client.query = (connection, statement) =>
    retryWhileBusy(() => run(connection, statement), isBusy).catch((error: unknown) => {
      throw explain(error);
    });
}

/** `hello "world` → `"hello" """world"`: each word is a phrase, so nothing in it is an operator. */
function matchExpression(words: string): string | null {
  const phrases = words
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word))
    .map((word) => `"${apart(word).replaceAll('"', '""')}"`);
  return phrases.length === 0 ? null : [...new Set(phrases)].join(' ');
}

const CREATE_FULL_TEXT =
  "create virtual table turn_search using fts5(text, tokenize = 'unicode61 remove_diacritics 2')";
const FULL_TEXT_SECURE_DELETE = "insert into turn_search(turn_search, rank) values ('secure-delete', 1)";
const NEXT_HIT = `select rowid as row, snippet(turn_search, 0, '', '', '…', 24) as snippet from turn_search
  where turn_search match ? and rowid < ? order by rowid desc limit 1`;

const QUIET = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};

function knexOf(file: string): Knex {
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
          done(null, connection);
        } catch (error) {
          done(error as Error, connection);
        }
      },
    },
  });
}

/** @param file path of the database file; its folder must exist. */
export function openSqlite(file: string): Dialect {
  const knex = knexOf(file);
  const inside = knexOf(file);
  const explain: Explain = (error) => explainFailure(error, file);
  const transactions = new SqliteTransactions(knex, inside, explain);
  waitForLock(knex, explain);

  const createFullText = async (transaction: Queryable): Promise<void> => {
    await transaction.raw(CREATE_FULL_TEXT);
    // Without it deleted words stay readable in the index until its segments happen to be merged.
    await transaction.raw(FULL_TEXT_SECURE_DELETE);
  };

  const dialect: Dialect = {
    name: 'sqlite',
    file,
    knex,
    transaction: (body) => transactions.run(body),
    close: () => knex.destroy(),
    createFullText,
    isBusy,
    isCorrupt,
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
    async indexTurns(transaction, sessionOrdinal, turns) {
      if (turns.length === 0) return;
      const rows = turns.flatMap((turn: TurnText) => [
        sessionOrdinal * TURNS_PER_SESSION + turn.turn_index,
        apart(turn.text),
      ]);
      const values = turns.map(() => '(?, ?)').join(', ');
      await runText(transaction, `insert into turn_search(rowid, text) values ${values}`, rows);
    },
    async forgetTurns(transaction, sessionOrdinal) {
      const first = sessionOrdinal * TURNS_PER_SESSION;
      await transaction.raw('delete from turn_search where rowid >= ? and rowid < ?', [
        first,
        first + TURNS_PER_SESSION,
      ]);
    },
    async forgetTurn(transaction, sessionOrdinal, turnIndex) {
      await transaction.raw('delete from turn_search where rowid = ?', [
        sessionOrdinal * TURNS_PER_SESSION + turnIndex,
      ]);
    },
    async forgetAllTurns(transaction) {
      // Dropping frees whole pages (overwritten by secure_delete); deleting a million rows one by one takes minutes.
      await transaction.raw('drop table turn_search');
      await createFullText(transaction);
    },
    async searchTurns(queryable, words, before, limit) {
      const match = matchExpression(words);
      if (match === null) return [];
      const hits: TurnHit[] = [];
      let end = before === null ? Number.MAX_SAFE_INTEGER : before * TURNS_PER_SESSION;
      while (hits.length < limit) {
        const found = (await queryable.raw(NEXT_HIT, [match, end])) as { row: number; snippet: string }[];
        const hit = found[0];
        if (hit === undefined) break;
        const session_ordinal = Math.floor(hit.row / TURNS_PER_SESSION);
        hits.push({ session_ordinal, turn_index: hit.row % TURNS_PER_SESSION, snippet: together(hit.snippet) });
        end = session_ordinal * TURNS_PER_SESSION;
      }
      return hits;
    },
    async backup(target) {
      await knex.raw('vacuum into ?', [target]);
    },
    async flushDeleted() {
      for (let attempt = 0; attempt < FLUSH_TRIES; attempt += 1) {
        const rows = (await knex.raw('pragma wal_checkpoint(TRUNCATE)')) as { busy: number }[];
        if (rows[0]?.busy === 0) return true;
        await sleep(FLUSH_PAUSE_MS);
      }
      return false;
    },
    async giveBackPages() {
      const client = clientOf(knex);
      const ask = async (pragma: string): Promise<number> => {
        const connection = await client.acquireConnection();
        try {
          return Number(await retryWhileBusy(async () => connection.pragma(pragma, { simple: true }), isBusy));
        } catch (error) {
          throw explain(error);
        } finally {
          await client.releaseConnection(connection);
        }
      };
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
    async compact() {
      await knex.raw('vacuum');
    },
    logSizeInBytes: () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    sizeInBytes() {
      const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      return sizes[0] === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
    },
  };
  knex.userParams = { dialect };
  inside.userParams = { dialect, runText: transactions.runText };
  return dialect;
}
