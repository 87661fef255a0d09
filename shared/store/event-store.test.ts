import { StoredEvent, type NewStoredEvent } from '@parley/shared/contracts';
import type { Database } from './database';
import { allEvents, appendEvents, firstEvents, listEvents } from './event-store';
import { insertSession } from './session-store';
import type { SessionRow } from './session-row';
import {
  AT,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';
import { appendTurns, indexTurns, listTurns } from './turn-store';

const delta = (turn_index: number): NewStoredEvent => ({
  kind: 'state_delta',
  turn_index,
  payload: { delta: { trust: turn_index }, state_vars: { trust: 50 + turn_index } },
});

describeOnEachDatabase('the event store', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let session: SessionRow;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
    session = await database.write((transaction) => insertSession(transaction, newSession()));
  });
  afterEach(() => fixture.remove());

  it('answers the events of a turn as stored, in the order given, with growing ids', async () => {
    const turn: NewStoredEvent[] = [
      {
        kind: 'npc_turn',
        turn_index: 3,
        payload: { emotion: 'hurt', state_delta: {}, event_flags: [], used_fallback: false },
      },
      delta(3),
      { kind: 'scenario_event', turn_index: 3, payload: { flags: ['walks_out'], narration: null } },
      {
        kind: 'ending',
        turn_index: null,
        payload: { state: 'Ended', state_vars: {}, ending_type: 'failure', ending_id: null },
      },
    ];
    const stored = await database.write((transaction) => appendEvents(transaction, session.id, turn, AT));
    expect(stored.map((event) => StoredEvent.parse(event).kind)).toEqual([
      'npc_turn',
      'state_delta',
      'scenario_event',
      'ending',
    ]);
    expect(stored.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(await allEvents(database, session.id)).toEqual(stored);
    expect(await database.write((transaction) => appendEvents(transaction, session.id, [], AT))).toEqual([]);
  });

  it('pages oldest first and caps a replay at the first fifty', async () => {
    const other = await database.write((transaction) => insertSession(transaction, newSession()));
    for (let index = 1; index <= 60; index += 1) {
      await database.write((transaction) => appendEvents(transaction, session.id, [delta(index)], AT));
      await database.write((transaction) => appendEvents(transaction, other.id, [delta(index)], AT));
    }
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEvents(database, session.id, { limit: 25, cursor });
      seen.push(...page.events.map((event) => Number(event.turn_index)));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 60 }, (_value, index) => index + 1));
    expect((await firstEvents(database, session.id)).map((event) => event.turn_index)).toEqual(seen.slice(0, 50));
    await expect(listEvents(database, session.id, { limit: 5, cursor: 'nonsense' })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('takes thousands of events and turns at once, as a copy of a long session does', async () => {
    const many = Array.from({ length: 5000 }, (_value, index) => delta(index + 1));
    const stored = await database.write((transaction) => appendEvents(transaction, session.id, many, AT));
    expect(stored.map(({ turn_index }) => turn_index)).toEqual(many.map(({ turn_index }) => turn_index));
    expect(await allEvents(database, session.id)).toEqual(stored);
    const turns = many.map((_event, index) => newTurn(index + 1, `turn ${index}`));
    await database.write((transaction) => appendTurns(transaction, session.id, turns));
    await database.write((transaction) => indexTurns(transaction, session, turns));
    expect(await listTurns(database, session.id)).toEqual(turns);
  });

  it('never gives an id twice, also after everything was deleted', async () => {
    await database.write((transaction) => appendEvents(transaction, session.id, [delta(1), delta(2)], AT));
    await database.knex('events').delete();
    expect(
      (await database.write((transaction) => appendEvents(transaction, session.id, [delta(3)], AT))).map(
        ({ id }) => id,
      ),
    ).toEqual([3]);
  });
});
