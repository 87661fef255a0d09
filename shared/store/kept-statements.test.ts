import { openMigrated, storeFixture, type StoreFixture } from '../testing/store/store-fixture';

/** SQLite's statements are kept by their text: see keepStatements. */
describe('a statement that runs again', () => {
  let fixture: StoreFixture;
  beforeEach(() => {
    fixture = storeFixture();
  });
  afterEach(() => fixture.remove());

  it('sees tables as they are now, with other values, and after one that failed', async () => {
    const database = await openMigrated(fixture);
    const put = (key: string): Promise<unknown> =>
      database.write((transaction) => transaction.knex('settings').insert({ key, value: '1' }));
    const all = (): Promise<unknown> => database.knex('settings').select('*').orderBy('key');
    await put('a');
    expect(await all()).toEqual([{ key: 'a', value: '1' }]);
    await expect(put('a')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    await put('b');
    expect(await all()).toEqual([
      { key: 'a', value: '1' },
      { key: 'b', value: '1' },
    ]);
    await database.write((transaction) => transaction.knex.raw('alter table settings add column more text'));
    await put('c');
    expect(await all()).toContainEqual({ key: 'c', value: '1', more: null });
  });

  it('goes on after more others than are kept', async () => {
    const database = await openMigrated(fixture);
    for (let at = 0; at < 700; at += 1)
      expect(await database.knex.raw(`select ${at % 400} as number`)).toEqual([{ number: at % 400 }]);
  });
});
