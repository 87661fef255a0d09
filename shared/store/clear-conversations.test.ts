import { setImmediate as nextRound } from 'node:timers/promises';
import { clearConversations } from './clear-conversations';
import type { Database } from './database';
import { listSessions } from './search-store';
import { insertSession } from './session-store';
import { newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from './store-fixture';
import { transact } from './transact';
import { appendTurns, indexTurns } from './turn-store';

const SESSIONS = 1_500;
const TURNS = 10;

describe('clearConversations', () => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = storeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  const play = async (count: number, name: string): Promise<void> =>
    transact(database, async (transaction) => {
      for (let at = 0; at < count; at += 1) {
        const session = await insertSession(transaction, newSession({ id: `${name}-${at}` }));
        const turns = Array.from({ length: TURNS }, (_, turn) =>
          newTurn(turn + 1, `walnut ${name} ${at} ${turn} `.repeat(8)),
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
      await transact(database, (transaction) =>
        transaction('settings').insert({ key: 'k', value: String(written) }).onConflict('key').merge(),
      ); // prettier-ignore
      written += 1;
      await nextRound();
    }
    expect(await clearing).toMatchObject({ sessions: SESSIONS, turns: SESSIONS * TURNS });
    // In one transaction there would have been room for one or two.
    expect(written).toBeGreaterThan(20);
    expect(await database.knex('sessions').pluck('id')).toEqual(['new-0']);
    expect((await listSessions(database.knex, { q: 'walnut', limit: 5 })).rows.map(({ id }) => id)).toEqual(['new-0']);
    expect(await database.dialect.hasTable(database.knex, 'turn_search_aside')).toBe(false);
    expect(await database.dialect.findDamage()).toBeNull();
  });

  it('goes on with what a process that died has left of the index', async () => {
    await play(3, 'old');
    await transact(database, (transaction) => database.dialect.setIndexAside(transaction));
    await clearConversations(database);
    expect(await database.dialect.hasTable(database.knex, 'turn_search_aside')).toBe(false);
    await play(1, 'new');
    expect((await listSessions(database.knex, { q: 'walnut', limit: 5 })).rows).toHaveLength(1);
  });
});
