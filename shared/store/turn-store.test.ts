import { Turn } from '@parley/shared/contracts';
import type { Database } from './database';
import { insertSession } from './session-store';
import type { SessionRow } from './session-row';
import {
  AT,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
  DUPLICATE,
} from '../testing/store/store-fixture';
import { appendTurns, findTurnKey, insertTurnKey, lastSpoken, listTurns, toTurn } from './turn-store';

describeOnEachDatabase('the turn store', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let session: SessionRow;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
    session = await database.write((transaction) => insertSession(transaction, newSession()));
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
    await database.write((transaction) => appendTurns(transaction, session.id, turns));
    expect(await listTurns(database, session.id)).toEqual(turns);
    expect(turns.map((turn) => Turn.parse(toTurn(turn)).index)).toEqual([1, 2, 3]);
  });

  it('answers what was said last, oldest first, without what the model answered', async () => {
    const other = await database.write((transaction) => insertSession(transaction, newSession()));
    await database.write((transaction) => appendTurns(transaction, other.id, [newTurn(1, 'somewhere else')]));
    await database.write((transaction) =>
      appendTurns(transaction, session.id, [
        newTurn(1, 'first'),
        newTurn(2, null),
        newTurn(3, 'third', { raw_output: '{"npc_utterance":"third"}' }),
      ]),
    );
    expect(await lastSpoken(database, session.id, 2)).toEqual([
      { turn_index: 2, role: 'player', text: null },
      { turn_index: 3, role: 'npc', text: 'third' },
    ]);
  });

  it('answers the last turns or a range, oldest first', async () => {
    await database.write((transaction) =>
      appendTurns(
        transaction,
        session.id,
        Array.from({ length: 30 }, (_value, index) => newTurn(index + 1, `turn ${index + 1}`)),
      ),
    );
    const indices = async (range: object) =>
      (await listTurns(database, session.id, range)).map((turn) => turn.turn_index);
    expect(await indices({ last: 3 })).toEqual([28, 29, 30]);
    expect(await indices({ upTo: 5, last: 2 })).toEqual([4, 5]);
    expect(await indices({ from: 29 })).toEqual([29, 30]);
    expect(await indices({ last: 99 })).toHaveLength(30);
  });

  it('stores an index once, and stores nothing of the turns beside it', async () => {
    await database.write((transaction) => appendTurns(transaction, session.id, [newTurn(1, 'first')]));
    await expect(
      database.write((transaction) => appendTurns(transaction, session.id, [newTurn(2, 'x'), newTurn(1, 'again')])),
    ).rejects.toMatchObject({
      code: DUPLICATE,
    });
    expect(await listTurns(database, session.id)).toEqual([newTurn(1, 'first')]);
  });

  it('takes no turns without complaint', async () => {
    await database.write((transaction) => appendTurns(transaction, session.id, []));
    expect(await listTurns(database, session.id)).toEqual([]);
  });

  it('keeps what a key stands for, for its session only', async () => {
    const turnKey = { key: 'k_12345678', text_hash: 'a1b2', turn_index: 2, answer: { events: [1, { x: null }] } };
    await database.write((transaction) => insertTurnKey(transaction, session.id, turnKey, AT));
    const another = await database.write((transaction) => insertSession(transaction, newSession()));
    expect(await findTurnKey(database, session.id, turnKey.key)).toEqual(turnKey);
    expect(await findTurnKey(database, another.id, turnKey.key)).toBeNull();
    await expect(
      database.write((transaction) => insertTurnKey(transaction, session.id, turnKey, AT)),
    ).rejects.toMatchObject({
      code: DUPLICATE,
    });
  });
});
