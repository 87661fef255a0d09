import type { Database } from './database';
import { listSessions } from './search-store';
import { insertSession } from './session-store';

import {
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';
import { appendTurns, indexTurns } from './turn-store';
import type { NewSession } from './session-row';

describeOnEachDatabase('listing and searching sessions', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  async function play(texts: string[], overrides: Partial<NewSession> = {}): Promise<string> {
    const session = await database.write((transaction) => insertSession(transaction, newSession(overrides)));
    const turns = texts.map((text, index) => newTurn(index + 1, text));
    await database.write((transaction) => appendTurns(transaction, session.id, turns));
    await database.write((transaction) => indexTurns(transaction, session, turns));
    return session.id;
  }

  async function allPages(query: { q?: string; scenario_id?: string }, limit: number): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSessions(database, { ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      ids.push(...page.rows.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return ids;
  }

  it('pages newest first, each session once, also when the clock went back', async () => {
    const made: string[] = [];
    for (let hour = 9; hour > 0; hour -= 1) {
      made.push(await play([], { created_at: `2026-03-04T0${hour}:00:00.000Z` }));
    }
    expect(await allPages({}, 4)).toEqual([...made].reverse());
    expect(await allPages({}, 9)).toEqual([...made].reverse());
  });

  it('filters by scenario and state', async () => {
    const a = await play([], { scenario_id: 'a', flow_state: 'Ended' });
    await play([], { scenario_id: 'a' });
    await play([], { scenario_id: 'b', flow_state: 'Ended' });
    const page = await listSessions(database, { scenario_id: 'a', flow_state: 'Ended', limit: 20 });
    expect(page.rows.map(({ id }) => id)).toEqual([a]);
    expect(page.next_cursor).toBeNull();
    expect((await listSessions(database, { flow_state: 'Ended', limit: 20 })).rows).toHaveLength(2);
  });

  it('finds sessions with a turn that holds all words, newest first, once each, with a snippet', async () => {
    const first = await play(['The part is late', 'I am sorry that the part is late']);
    await play(['The part', 'is on time']);
    const last = await play(['Déjà vu: LATE again, your part']);
    const { rows } = await listSessions(database, { q: 'late part', limit: 20 });
    expect(rows.map(({ id }) => id)).toEqual([last, first]);
    expect(rows.map(({ snippet }) => snippet)).toEqual([
      'Déjà vu: LATE again, your part',
      'I am sorry that the part is late',
    ]);
    expect((await listSessions(database, { q: 'deja', limit: 20 })).rows).toHaveLength(1);
  });

  it.each([
    ['我今天真的不知道该怎么办。', '不知道', '道知'],
    ['それは無理ですと言いました', '無理です', '無理言'],
    ['ผมไม่รู้จะทำยังไงดี', 'ไม่รู้', 'รู้ไม่'],
    ['मेरी स्थिति खराब है', 'स्थिति', 'थति'],
    ['أنا لا أعرف ماذا أفعل', 'أعرف', 'عرفت'],
  ])('finds a part of %s, in its letters as they were said', async (said, part, other) => {
    const id = await play([said]);
    const { rows } = await listSessions(database, { q: part, limit: 20 });
    expect(rows.map((row) => [row.id, row.snippet])).toEqual([[id, said]]);
    expect((await listSessions(database, { q: other, limit: 20 })).rows).toEqual([]);
  });

  it('pages through hits, with a filter too', async () => {
    const made: string[] = [];
    for (let i = 0; i < 25; i += 1)
      made.push(await play([`hello number ${i}`], { scenario_id: i % 5 === 0 ? 'rare' : 'usual' }));
    expect(await allPages({ q: 'hello' }, 4)).toEqual([...made].reverse());
    expect(await allPages({ q: 'hello', scenario_id: 'rare' }, 2)).toEqual(
      made.filter((_id, index) => index % 5 === 0).reverse(),
    );
  });

  it('ends a page early when what fits and what is said hardly ever meet, and goes on from its cursor', async () => {
    const only = await play(['hello there'], { scenario_id: 'usual' });
    await database.write(async (transaction) => {
      for (let i = 0; i < 1100; i += 1) {
        await insertSession(transaction, newSession({ scenario_id: 'usual' }));
        const other = await insertSession(transaction, newSession({ scenario_id: 'other' }));
        await indexTurns(transaction, other, [newTurn(1, 'hello')]);
      }
    });
    const first = await listSessions(database, { q: 'hello', scenario_id: 'usual', limit: 20 });
    expect(first.rows).toEqual([]);
    expect(first.next_cursor).not.toBeNull();
    expect(await allPages({ q: 'hello', scenario_id: 'usual' }, 20)).toEqual([only]);
  });

  it.each([
    ['quotes', 'say "late'],
    ['operators', 'late AND OR NOT NEAR('],
    ['a column filter', 'text: late'],
    ['stars and carets', '^late*'],
    ['brackets', '(late'],
    ['minus and plus', '-late + late'],
    ['a NUL', 'late\0late"'],
    ['punctuation alone', '?! " \' *'],
    ['an emoji', '🙂'],
    ['a thousand words', Array.from({ length: 1000 }, (_value, index) => `w${index}`).join(' ')],
    ['one long word', 'x'.repeat(2000)],
  ])('takes %s as plain words', async (_name, q) => {
    await play(['We are late']);
    await expect(listSessions(database, { q, limit: 20 })).resolves.toMatchObject({ next_cursor: null });
  });

  it('lists everything for a blank search, and nothing for words that nobody said', async () => {
    await play(['We are late']);
    expect((await listSessions(database, { q: '  ', limit: 20 })).rows).toHaveLength(1);
    expect((await listSessions(database, { q: 'marmalade', limit: 20 })).rows).toEqual([]);
    expect((await listSessions(database, { q: '"*"', limit: 20 })).rows).toEqual([]);
  });

  it('does not index turns without text', async () => {
    const session = await database.write((transaction) =>
      insertSession(transaction, newSession({ transcript_saved: false })),
    );
    await database.write((transaction) => indexTurns(transaction, session, [newTurn(1, null), newTurn(2, null)]));
    expect(await database.knex('turn_search').count({ count: '*' })).toEqual([{ count: 0 }]);
  });

  it.each(['p', 'cDA', 'cC0x', '____', 'cDEuNQ', Buffer.from('p01').toString('base64url')])(
    'refuses the cursor %s, which no page answered',
    async (cursor) => {
      await expect(listSessions(database, { limit: 5, cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: 'cursor' }] },
      });
    },
  );
});
