import { Turn } from '@parley/shared/contracts';
import type { Database } from './database';
import { insertSession } from './session-store';
import type { SessionRow } from './session-row';
import { AT, newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from './store-fixture';
import { appendTurns, findTurnKey, insertTurnKey, lastSpoken, listTurns, toTurn } from './turn-store';

describe('the turn store', () => {
  let fixture: StoreFixture;
  let database: Database;
  let session: SessionRow;
  beforeEach(async () => {
    fixture = storeFixture();
    database = await openMigrated(fixture);
    session = await insertSession(database.knex, newSession());
  });
  afterEach(() => fixture.remove());

  it('answers turns as they were stored', async () => {
    const turns = [
      newTurn(1, 'You said you had news.'),
      newTurn(2, 'It\'s \u{1F641} late: "two weeks"'),
      newTurn(3, null, {
        used_fallback: true,
        raw_output: '{"npc_utterance":"x"}',
        observations: [{ dimension: 'clarity', delta: -3, note: null }],
      }),
    ];
    await appendTurns(database.knex, session.id, turns);
    expect(await listTurns(database.knex, session.id)).toEqual(turns);
    expect(turns.map((turn) => Turn.parse(toTurn(turn)).index)).toEqual([1, 2, 3]);
  });

  it('answers what was said last, oldest first, without what the model answered', async () => {
    const other = await insertSession(database.knex, newSession());
    await appendTurns(database.knex, other.id, [newTurn(1, 'somewhere else')]);
    await appendTurns(database.knex, session.id, [
      newTurn(1, 'first'),
      newTurn(2, null),
      newTurn(3, 'third', { raw_output: '{"npc_utterance":"third"}' }),
    ]);
    expect(await lastSpoken(database.knex, session.id, 2)).toEqual([
      { turn_index: 2, role: 'player', text: null },
      { turn_index: 3, role: 'npc', text: 'third' },
    ]);
  });

  it('answers the last turns or a range, oldest first', async () => {
    await appendTurns(
      database.knex,
      session.id,
      Array.from({ length: 30 }, (_value, index) => newTurn(index + 1, `turn ${index + 1}`)),
    );
    const indices = async (range: object) =>
      (await listTurns(database.knex, session.id, range)).map((turn) => turn.turn_index);
    expect(await indices({ last: 3 })).toEqual([28, 29, 30]);
    expect(await indices({ upTo: 5, last: 2 })).toEqual([4, 5]);
    expect(await indices({ from: 29 })).toEqual([29, 30]);
    expect(await indices({ last: 99 })).toHaveLength(30);
  });

  it('stores an index once, and stores nothing of the turns beside it', async () => {
    await appendTurns(database.knex, session.id, [newTurn(1, 'first')]);
    await expect(appendTurns(database.knex, session.id, [newTurn(2, 'x'), newTurn(1, 'again')])).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    });
    expect(await listTurns(database.knex, session.id)).toEqual([newTurn(1, 'first')]);
  });

  it('takes no turns without complaint', async () => {
    await appendTurns(database.knex, session.id, []);
    expect(await listTurns(database.knex, session.id)).toEqual([]);
  });

  it('keeps what a key stands for, for its session only', async () => {
    const turnKey = { key: 'k_12345678', text_hash: 'a1b2', turn_index: 2, answer: { events: [1, { x: null }] } };
    await insertTurnKey(database.knex, session.id, turnKey, AT);
    const another = await insertSession(database.knex, newSession());
    expect(await findTurnKey(database.knex, session.id, turnKey.key)).toEqual(turnKey);
    expect(await findTurnKey(database.knex, another.id, turnKey.key)).toBeNull();
    await expect(insertTurnKey(database.knex, session.id, turnKey, AT)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    });
  });
});
