import { readFileSync, statSync } from 'node:fs';
import { setImmediate as nextRound } from 'node:timers/promises';
import { clearConversations, finishClearing } from './clear-conversations';
import type { Database } from './database';
import { listSessions } from './search-store';
import { insertSession } from './session-store';
import {
  everyByte,
  exitOf,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';

import { appendTurns, indexTurns } from './turn-store';

const SESSIONS = 1_500;
const TURNS = 10;

const KILLED_HALF_WAY = `const { openDatabase, clearConversations } = require('store');
  (async () => {
    const database = await openDatabase(place);
    void clearConversations(database);
    for (;;) {
      const [{ count }] = await database.knex('sessions').count({ count: '*' });
      if (count < 250) process.kill(process.pid, 'SIGKILL');
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();`;

describeOnEachDatabase('clearConversations', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  const play = async (count: number, name: string, word = 'walnut'): Promise<void> =>
    database.write(async (transaction) => {
      for (let at = 0; at < count; at += 1) {
        const session = await insertSession(transaction, newSession({ id: `${name}-${at}` }));
        const turns = Array.from({ length: TURNS }, (_, turn) =>
          newTurn(turn + 1, `${word} ${name} ${at} ${turn} `.repeat(8)),
        );
        await appendTurns(transaction, session.id, turns);
        await indexTurns(transaction, session, turns);
      }
    });

  it('lets others write in between, spares what comes meanwhile, and leaves an index that finds it', async () => {
    await play(SESSIONS, 'old');
    let cleared = false;
    const clearing = clearConversations(database).finally(() => (cleared = true));
    let written = 0;
    while (!cleared) {
      if (written === 3) await play(1, 'new');
      await database.write((transaction) =>
        transaction
          .knex('settings')
          .insert({ key: 'k', value: String(written) })
          .onConflict('key')
          .merge(),
      );
      written += 1;
      await nextRound();
    }
    expect(await clearing).toMatchObject({ sessions: SESSIONS, turns: SESSIONS * TURNS });
    // In one transaction there would have been room for one or two.
    expect(written).toBeGreaterThan(20);
    expect(await database.knex('sessions').pluck('id')).toEqual(['new-0']);
    expect((await listSessions(database, { q: 'walnut', limit: 5 })).rows.map(({ id }) => id)).toEqual(['new-0']);
    expect(await database.dialect.findDamage()).toBeNull();
  });

  it('is finished by the next start when its process is killed half-way', async () => {
    await play(300, 'old');
    const killed = fixture.run(KILLED_HALF_WAY);
    await expect(exitOf(killed)).rejects.toThrow('SIGKILL');
    const left = (await database.knex('sessions').pluck('id')) as string[];
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(300);
    // The words of sessions that are gone are still in free pages, which the next start has to see to.
    if (fixture.url === null) expect(everyByte(fixture.dataDir).includes('walnut')).toBe(true);
    expect((await listSessions(database, { q: 'walnut', limit: 5 })).rows).toEqual([]);
    await play(1, 'new', 'chestnut');
    await database.close();

    database = await openMigrated(fixture);
    expect(await finishClearing(database)).toBe(true);
    expect(await database.knex('sessions').pluck('id')).toEqual(['new-0']);
    expect((await listSessions(database, { q: 'chestnut', limit: 5 })).rows).toHaveLength(1);
    if (fixture.url === null) expect(everyByte(fixture.dataDir).includes('walnut')).toBe(false);
    expect(await database.dialect.findDamage()).toBeNull();
    expect(await finishClearing(database)).toBe(false);
  });

  it('is finished by the next start when only the scrubbing was left', async () => {
    await play(20, 'old');
    await clearConversations(database);
    await database.close();
    database = await openMigrated(fixture);
    expect(await finishClearing(database)).toBe(true);
    if (fixture.url === null) expect(everyByte(fixture.dataDir).includes('walnut')).toBe(false);
    expect(await finishClearing(database)).toBe(false);
  });

  it('overwrites what the index held before its room is given back', async () => {
    // A server's files are not ours to read.
    if (fixture.url !== null) return;
    await play(300, 'old');
    await clearConversations(database);
    await database.dialect.overwriteFreePages();
    expect(await database.dialect.flushDeleted()).toBe(true);
    expect(readFileSync(fixture.file).includes('walnut')).toBe(false);
    expect(statSync(fixture.file).size).toBeGreaterThan(300_000);
  });
});
