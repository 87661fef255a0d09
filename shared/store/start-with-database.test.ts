import type { Database } from './database';
import { NEWEST_SCHEMA, schemaVersion } from './migrate';
import { startWithDatabase } from './start-with-database';
import { storeFixture, type StoreFixture } from '../testing/store/store-fixture';

describe('startWithDatabase', () => {
  let fixture: StoreFixture;
  let database: Database;
  let subsystems: string[];
  const quiet = { info: () => undefined, warn: () => undefined };
  const logger = {
    child: ({ subsystem }: { subsystem: string }) => {
      subsystems.push(subsystem);
      return quiet;
    },
  };
  const isOpen = (): Promise<boolean> =>
    database.knex.raw('select 1').then(
      () => true,
      () => false,
    );
  const start = <Running extends { stop(): Promise<void> }>(running: () => Promise<Running>): Promise<Running> =>
    startWithDatabase({ config: { data_dir: fixture.dataDir, database_url: null }, logger }, (opened) => {
      database = opened;
      return running();
    });

  beforeEach(() => {
    subsystems = [];
    fixture = storeFixture();
  });
  afterEach(async () => {
    await database.close();
    await fixture.remove();
  });

  it('hands over an opened database of the newest schema, whose log says that it is the store', async () => {
    const running = await start(async () => ({
      port: 4711,
      schema: await schemaVersion(database),
      stop: () => Promise.resolve(),
    }));
    expect(running).toMatchObject({ port: 4711, schema: NEWEST_SCHEMA });
    expect(database.logger).toBe(quiet);
    expect(subsystems).toEqual(['store']);
    expect(await isOpen()).toBe(true);
  });

  it('closes the database when what was started has stopped, not before', async () => {
    const seen: boolean[] = [];
    const running = await start(() =>
      Promise.resolve({
        async stop() {
          await new Promise((resolve) => setTimeout(resolve, 20));
          seen.push(await isOpen());
        },
      }),
    );
    await running.stop();
    expect(seen).toEqual([true]);
    expect(await isOpen()).toBe(false);
  });

  it('closes the database when stopping fails, and says why it failed', async () => {
    const running = await start(() => Promise.resolve({ stop: () => Promise.reject(new Error('stuck')) }));
    await expect(running.stop()).rejects.toThrow('stuck');
    expect(await isOpen()).toBe(false);
  });

  it('closes the database when the start fails behind it', async () => {
    const failing = start(async () => {
      expect(await isOpen()).toBe(true);
      throw new Error('the port is taken');
    });
    await expect(failing).rejects.toThrow('the port is taken');
    expect(await isOpen()).toBe(false);
  });
});
