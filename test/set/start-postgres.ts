import { startPostgresServer, type PostgresServer } from '../../shared/testing/postgres-server';

declare global {
  /** For stop-postgres.ts, which Jest runs in the same process. */
  var postgresOfAllSuites: PostgresServer | undefined;
}

/** Before the suites of Jest's project `postgres`: one server for all of them. */
export = async (): Promise<void> => {
  const server = await startPostgresServer({ max_connections: '400' });
  globalThis.postgresOfAllSuites = server;
  // Reaches the processes that run the suites.
  process.env['PARLEY_TEST_POSTGRES_PORT'] = String(server.port);
};
