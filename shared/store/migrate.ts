import { backupPath, markDatabase } from './data-folder';
import type { Database } from './database';
import { DatabaseOpenError } from './database-errors';
import type { Queryable } from './dialect';
import { MIGRATIONS, type Migration } from './migrations';
import { StorageFaultError } from '@parley/shared/contracts';
import { z } from 'zod';
import { readRow } from './stored-row';

const TABLE = 'schema_migrations';

const VERSION = { table: TABLE, id: [], shape: z.object({ version: z.int().nullable() }) };

export interface MigrateOptions {
  /** Default: the time of the machine. */
  readonly now?: () => Date;
  /** Default: all that this version knows. */
  readonly migrations?: readonly Migration[];
}

const newest = (migrations: readonly Migration[]): number =>
  migrations.reduce((highest, migration) => Math.max(highest, migration.id), 0);

/** Number of the last migration that this version knows. */
export const NEWEST_SCHEMA = newest(MIGRATIONS);

async function appliedVersion(database: Database, queryable: Queryable): Promise<number> {
  if (!(await database.dialect.hasTable(queryable.knex, TABLE))) return 0;
  const row = await readRow(queryable, VERSION, (knex) => knex(TABLE).max({ version: 'id' }));
  return row?.version ?? 0;
}

/** Number of the last migration that was applied; 0 for an empty database. */
export async function schemaVersion(database: Database): Promise<number> {
  return appliedVersion(database, database);
}

const OTHER_PLACE = {
  sqlite: 'point SIM_DATA_DIR at another folder',
  postgres: 'name another database in SIM_DATABASE_URL',
};

/** @throws DatabaseOpenError newer_schema */
export async function refuseNewerSchema(
  database: Database,
  queryable: Queryable,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const version = await appliedVersion(database, queryable);
  const known = newest(migrations);
  if (version > known) {
    throw new DatabaseOpenError(
      'newer_schema',
      `The database ${database.dialect.label} was written by a newer version of Parley (schema ${version}; this version knows ${known}): update Parley, or ${OTHER_PLACE[database.dialect.name]}.`,
    );
  }
}

/** A copy is made before the lock is taken; two processes that do so at once make two copies, which is harmless. */
async function backUp(database: Database, version: number, now: Date): Promise<void> {
  // A server's database is backed up by whoever runs the server; a step that fails changes nothing in it.
  if (database.dialect.file === null) return;
  const name = `schema-${version}-${now.toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}.sqlite`;
  const target = backupPath(database.dataDir, name);
  await database.dialect.backup(target);
  database.logger?.info({ schema_version: version }, 'database backed up before migration');
}

/**
 * Brings the tables up to date, all steps in one write transaction: whichever process comes first does it, the others
 * find it done, and a process that is killed half-way leaves nothing. A database file with data is copied into
 * `<dataDir>/backups` before it is changed.
 *
 * @returns the migrations that this call applied
 * @throws DatabaseOpenError newer_schema
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<Migration[]> {
  const migrations = options.migrations ?? MIGRATIONS;
  const now = (options.now ?? (() => new Date()))();
  await refuseNewerSchema(database, database, migrations);
  const before = await appliedVersion(database, database);
  if (before > 0 && before < newest(migrations)) await backUp(database, before, now);
  const applied = await applyPending(database, migrations, now).catch((error: unknown) => {
    // Nothing is served yet: what is wrong is for the person who starts the process.
    throw error instanceof StorageFaultError ? database.dialect.asOpenError(error) : error;
  });
  const { file } = database.dialect;
  if (file !== null) markDatabase(database.dataDir, file, now.toISOString());
  return applied;
}

const applyPending = (database: Database, migrations: readonly Migration[], now: Date): Promise<Migration[]> =>
  database.write(async (transaction) => {
    await refuseNewerSchema(database, transaction, migrations);
    const version = await appliedVersion(database, transaction);
    const pending = migrations.filter((migration) => migration.id > version).sort((a, b) => a.id - b.id);
    if (version === 0 && pending.length > 0) {
      await transaction.knex.schema.createTable(TABLE, (table) => {
        table.integer('id').primary();
        table.text('name').notNullable();
        table.text('applied_at').notNullable();
      });
    }
    for (const migration of pending) {
      await migration.up(transaction);
      await transaction.knex(TABLE).insert({ id: migration.id, name: migration.name, applied_at: now.toISOString() });
    }
    if (pending.length > 0) await transaction.dialect.settleSchema(transaction);
    return pending;
  });
