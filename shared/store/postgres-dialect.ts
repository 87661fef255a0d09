import type { Knex } from 'knex';
import { StorageFaultError, StartError, type StorageFault } from '@parley/shared/contracts';
import { z } from 'zod';
import type { DatabaseShare, Dialect } from './dialect';
import { poolOf } from './postgres-connection';
import { asOpenError, explainFailure, isBusy } from './postgres-failures';
import { postgresFullText } from './postgres-full-text';
import { PostgresTransactions } from './postgres-transactions';
import { answeredRows } from './raw-result';

/** All SQL that only PostgreSQL understands is here and in the files beside this one. */
const READERS = 4;
const LOOK_AGAIN_MS = 500;
/** What passes without anybody's doing anything to the database: worth looking again and again. */
const PASSING: readonly StorageFault[] = [
  'server_unreachable',
  'server_refused',
  'server_connections_used_up',
  'server_in_use',
];

/** Tables that hold what was said, or what came of it. */
const CONVERSATION_TABLES = [
  'sessions',
  'turns',
  'turn_variants',
  'turn_search',
  'turn_keys',
  'turn_claims',
  'events',
  'debriefs',
  'recaps',
  'drills',
  'jobs',
  'kept_answers',
].join(', ');

const UNSETTLED = `select table_name as table, data_type as type, json_agg(column_name) as columns
  from information_schema.columns where table_schema = current_schema()
  and (data_type = 'text' and collation_name is distinct from 'C' or data_type = 'integer')
  group by table_name, data_type order by table_name, data_type`;
const Unsettled = z.object({ table: z.string(), type: z.enum(['text', 'integer']), columns: z.array(z.string()) });
const SETTLED = { text: 'text collate "C"', integer: 'bigint' };

/** @param share whether others may have the database in this way */
export function openPostgresDialect(
  address: { readonly url: string; readonly label: string },
  share: DatabaseShare,
): Dialect {
  const { url, label } = address;
  let lastFault: StorageFault | null = null;
  let isClosing = false;
  let timer: NodeJS.Timeout | null = null;

  const note = (fault: StorageFault): void => {
    // Damage stays until it is mended, whatever else can still be read.
    if (isClosing || lastFault === 'server_damaged') return;
    lastFault = fault;
    if (PASSING.includes(fault)) lookAgain();
  };
  const explain = (error: unknown): unknown => {
    const explained = explainFailure(error);
    if (explained instanceof StorageFaultError) note(explained.fault);
    return explained;
  };
  const knex = poolOf({ url, label, min: 0, max: READERS, share: 'any', ended: () => undefined });
  const writer = poolOf({ url, label, min: 1, max: 1, share, ended: () => note('server_unreachable') });
  const look = async (): Promise<void> => {
    try {
      await writer.raw('select 1');
      await knex.raw('select 1');
      if (lastFault !== null && PASSING.includes(lastFault)) lastFault = null;
    } catch (error) {
      explain(error);
    }
    timer = null;
    if (lastFault !== null && PASSING.includes(lastFault) && !isClosing) lookAgain();
  };
  const lookAgain = (): void => {
    if (timer !== null) return;
    timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
    timer.unref();
  };
  const transactions = new PostgresTransactions(() => dialect, {
    knex: writer,
    explain,
    committed() {
      if (lastFault !== 'server_damaged') lastFault = null;
    },
  });
  const askOne = async <T>(text: string, shape: z.ZodType<T>, values: string[] = []): Promise<T> => {
    try {
      return shape.parse(answeredRows(await knex.raw(text, values))[0]);
    } catch (error) {
      throw explain(error);
    }
  };
  const vacuum = async (kind: string): Promise<void> => {
    try {
      await knex.raw(`vacuum ${kind} ${CONVERSATION_TABLES}`);
    } catch (error) {
      throw explain(error);
    }
  };

  const dialect: Dialect = {
    name: 'postgres',
    label,
    file: null,
    knex,
    clock: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
    transaction: (body) => transactions.run(body),
    async close() {
      isClosing = true;
      if (timer !== null) clearTimeout(timer);
      await writer.destroy();
      await knex.destroy();
    },
    explain,
    ...postgresFullText,
    isBusy,
    asOpenError: (error) => asOpenError(error, label),
    fault: () => lastFault,
    async libraryVersion() {
      const { version } = await askOne(
        "select current_setting('server_version') as version",
        z.object({ version: z.string() }),
      );
      return `PostgreSQL ${version}`;
    },
    async hasTable(queryable: Knex, table: string) {
      const rows = answeredRows(
        await queryable.raw('select 1 from pg_tables where schemaname = current_schema() and tablename = ?', [table]),
      );
      return rows.length > 0;
    },
    /**
     * Text sorts by its code points, as in SQLite, and no index depends on what the server's system holds for an order; and
     * numbers are as wide as in SQLite, since a caller may name any.
     */
    async settleSchema(transaction) {
      const unsettled = answeredRows(await transaction.knex.raw(UNSETTLED));
      for (const { table, type, columns } of unsettled.map((row) => Unsettled.parse(row))) {
        const changes = columns.map(() => `alter column ?? type ${SETTLED[type]}`).join(', ');
        await transaction.knex.raw(`alter table ?? ${changes}`, [table, ...columns]);
      }
    },
    /** The server checks its pages itself, when it was made with checksums; pg_amcheck reads through them. */
    findDamage: () => Promise.resolve(null),
    backup: () =>
      Promise.reject(
        new StartError(
          `${label} is kept by PostgreSQL: save it with pg_dump --format=custom, and the folder packs of the data folder with it.`,
        ),
      ),
    /** Deleted rows leave the tables; the server's log keeps them until it is written over, and its backups as long as they are kept. */
    async flushDeleted() {
      await vacuum('(skip_locked)');
      return true;
    },
    /** The server does it by itself (autovacuum). */
    giveBackPages: () => Promise.resolve(),
    /** Rewriting the tables, which `compact` does, leaves no page of theirs. */
    overwriteFreePages: () => Promise.resolve(),
    compact: () => vacuum('(full)'),
    logSizeInBytes: () => 0,
    async sizeInBytes() {
      const { bytes } = await askOne(
        'select pg_database_size(current_database()) as bytes',
        z.object({ bytes: z.int() }),
      );
      return bytes;
    },
  };
  return dialect;
}
