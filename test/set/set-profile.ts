import { randomBytes } from 'node:crypto';
import { postgresAt } from '@parley/shared/testing';

/** What jest.config.js names for a suite: SQLite and one session-api, PostgreSQL and one, PostgreSQL and Redis and two. */
export type ProfileName = 'embedded' | 'postgres' | 'scaled';

/** Where one set keeps what it keeps, apart from every other set of its servers. */
export interface SetProfile {
  /** SIM_* variables of every process. */
  readonly environment: Readonly<Record<string, string>>;
  /** How many session-apis there are, which are asked in turn. */
  readonly instances: number;
  remove(): Promise<void>;
}

/** A place for a set on the servers of the suite's profile. */
export async function profileForSet(): Promise<SetProfile> {
  const { PARLEY_TEST_PROFILE: name = 'embedded' } = globalThis as { PARLEY_TEST_PROFILE?: ProfileName };
  if (name === 'embedded') return { environment: {}, instances: 1, remove: () => Promise.resolve() };
  const server = postgresAt(Number(process.env['PARLEY_TEST_POSTGRES_PORT']));
  const url = await server.createDatabase();
  const onPostgres: SetProfile = {
    environment: { SIM_DATABASE_URL: url },
    instances: 1,
    remove: () => server.dropDatabase(url),
  };
  if (name === 'postgres') return onPostgres;
  return {
    ...onPostgres,
    instances: 2,
    environment: {
      ...onPostgres.environment,
      SIM_REDIS_URL: `redis://127.0.0.1:${process.env['PARLEY_TEST_REDIS_PORT']}`,
      // Names in Redis follow from it: no set hears of another.
      SIM_INTERNAL_KEY: randomBytes(24).toString('hex'),
    },
  };
}
