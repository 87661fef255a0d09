import { setTimeout as sleep } from 'node:timers/promises';
import knexFactory, { type Knex } from 'knex';
import type { Client } from 'pg';
import { z } from 'zod';
import { DatabaseOpenError } from './database-errors';
import type { DatabaseShare } from './dialect';
import { InUseError, withoutValues } from './postgres-failures';

const CONNECT_WAIT_MS = 5_000;
/** A server whose machine is gone says nothing: after so long the system asks whether it is there. */
const KEEP_ALIVE_MS = 10_000;
/** As long as others wait for SQLite's lock. */
const LOCK_WAIT_MS = 5_000;
/** A process that hangs in the middle of a transaction holds every other one up. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const OLDEST_SERVER = 150_000;

/** First half of the keys of our advisory locks; the second says which. */
const LOCKS = 0x7061_726c;
export const WRITE_LOCK: readonly number[] = [LOCKS, 1];
/** A process that was killed a moment ago has its connection taken from it by and by. */
const SOLE_TRIES = 20;
const SOLE_PAUSE_MS = 150;

const INT8 = 20;

/** On each connection, whatever the server, the database or the user have set. */
const SETTINGS = [
  'set synchronous_commit = on',
  `set lock_timeout = ${LOCK_WAIT_MS}`,
  `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  // A machine that has lost its network must not keep the lock for two hours.
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  'set client_min_messages = error',
].join('; ');

const FACTS = `select current_setting('server_version_num')::int as version, current_setting('server_version') as named,
  pg_encoding_to_char(encoding) as encoding, current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit
  from pg_database where datname = current_database()`;
const Facts = z.object({
  version: z.int(),
  named: z.string(),
  encoding: z.string(),
  fsync: z.string(),
  full_page_writes: z.string(),
  synchronous_commit: z.string(),
});
const Taken = z.object({ taken: z.boolean() });

/** @throws DatabaseOpenError when the server is too old, or cannot keep what it was given */
async function assertFits(connection: Client, label: string): Promise<void> {
  const facts = Facts.parse((await connection.query(FACTS)).rows[0]);
  if (facts.version < OLDEST_SERVER)
    throw new DatabaseOpenError(
      'unusable',
      `${label} is on PostgreSQL ${facts.named}, and Parley needs 15 or later: update the server.`,
    );
  if (facts.encoding !== 'UTF8')
    throw new DatabaseOpenError(
      'unusable',
      `${label} keeps its text as ${facts.encoding}, and Parley needs UTF8: make a database with createdb -E UTF8 -T template0.`,
    );
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'] as const)
    if (facts[setting] !== 'on')
      throw new DatabaseOpenError(
        'not_durable',
        `PostgreSQL answers ${setting}=${facts[setting]} for ${label} where on is needed, since it may lose what it was given: set it to on.`,
      );
}

const SHARE_LOCKS = { sole: 'pg_try_advisory_lock', peers: 'pg_try_advisory_lock_shared' };

/**
 * The lock hangs on the connection that writes: whoever loses it can commit nothing more. Peers share it, and keep out who
 * wants to be alone.
 * @throws InUseError when another process has it
 */
async function takeShare(connection: Client, share: keyof typeof SHARE_LOCKS): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await connection.query(`select ${SHARE_LOCKS[share]}(${LOCKS}, 2) as taken`);
    if (Taken.parse(rows[0]).taken) return;
    if (tries >= SOLE_TRIES) throw new InUseError();
    await sleep(SOLE_PAUSE_MS);
  }
}

const QUIET = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};

export interface PoolOptions {
  readonly url: string;
  readonly label: string;
  /** Connections that are always there, and that there may be. */
  readonly min: number;
  readonly max: number;
  /** Which lock each connection takes. */
  readonly share: DatabaseShare;
  /** Hears when a connection was lost, or closed. */
  readonly ended: () => void;
}

export function poolOf({ url, label, min, max, share, ended }: PoolOptions): Knex {
  const prepare = async (connection: Client): Promise<void> => {
    // Counts and ids as numbers, on this connection only; they stay far below 2^53.
    connection.setTypeParser(INT8, Number);
    await connection.query(SETTINGS);
    await assertFits(connection, label);
    if (share !== 'any') await takeShare(connection, share);
    connection.once('end', ended);
  };
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'parley',
      connectionTimeoutMillis: CONNECT_WAIT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    },
    // The values of a statement are conversation text: an error names the statement without them, and nothing is printed.
    compileSqlOnError: false,
    log: QUIET,
    acquireConnectionTimeout: 10_000,
    pool: {
      min,
      max,
      afterCreate: (connection: Client, done: (error: unknown, connection: Client) => void) => {
        prepare(connection).then(
          () => done(null, connection),
          (error: unknown) => {
            connection.end().catch(() => undefined);
            done(error, connection);
          },
        );
      },
    },
  });
  knex.on('query-error', withoutValues);
  return knex;
}
