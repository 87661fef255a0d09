import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { getSettings, migrate, openDatabase, patchSettings, type Database } from '@parley/shared/store';

describe('writes that are ready together', () => {
  let folder: TemporaryFolder;
  let database: Database;
  beforeEach(async () => {
    folder = temporaryFolder('group-commit');
    database = await openDatabase({ dataDir: folder.path });
    await migrate(database);
  });
  afterEach(async () => {
    await database.close();
    folder.remove();
  });

  const insert = (key: string) =>
    database.write(async (transaction) => {
      await transaction.knex('settings').insert({ key, value: '1' });
      return key;
    });
  const keys = async (): Promise<string[]> =>
    ((await database.knex('settings').select('key').orderBy('key')) as { key: string }[]).map((row) => row.key);

  it('are all stored and each gets its own answer', async () => {
    const names = Array.from({ length: 200 }, (_one, at) => `k${String(at).padStart(3, '0')}`);
    expect(await Promise.all(names.map(insert))).toEqual(names);
    expect(await keys()).toEqual(names);
  });

  it('share transactions: 200 at once take far fewer commits than 200', async () => {
    const begun = jest.spyOn(database.dialect, 'transaction');
    await Promise.all(Array.from({ length: 200 }, (_one, at) => insert(`k${at}`)));
    expect(begun.mock.calls.length).toBeLessThanOrEqual(6);
    expect(await keys()).toHaveLength(200);
  });

  it('share one transaction when the event loop has them at hand together, though none waits for another', async () => {
    const begun = jest.spyOn(database.dialect, 'transaction');
    const arriving = Array.from(
      { length: 20 },
      (_one, at) => new Promise((resolve, reject) => setImmediate(() => insert(`k${at}`).then(resolve, reject))),
    );
    await Promise.all(arriving);
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('fail alone: a failing one takes back its own writes and nobody else notices', async () => {
    const failing = database.write(async (transaction) => {
      await transaction.knex('settings').insert({ key: 'half', value: '1' });
      throw new Error('changed my mind');
    });
    const results = await Promise.allSettled([insert('a'), failing, insert('b'), insert('a'), insert('c')]);
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  it('go on with later ones after a group', async () => {
    await Promise.all([insert('a'), insert('b')]);
    const settings = await database.write((transaction) => patchSettings(transaction, { save_transcripts: false }));
    expect(settings).toEqual(await getSettings(database));
  });
});
