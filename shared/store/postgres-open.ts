import { setTimeout as sleep } from 'node:timers/promises';
import { StorageFaultError } from '@parley/shared/contracts';
import type { DatabaseShare } from './dialect';
import type { OpenedDialect } from './opened-dialect';
import { openPostgresDialect } from './postgres-dialect';

/** A server that the machine starts at the same time as us needs a while. */
const SERVER_WAIT_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Connects to the server.
 * @throws DatabaseOpenError with one line for a person, which holds no password
 */
export async function openPostgres(
  address: { readonly url: string; readonly label: string },
  share: DatabaseShare,
): Promise<OpenedDialect> {
  const dialect = openPostgresDialect(address, share);
  const giveUpAt = performance.now() + SERVER_WAIT_MS;
  for (;;) {
    try {
      await dialect.hasTable(dialect.knex, 'schema_migrations');
      // The connection that writes, too, and with it the lock of the one process that may have the database.
      await dialect.transaction(() => Promise.resolve());
      return { dialect, release: () => undefined };
    } catch (error) {
      const explained = dialect.explain(error);
      const mayCome = explained instanceof StorageFaultError && explained.fault === 'server_unreachable';
      if (!mayCome || performance.now() >= giveUpAt) {
        await dialect.close();
        throw dialect.asOpenError(explained);
      }
      await sleep(PAUSE_MS);
    }
  }
}
