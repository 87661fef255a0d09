import { postgresAt } from '@parley/shared/testing';

/** Where the rows of one set are: in a file of its data folder, or in a database of the suites' server. */
export interface SetDatabase {
  /** What SIM_DATABASE_URL says; null for the file. */
  readonly url: string | null;
  remove(): Promise<void>;
}

/** A database of its own for a set, on the system that jest.config.js names for the suite. */
export async function databaseForSet(): Promise<SetDatabase> {
  const { PARLEY_TEST_DATABASE: system } = globalThis as { PARLEY_TEST_DATABASE?: 'postgres' };
  if (system === undefined) return { url: null, remove: () => Promise.resolve() };
  const server = postgresAt(Number(process.env['PARLEY_TEST_POSTGRES_PORT']));
  const url = await server.createDatabase();
  return { url, remove: () => server.dropDatabase(url) };
}
