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
