import type BetterSqlite3 from 'better-sqlite3';

const LOCK_WAIT_MS = 50;

/**
 * Reads one row of the settings out of a database file, and opens nothing for writing.
 * @returns undefined where there is no such row, or no such table yet
 */
export function readSetting(Driver: typeof BetterSqlite3, file: string, key: string): string | undefined {
  const database = new Driver(file, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
  try {
    const isThere = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'settings'").get();
    if (isThere === undefined) return undefined;
    const row = database.prepare('select value from settings where key = ?').get(key);
    return (row as { value: string } | undefined)?.value;
  } finally {
    database.close();
  }
}
