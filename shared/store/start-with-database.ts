import type { Database, StoreLogger } from './database';
import type { DatabaseShare } from './dialect';
import { migrate } from './migrate';
import { openDatabase } from './open-database';

/** What a process knows of its database; the base configuration of every process has both members. */
interface DatabaseConfig {
  readonly data_dir: string;
  /** null: the file in the data folder. */
  readonly database_url: string | null;
}

interface DatabaseStart {
  readonly config: DatabaseConfig;
  /** Of the process; what the store says is marked with `subsystem: 'store'`. */
  readonly logger: { child(bindings: { readonly subsystem: string }): StoreLogger };
  readonly share?: DatabaseShare;
}

/**
 * Starts what works on the database: opens it, brings its schema up to date and hands it to `start`. The database is closed
 * after what was started has stopped, and when the start fails.
 *
 * @returns what `start` gave; its `stop` closes the database too, even when stopping failed.
 * @throws DatabaseOpenError when the database cannot be used, and what `start` throws
 */
export async function startWithDatabase<Running extends { stop(): Promise<void> }>(
  { config, logger, share = 'any' }: DatabaseStart,
  start: (database: Database) => Promise<Running>,
): Promise<Running> {
  const database = await openDatabase({
    dataDir: config.data_dir,
    url: config.database_url,
    logger: logger.child({ subsystem: 'store' }),
    share,
  });
  try {
    await migrate(database);
    const running = await start(database);
    return { ...running, stop: () => running.stop().finally(() => database.close()) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
