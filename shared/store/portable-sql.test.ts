import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { newDb } from 'pg-mem';
import { claimJob, finishJob } from './job-store';
import type { Database } from './database';
import type { Transaction } from './dialect';
import { MIGRATIONS } from './migrations';
import { insertSession, findSession, countActiveSessions } from './session-store';
import { AT, newSession, newTurn } from './store-fixture';
import {
  appendEvents,
  eventsOfVariant,
  listEvents,
  reinstateEvents,
  standingEvents,
  supersedeEvents,
} from './event-store';
import { listSessions } from './search-store';
import { listAttempts } from './progress-store';
import { getSettings, patchSettings } from './settings-store';
import { listRecaps, saveRecap } from './recap-store';
import { appendTurns, findTurnKey, insertTurnKey, listTurns } from './turn-store';
import { listAnswers, listAside, replaceAnswer } from './variant-store';

// The imitation asks knex for its PostgreSQL client and then puts itself in the place of the driver.
jest.mock('pg', () => ({}), { virtual: true });

/** The shape of plain queries on a PostgreSQL that is only imitated; transactions, queues and search need a real one. */
describe('the stores on another database system', () => {
  let knex: Knex;
  let store: Transaction;
  beforeEach(async () => {
    knex = newDb().adapters.createKnex() as Knex;
    store = {
      knex,
      dialect: { createFullText: async () => undefined, explain: (error: unknown) => error },
    } as unknown as Transaction;
    for (const migration of MIGRATIONS) await migration.up(store);
  });
  afterEach(() => knex.destroy());

  it('store and answer sessions, turns and events', async () => {
    const session = await insertSession(store, newSession());
    expect(await findSession(store, session.id)).toEqual(session);
    const turns = [
      newTurn(1, 'hello'),
      newTurn(2, 'news', { observations: [{ dimension: 'a', delta: 1, note: null }] }),
    ];
    await appendTurns(store, session.id, turns);
    expect(await listTurns(store, session.id, { last: 2 })).toEqual(turns);
    const payload = { delta: {}, state_vars: {} };
    const stored = await appendEvents(store, session.id, [{ kind: 'state_delta', turn_index: 1, payload }], AT);
    expect((await listEvents(store, session.id, { limit: 5 })).events).toEqual(stored);
    const turnKey = { key: 'abcdefgh', text_hash: 'h', turn_index: 2, answer: { a: 1 } };
    await insertTurnKey(store, session.id, turnKey, AT);
    expect(await findTurnKey(store, session.id, 'abcdefgh')).toEqual(turnKey);
    expect((await listSessions(store, { limit: 5, scenario_id: 'late_delivery' })).rows).toHaveLength(1);
    expect(await countActiveSessions(store, 'late_delivery')).toBe(1);
    expect(await listAttempts(store)).toEqual([]);
  });

  it('put an answer aside, bring it back, and mark what it caused', async () => {
    const { id } = await insertSession(store, newSession({ transcript_saved: false }));
    await appendTurns(store, id, [newTurn(1, null), newTurn(2, null), newTurn(3, null)]);
    const payload = { delta: {}, state_vars: {} };
    await appendEvents(store, id, [{ kind: 'state_delta', turn_index: 3, payload }], AT);
    const [first] = await listAnswers(store, id, 3);
    if (first === undefined) throw new Error('there is an answer');
    const second = { turn: { ...first.turn, emotion: 'warm', variant: 2, variants: 2 }, judgement: null };
    await replaceAnswer(store, { id, ordinal: 1 }, first, second);
    await supersedeEvents(store, id, 3);
    await appendEvents(store, id, [{ kind: 'state_delta', turn_index: 3, payload }], AT, 2);
    expect((await listAnswers(store, id, 3)).map(({ turn, stands }) => [turn.variant, turn.variants, stands])).toEqual([
      [1, 2, false],
      [2, 2, true],
    ]);
    expect((await listAside(store, id, await listTurns(store, id))).map(({ variant }) => variant)).toEqual([1]);
    const caused = await eventsOfVariant(store, id, 3, 1);
    await supersedeEvents(store, id, 3);
    await reinstateEvents(
      store,
      id,
      caused.map((event) => event.id),
    );
    expect((await standingEvents(store, id)).map((event) => event.id)).toEqual(caused.map((event) => event.id));
  });

  it('store and answer settings and recaps', async () => {
    expect(await patchSettings(store, { save_transcripts: false })).toEqual(await getSettings(store));
    const recap = { npc_id: 'n', pack_id: 'p', schema_version: '1', session_count: 1, last_session_at: AT } as const;
    await saveRecap(store, { ...recap, key_observations: [], player_style_tags: [], last_outcome: 'success' }, AT);
    expect(await listRecaps(store)).toMatchObject([recap]);
  });

  it('finish a job that is held', async () => {
    const { id } = await insertSession(store, newSession());
    await knex('jobs').insert({
      kind: 'debrief',
      session_id: id,
      state: 'queued',
      attempts: 0,
      run_after: AT,
      created_at: AT,
    });
    const job = await claimJob(
      { ...store, write: (body: (transaction: Transaction) => unknown) => body(store) } as unknown as Database,
      {
        owner: 'a',
        now: AT,
        lease_until: AT,
        latest: '2027-01-01T00:00:00.000Z',
      },
    );
    expect(job).toMatchObject({ session_id: id, attempts: 1 });
    expect(await finishJob(store, { id: Number(job?.id), owner: 'a' })).toBe(true);
  });

  it('keep what only SQLite understands in the files of its dialect', () => {
    const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/fixture|^sqlite-/.test(name),
    );
    expect(files.length).toBeGreaterThan(15);
    for (const name of files) {
      const code = readFileSync(join(__dirname, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      expect([name, /pragma|sqlite_|fts5|vacuum|\bmatch \?|autoincrement|begin immediate/i.exec(code)?.[0]]).toEqual([
        name,
        undefined,
      ]);
    }
  });
});
