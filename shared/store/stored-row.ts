import type { Knex } from 'knex';
import { DamagedRowError } from '@parley/shared/contracts';
import { z } from 'zod';
import type { Database } from './database';
import type { Queryable } from './dialect';
import { answeredRows } from './raw-result';
import { retryWhileBusy } from './retry-while-busy';

/** What the rows of a table must be to be read. */
export interface RowContract<Shape extends z.ZodType> {
  readonly table: string;
  /** Columns that tell the row from others; each must be among those that are read. */
  readonly id: readonly string[];
  readonly shape: Shape;
}

/** 0 and 1, as every database system stores it. */
export const Flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** What `count` and `max` answer; some systems do so as text. */
const WholeNumber = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
const Counted = z.object({ count: WholeNumber }).transform(({ count }) => count);

/** @throws DamagedRowError */
export function parseRow<Shape extends z.ZodType>(
  { table, id, shape }: RowContract<Shape>,
  row: unknown,
): z.output<Shape> {
  const parsed = shape.safeParse(row);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const columns = z.record(z.string(), z.unknown()).catch({}).parse(row);
  const names = id.map((column) => String(columns[column] ?? '?')).join(' ');
  // Names of members that nobody knows are values, too.
  const reason = issue === undefined || issue.code === 'unrecognized_keys' ? 'it does not fit' : issue.message;
  throw new DamagedRowError(table, names, String(issue?.path[0] ?? '?'), reason);
}

/**
 * A row of a list in which each stands for itself: a damaged one must not hide the others.
 * @returns null when it is damaged; the log names it then
 */
export function parseSound<Shape extends z.ZodType>(
  database: Database,
  contract: RowContract<Shape>,
  row: unknown,
): z.output<Shape> | null {
  try {
    return parseRow(contract, row);
  } catch (error) {
    if (!(error instanceof DamagedRowError)) throw error;
    if (!database.toldOf.has(error.message))
      database.logger?.warn({ err: error }, 'a row cannot be read and is left out of a list');
    database.toldOf.add(error.message);
    return null;
  }
}

/**
 * Runs a statement that reads; while another process holds the file it is tried again.
 * @throws DatabaseBusyError, and what is wrong with the storage where that is why it failed
 */
export async function read(queryable: Queryable, statement: (knex: Knex) => PromiseLike<unknown>): Promise<unknown[]> {
  const { knex, dialect } = queryable;
  try {
    return answeredRows(await retryWhileBusy(async () => statement(knex), dialect.isBusy));
  } catch (error) {
    throw dialect.explain(error);
  }
}

/** @throws DamagedRowError, and as read */
export async function readRows<Shape extends z.ZodType>(
  queryable: Queryable,
  contract: RowContract<Shape>,
  statement: (knex: Knex) => PromiseLike<unknown>,
): Promise<z.output<Shape>[]> {
  return (await read(queryable, statement)).map((row) => parseRow(contract, row));
}

/** The rows that can be read: see parseSound. @throws as read */
export async function readSoundRows<Shape extends z.ZodType>(
  database: Database,
  contract: RowContract<Shape>,
  statement: (knex: Knex) => PromiseLike<unknown>,
): Promise<z.output<Shape>[]> {
  const rows = await read(database, statement);
  return rows.map((row) => parseSound(database, contract, row)).filter((row) => row !== null);
}

/** The first row; null when there is none. @throws as readRows */
export async function readRow<Shape extends z.ZodType>(
  queryable: Queryable,
  contract: RowContract<Shape>,
  statement: (knex: Knex) => PromiseLike<unknown>,
): Promise<z.output<Shape> | null> {
  const [row] = await read(queryable, statement);
  return row === undefined ? null : parseRow(contract, row);
}

/** What a `count` named count answers. */
export async function readCount(
  queryable: Queryable,
  statement: (knex: Knex) => PromiseLike<unknown>,
): Promise<number> {
  const [row] = await read(queryable, statement);
  return Counted.parse(row);
}
