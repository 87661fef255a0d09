import type { Database } from './database';
import { listEvents } from './event-store';
import { findSession, insertSession } from './session-store';
import { getSettings } from './settings-store';
import {
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';
import { appendTurns, listTurns } from './turn-store';

describeOnEachDatabase('rows that do not fit their contract', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let id: string;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
    id = await database.write(async (transaction) => {
      const session = await insertSession(transaction, newSession());
      await appendTurns(transaction, session.id, [newTurn(1, 'walnut')]);
      return session.id;
    });
  });
  afterEach(() => fixture.remove());

  const damage = (table: string, columns: object): Promise<unknown> =>
    database.write((transaction) => transaction.knex(table).update(columns));

  it.each([
    ['text that is no JSON', { flags: 'walnut, {' }, 'flags'],
    ['JSON of another shape', { state_vars: '["walnut"]' }, 'state_vars'],
    ['a state that nobody knows', { flow_state: 'Walnut' }, 'flow_state'],
  ])('are refused by table, id and column, without a value: %s', async (_what, columns, column) => {
    await damage('sessions', columns);
    const error: unknown = await findSession(database, id).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'DamagedRowError', table: 'sessions', id, column });
    expect(String(error)).toContain(`table sessions, id ${id}, column ${column}`);
    expect(String(error).toLowerCase()).not.toContain('walnut');
  });

  it('are refused in a list, too, with all that tells the row from others', async () => {
    await damage('turns', { observations: '[{"dimension": 1}]' });
    await expect(listTurns(database, id)).rejects.toMatchObject({
      table: 'turns',
      id: `${id} 1`,
      column: 'observations',
    });
    await database.write((transaction) =>
      transaction.knex('events').insert({ session_id: id, kind: 'ending', payload: '{}', created_at: 'x' }),
    );
    await expect(listEvents(database, id, { limit: 5 })).rejects.toMatchObject({ table: 'events', id: '1' });
  });

  it('count as absent where they are settings', async () => {
    await database.write((transaction) =>
      transaction.knex('settings').insert([
        { key: 'save_transcripts', value: '{' },
        { key: 'save_raw_audio', value: '"yes"' },
        { key: 'relationship_memory_enabled', value: 'true' },
      ]),
    );
    expect(await getSettings(database)).toMatchObject({
      save_transcripts: true,
      save_raw_audio: false,
      relationship_memory_enabled: true,
    });
  });
});
