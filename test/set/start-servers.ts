import { startPostgresServer, type PostgresServer } from '../../shared/testing/postgres-server';
import { startRedisServer, type RedisServer } from '../../shared/testing/redis-server';

declare global {
  /** For stop-servers.ts, which Jest runs in the same process. */
  var serversOfAllSuites: { readonly postgres: PostgresServer; readonly redis: RedisServer } | undefined;
}

/** Before the suites of Jest's projects `postgres` and `scaled`, once: one server of each kind for all of them. */
export = async (): Promise<void> => {
  const [postgres, redis] = await Promise.all([startPostgresServer({ max_connections: '400' }), startRedisServer()]);
  globalThis.serversOfAllSuites = { postgres, redis };
  // Reaches the processes that run the suites.
  process.env['PARLEY_TEST_POSTGRES_PORT'] = String(postgres.port);
  process.env['PARLEY_TEST_REDIS_PORT'] = String(redis.port);
};
