import type { Queryable } from './dialect';

type Value = string | number | null;

/**
 * Runs a statement that is written as text: what a turn reads and writes. Building such a statement anew each time, and all that
 * knex does around it, costs more than running it. @returns what `changedRows` and `answeredRows` understand
 */
export function runText(queryable: Queryable, sql: string, values: readonly Value[]): Promise<unknown> {
  const { runText: direct } = queryable.userParams as {
    runText?: (sql: string, values: readonly Value[]) => Promise<unknown>;
  };
  return direct?.(sql, values) ?? Promise.resolve(queryable.raw(sql, values as Value[] as string[]));
}

/** How many rows a raw statement changed; drivers name it differently. */
export function changedRows(result: unknown): number {
  const { changes, rowCount } = result as { changes?: number; rowCount?: number };
  return changes ?? rowCount ?? 0;
}

/** The rows that a raw statement answered; drivers wrap them differently. */
export function answeredRows<T>(result: unknown): T[] {
  return Array.isArray(result) ? (result as T[]) : (result as { rows: T[] }).rows;
}

/** Statements take a bounded number of values: cuts a long list of rows into several inserts. */
export function inBatches<T>(rows: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_value, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}
