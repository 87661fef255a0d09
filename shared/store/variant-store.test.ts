import type { LineJudgement } from '@parley/shared/contracts';
import type { Database } from './database';
import {
  allEvents,
  appendEvents,
  eventsOfVariant,
  eventsUpToTurn,
  firstEvents,
  reinstateEvents,
  standingEvents,
  supersedeEvents,
} from './event-store';
import { listSessions } from './search-store';
import type { SessionRow } from './session-row';
import { clearConversations } from './clear-conversations';
import { deleteSession, insertSession } from './session-store';
import {
  AT,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';

import { appendTurns, findTurn, indexTurns, listTurns, toTurn } from './turn-store';
import { listAnswers, listAside, replaceAnswer, type AnswerRow } from './variant-store';

const judged = (moves: string[]): LineJudgement => ({
  line: 1,
  turn: 2,
  moves: moves.map((id) => ({ id, by: 'model', spans: [] })),
  flags: [],
  checks: [],
  stuffed: false,
  repeated: false,
  facts: { words: 1, questions_open: 0, questions_closed: 0, hedges: 0, apologies: 0, absolutes: 0, echoes: false },
});

describeOnEachDatabase('answers that are put aside', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  let session: SessionRow;
  beforeAll(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterAll(() => fixture.remove());
  beforeEach(async () => {
    await clearConversations(database);
    session = await database.write((transaction) => insertSession(transaction, newSession()));
    const turns = [
      newTurn(1, 'hello'),
      newTurn(2, 'the news', { judgement: judged(['plain_news']) }),
      newTurn(3, 'walnut', { raw_output: '{"a":1}', observations: [{ dimension: 'a', delta: 1, note: 'n' }] }),
    ];
    await database.write(async (transaction) => {
      await appendTurns(transaction, session.id, turns);
      await indexTurns(transaction, session, turns);
    });
  });

  const answers = (turn = 3) => listAnswers(database, session.id, turn);
  const standing = async (): Promise<AnswerRow> => {
    const found = (await answers()).find(({ stands }) => stands);
    if (found === undefined) throw new Error('one answer stands');
    return found;
  };
  const replace = async (after: AnswerRow): Promise<void> => {
    const before = await standing();
    await database.write((transaction) => replaceAnswer(transaction, session, before, after));
  };
  const another = (variant: number, text: string | null): AnswerRow => ({
    turn: newTurn(3, text, { emotion: 'warm', variant, variants: variant, used_fallback: true }),
    judgement: judged(['asks_need']),
  });
  const found = async (q: string): Promise<number> => (await listSessions(database, { q, limit: 5 })).rows.length;

  it('keep everything of the answer, and the one that stands is the turn of the transcript', async () => {
    const first = await standing();
    expect(await answers()).toEqual([{ ...first, stands: true }]);
    await replace(another(2, 'cherry'));
    const second = { ...another(2, 'cherry'), stands: true };
    expect(await answers()).toEqual([{ ...first, turn: { ...first.turn, variants: 2 }, stands: false }, second]);
    const turns = await listTurns(database, session.id);
    expect(turns[2]).toEqual(second.turn);
    expect(turns[1]?.judgement).toEqual(judged(['asks_need']));
    expect(turns.map(toTurn).map(({ variant, variants }) => [variant, variants])).toEqual([
      [1, 1],
      [undefined, undefined],
      [2, 2],
    ]);
    expect((await listAside(database, session.id, turns)).map(({ text }) => text)).toEqual(['walnut']);
  });

  it('come back whole, with what they made of the line before them', async () => {
    const first = await standing();
    await replace(another(2, 'cherry'));
    await replace(another(3, 'oak'));
    const [again] = await answers();
    if (again === undefined) throw new Error('the first answer is there');
    await replace(again);
    const whole = { ...first.turn, variants: 3 };
    expect(await findTurn(database, session.id, 3)).toEqual(whole);
    expect((await findTurn(database, session.id, 2))?.judgement).toEqual(judged(['plain_news']));
    expect((await answers()).map(({ turn, stands }) => [turn.text, stands])).toEqual([
      ['walnut', true],
      ['cherry', false],
      ['oak', false],
    ]);
  });

  it('are found by the search only while they stand', async () => {
    await replace(another(2, 'cherry'));
    expect([await found('walnut'), await found('cherry'), await found('news')]).toEqual([0, 1, 1]);
    const [first] = await answers();
    if (first === undefined) throw new Error('the first answer is there');
    await replace(first);
    expect([await found('walnut'), await found('cherry')]).toEqual([1, 0]);
  });

  it('are no answers where the player speaks, or nobody', async () => {
    expect([await answers(2), await answers(4), await answers(99)]).toEqual([[], [], []]);
    expect((await answers(1)).map(({ turn, judgement }) => [turn.text, judgement])).toEqual([['hello', null]]);
  });

  it('go with their session, and with all of them', async () => {
    const count = async (): Promise<number> => (await database.knex('turn_variants').select('turn_index')).length;
    await replace(another(2, 'cherry'));
    expect(await count()).toBe(1);
    await database.write((transaction) => deleteSession(transaction, session.id));
    expect(await count()).toBe(0);
    session = await database.write((transaction) => insertSession(transaction, newSession()));
    await database.write((transaction) =>
      appendTurns(transaction, session.id, [newTurn(1, null), newTurn(2, null), newTurn(3, null)]),
    );
    await replace(another(2, null));
    expect(await count()).toBe(1);
    await clearConversations(database);
    expect(await count()).toBe(0);
  });

  it('leave their events in the list, marked, and in nothing that tells how the talk stands', async () => {
    const delta = (turn: number, trust: number) =>
      ({ kind: 'state_delta', turn_index: turn, payload: { delta: { trust }, state_vars: { trust } } }) as const;
    const [opening] = await database.write((transaction) => appendEvents(transaction, session.id, [delta(1, 1)], AT));
    const [first] = await database.write((transaction) => appendEvents(transaction, session.id, [delta(3, 2)], AT));
    await database.write((transaction) => supersedeEvents(transaction, session.id, 3));
    const [second] = await database.write((transaction) => appendEvents(transaction, session.id, [delta(3, 3)], AT, 2));
    const aside = { ...first, superseded: true };
    expect(await allEvents(database, session.id)).toEqual([opening, aside, second]);
    expect(await standingEvents(database, session.id)).toEqual([opening, second]);
    expect(await firstEvents(database, session.id)).toEqual([opening, second]);
    expect(await firstEvents(database, session.id, 1)).toEqual([opening]);
    expect(await eventsUpToTurn(database, session.id, 3)).toEqual([opening, second]);
    expect(await eventsOfVariant(database, session.id, 3, 1)).toEqual([aside]);
    await database.write((transaction) => supersedeEvents(transaction, session.id, 3));
    await database.write((transaction) => reinstateEvents(transaction, session.id, [Number(first?.id)]));
    expect(await standingEvents(database, session.id)).toEqual([opening, first]);
  });
});
