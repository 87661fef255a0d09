import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { newDb } from 'pg-mem';
import { claimJob, finishJob } from './job-store';
import { MIGRATIONS } from './migrations';
import { insertSession, findSession, countActiveSessions } from './session-store';
import { AT, newSession, newTurn } from './store-fixture';
import {
  appendEvents, eventsOfVariant, listEvents, reinstateEvents, standingEvents, supersedeEvents,
} from './event-store'; // prettier-ignore
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
  beforeEach(async () => {
    knex = newDb().adapters.createKnex() as Knex;
    knex.userParams = { dialect: { createFullText: async () => undefined } };
    for (const migration of MIGRATIONS) await migration.up(knex);
  });
  afterEach(() => knex.destroy());

  it('store and answer sessions, turns and events', async () => {
    const session = await insertSession(knex, newSession());
    expect(await findSession(knex, session.id)).toEqual(session);
    const turns = [
      newTurn(1, 'hello'),
      newTurn(2, 'news', { observations: [{ dimension: 'a', delta: 1, note: null }] }),
    ];
    await appendTurns(knex, session.id, turns);
    expect(await listTurns(knex, session.id, { last: 2 })).toEqual(turns);
    const payload = { delta: {}, state_vars: {} };
    const stored = await appendEvents(knex, session.id, [{ kind: 'state_delta', turn_index: 1, payload }], AT);
    expect((await listEvents(knex, session.id, { limit: 5 })).events).toEqual(stored);
    const turnKey = { key: 'abcdefgh', text_hash: 'h', turn_index: 2, answer: { a: 1 } };
    await insertTurnKey(knex, session.id, turnKey, AT);
    expect(await findTurnKey(knex, session.id, 'abcdefgh')).toEqual(turnKey);
    expect((await listSessions(knex, { limit: 5, scenario_id: 'late_delivery' })).rows).toHaveLength(1);
    expect(await countActiveSessions(knex, 'late_delivery')).toBe(1);
    expect(await listAttempts(knex)).toEqual([]);
  });

  it('put an answer aside, bring it back, and mark what it caused', async () => {
    const { id } = await insertSession(knex, newSession({ transcript_saved: false }));
    await appendTurns(knex, id, [newTurn(1, null), newTurn(2, null), newTurn(3, null)]);
    const payload = { delta: {}, state_vars: {} };
    await appendEvents(knex, id, [{ kind: 'state_delta', turn_index: 3, payload }], AT);
    const [first] = await listAnswers(knex, id, 3);
    if (first === undefined) throw new Error('there is an answer');
    const second = { turn: { ...first.turn, emotion: 'warm', variant: 2, variants: 2 }, judgement: null };
    await replaceAnswer(knex, { id, ordinal: 1 }, first, second);
    await supersedeEvents(knex, id, 3);
    await appendEvents(knex, id, [{ kind: 'state_delta', turn_index: 3, payload }], AT, 2);
    expect((await listAnswers(knex, id, 3)).map(({ turn, stands }) => [turn.variant, turn.variants, stands])).toEqual([
      [1, 2, false],
      [2, 2, true],
    ]);
    expect((await listAside(knex, id, await listTurns(knex, id))).map(({ variant }) => variant)).toEqual([1]);
    const caused = await eventsOfVariant(knex, id, 3, 1);
    await supersedeEvents(knex, id, 3);
    await reinstateEvents(
      knex,
      id,
      caused.map((event) => event.id),
    );
    expect((await standingEvents(knex, id)).map((event) => event.id)).toEqual(caused.map((event) => event.id));
  });

  it('store and answer settings and recaps', async () => {
    expect(await patchSettings(knex, { save_transcripts: false })).toEqual(await getSettings(knex));
    const recap = { npc_id: 'n', pack_id: 'p', schema_version: '1', session_count: 1, last_session_at: AT } as const;
    await saveRecap(knex, { ...recap, key_observations: [], player_style_tags: [], last_outcome: 'success' }, AT);
    expect(await listRecaps(knex)).toMatchObject([recap]);
  });

  it('finish a job that is held', async () => {
    const { id } = await insertSession(knex, newSession());
    await knex('jobs').insert({
      kind: 'debrief',
      session_id: id,
      state: 'queued',
      attempts: 0,
      run_after: AT,
      created_at: AT,
    });
    const job = await claimJob(knex, { owner: 'a', now: AT, lease_until: AT, latest: '2027-01-01T00:00:00.000Z' });
    expect(job).toMatchObject({ session_id: id, attempts: 1 });
    expect(await finishJob(knex, { id: Number(job?.id), owner: 'a' })).toBe(true);
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
