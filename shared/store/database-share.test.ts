import { describeWithPostgres, temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import type { Database } from './database';
import type { DatabaseShare } from './dialect';
import { openDatabase } from './open-database';

describeWithPostgres('processes that share a database', (server) => {
  let folder: TemporaryFolder;
  const opened: Database[] = [];
  beforeEach(() => {
    folder = temporaryFolder('share');
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    folder.remove();
  });

  it('are any number of peers, or one that is alone, and those who ask for neither', async () => {
    const url = await server().createDatabase();
    const open = async (share: DatabaseShare): Promise<Database> => {
      const database = await openDatabase({ dataDir: folder.path, url, share });
      opened.push(database);
      return database;
    };
    const peers = [await open('peers'), await open('peers')];
    await open('any');
    await expect(open('sole')).rejects.toMatchObject({
      message: expect.stringMatching(/only one can, .* unless each has SIM_REDIS_URL/),
    });
    for (const peer of peers) await peer.close();
    const alone = await open('sole');
    for (const share of ['peers', 'sole'] as const)
      await expect(open(share)).rejects.toMatchObject({ message: expect.stringMatching(/^Another session-api uses/) });
    await alone.close();
    await open('peers');
  });
});
