import { StorageFaultError, type StorageFault } from '@parley/shared/contracts';
import type { Database } from './database';
import { faultBeside } from './sqlite-failures';

const PROBE = { key: 'storage_probe', value: 'null' };

/**
 * Tries whether files can be written beside the database, where it is a file; and, after a statement has met a fault, whether the database takes
 * rows again: what has passed is then forgotten.
 * @returns what is wrong now; a full disk is none, the ballast tells of that
 */
export async function probeStorage(database: Database): Promise<StorageFault | null> {
  const { file } = database.dialect;
  const beside = file === null ? null : faultBeside(file);
  if (beside instanceof StorageFaultError) return beside.fault;
  if (beside !== null || database.dialect.fault() === null) return null;
  try {
    await database.write(async (transaction) => {
      await transaction.knex('settings').insert(PROBE).onConflict('key').merge();
      await transaction.knex('settings').where({ key: PROBE.key }).delete();
    });
  } catch (error) {
    if (!(error instanceof StorageFaultError)) throw error;
  }
  return null;
}
