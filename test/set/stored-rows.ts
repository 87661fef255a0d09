import { openDatabase } from '@parley/shared/store';
import { silentLogger } from '@parley/shared/service';
import type { ParleySet } from './parley-set';

const WITHOUT_MEANING = /^sqlite_|_(data|idx|docsize|config|content)$/;

/** Everything that is stored, table by table, to be compared with what is stored later. */
export async function storedRows(set: ParleySet): Promise<Record<string, unknown[]>> {
  const database = await openDatabase({ dataDir: set.folder.path, url: null, logger: silentLogger() });
  try {
    const tables = (await database.knex('sqlite_master').where({ type: 'table' }).select('name')) as { name: string }[];
    const rows: Record<string, unknown[]> = {};
    for (const { name } of tables)
      if (!WITHOUT_MEANING.test(name)) rows[name] = (await database.knex(name).select('*')) as unknown[];
    return rows;
  } finally {
    await database.close();
  }
}
