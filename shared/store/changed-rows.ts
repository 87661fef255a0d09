/** How many rows a raw statement changed; drivers name it differently. */
export function changedRows(result: unknown): number {
  const { changes, rowCount } = result as { changes?: number; rowCount?: number };
  return changes ?? rowCount ?? 0;
}
