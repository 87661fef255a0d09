import { setTimeout as sleep } from 'node:timers/promises';
import { DiskFullError, StorageFaultError, storageFaultText } from '@parley/shared/contracts';
import { dropBallast } from './ballast';
import { corruptDatabase, inspectDatabaseFile, protectDatabaseFile } from './data-folder';
import { DatabaseBusyError, DatabaseOpenError, diskFull } from './database-errors';
import type { Dialect } from './dialect';
import { markOpen } from './open-marks';
import type { OpenedDialect } from './opened-dialect';
import { openSqlite } from './sqlite-dialect';
import { explainFailure, isCorrupt } from './sqlite-failures';

const OPEN_TRIES = 50;
const OPEN_PAUSE_MS = 50;

async function connect(file: string): Promise<Dialect> {
  for (let attempt = 1; ; attempt += 1) {
    const dialect = openSqlite(file);
    try {
      await dialect.hasTable(dialect.knex, 'schema_migrations');
      return dialect;
    } catch (error) {
      await dialect.close();
      if (isCorrupt(error)) throw corruptDatabase(file, error);
      const explained = explainFailure(error, file);
      if (explained instanceof DiskFullError) {
        // Even reading needs a little room for the log and its index.
        if (dropBallast(file)) continue;
        throw diskFull(file, error);
      }
      if (explained instanceof StorageFaultError)
        throw new DatabaseOpenError('unusable', `${storageFaultText(explained.fault)} It is about ${file}.`, error);
      // Several processes begin at once: turning the log mode on needs the file for a moment.
      const gaveUp = error instanceof DatabaseBusyError;
      if (!gaveUp && !dialect.isBusy(error)) throw error;
      if (gaveUp || attempt >= OPEN_TRIES) {
        throw new DatabaseOpenError(
          'locked',
          `The database ${file} is locked by another program: close it and start again.`,
          error,
        );
      }
      await sleep(OPEN_PAUSE_MS);
    }
  }
}

/** Opens the file, or makes it. @throws DatabaseOpenError as openDatabase */
export async function openSqliteFile(dataDir: string, file: string): Promise<OpenedDialect> {
  inspectDatabaseFile(dataDir, file);
  protectDatabaseFile(file);
  const release = markOpen(dataDir, file);
  try {
    return { dialect: await connect(file), release };
  } catch (error) {
    release();
    throw error;
  }
}
