import { z } from 'zod';
import type { Queryable } from './dialect';

type Value = string | number | null;

/** Runs a statement that is written as text. @returns what `changedRows` and `answeredRows` understand */
export const runText = (queryable: Queryable, sql: string, values: readonly Value[]): Promise<unknown> =>
  Promise.resolve(queryable.knex.raw(sql, values as Value[] as string[]));

const Changed = z.union([
  z.object({ changes: z.int() }).transform(({ changes }) => changes),
  z.object({ rowCount: z.int() }).transform(({ rowCount }) => rowCount),
]);

/** How many rows a raw statement changed; drivers name it differently. */
export const changedRows = (result: unknown): number => Changed.parse(result);

const Answered = z.union([
  z.array(z.unknown()),
  z.object({ rows: z.array(z.unknown()) }).transform(({ rows }) => rows),
]);

/** The rows that a raw statement answered; drivers wrap them differently. */
export const answeredRows = (result: unknown): unknown[] => Answered.parse(result);

/** Statements take a bounded number of values: cuts a long list of rows into several inserts. */
export function inBatches<T>(rows: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_value, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
