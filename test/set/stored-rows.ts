import { openDatabase } from '@parley/shared/store';
import { silentLogger } from '@parley/shared/service';
import { waitUntil } from '@parley/shared/testing';
import { filesUnder, filesWith } from './folder-bytes';
import type { ParleySet } from './parley-set';

const TABLES = {
  sqlite: "select name from sqlite_master where type = 'table'",
  postgres: 'select tablename as name from pg_tables where schemaname = current_schema()',
};
const WITHOUT_MEANING = /^sqlite_|_(data|idx|docsize|config|content)$/;

/** Everything that is stored, table by table, to be compared with what is stored later. */
export async function storedRows(set: ParleySet): Promise<Record<string, unknown[]>> {
  const database = await openDatabase({ dataDir: set.folder.path, url: set.databaseUrl, logger: silentLogger() });
  try {
    const answer: unknown = await database.knex.raw(TABLES[database.dialect.name]);
    const tables = (Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows) as { name: string }[];
    const rows: Record<string, unknown[]> = {};
    for (const { name } of tables)
      if (!WITHOUT_MEANING.test(name)) rows[name] = (await database.knex(name).select('*')) as unknown[];
    return rows;
  } finally {
    await database.close();
  }
}

/** As filesWith, of the data folder; where a server keeps the rows, of them too, as `table: word`. */
export async function placesWith(set: ParleySet, words: readonly string[]): Promise<string[]> {
  const files = filesWith(set.folder.path, words);
  if (set.databaseUrl === null) return files;
  const tables = Object.entries(await storedRows(set)).map(
    ([name, rows]) => [name, JSON.stringify(rows).toLowerCase()] as const,
  );
  return [
    ...files,
    ...tables.flatMap(([name, text]) =>
      words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${name}: ${word}`),
    ),
  ];
}

/**
 * Waits until session-api has written what it writes by itself a moment after its start: the ballast, which lies beside a
 * database that is a file.
 */
export async function startIsOver(set: ParleySet): Promise<void> {
  if (set.databaseUrl === null) await waitUntil('the ballast', () => filesUnder(set.folder.path).includes('ballast'));
}
