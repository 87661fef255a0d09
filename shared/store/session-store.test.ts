import type { FlowState } from '@parley/shared/contracts';
import { Session } from '@parley/shared/contracts';
import type { Database } from './database';
import { findDebrief } from './debrief-store';
import { appendEvents, allEvents } from './event-store';
import { enqueueDebrief, queueDepth } from './job-store';
import { listSessions } from './search-store';
import { toSession } from './session-row';
import { clearConversations } from './clear-conversations';
import * as sessions from './session-store';
import { AT, newSession, newTurn, openMigrated, storeFixture, type StoreFixture } from './store-fixture';
import { appendTurns, findTurnKey, indexTurns, insertTurnKey, listTurns } from './turn-store';

describe('the session store', () => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = storeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  it('answers a session as it was stored', async () => {
    const values = newSession({ flags: ['b', 'a'], engine_state: { deep: [1, { x: null }] }, transcript_saved: false });
    const inserted = await sessions.insertSession(database.knex, values);
    expect(inserted).toEqual({
      ...values,
      ordinal: 1,
      version: 1,
      seq_reserved: 0,
      overall_score: null,
      self_ratings: null,
    });
    expect(await sessions.findSession(database.knex, values.id)).toEqual(inserted);
    expect(await sessions.findSession(database.knex, 'no-such-session-at-all')).toBeNull();
  });

  it('answers a session that fits the contract, with where a fork left its original', async () => {
    const original = await sessions.insertSession(database.knex, newSession());
    const fork = await sessions.insertSession(
      database.knex,
      newSession({ forked_from_session: original.id, forked_from_turn: 3, attempt: 'retry' }),
    );
    expect(Session.parse(toSession(original, 'Ask what she needs.'))).toMatchObject({
      forked_from: null,
      hint: 'Ask what she needs.',
    });
    expect(Session.parse(toSession(fork, null)).forked_from).toEqual({ session_id: original.id, turn: 3 });
  });

  it('saves only for the writer that read the current version', async () => {
    const session = await sessions.insertSession(database.knex, newSession());
    const ended = { ...session, flow_state: 'Ended' as const, ending_type: 'success' as const, ended_at: AT };
    expect(await sessions.saveSession(database.knex, ended, session)).toBe(true);
    expect(await sessions.saveSession(database.knex, { ...session, turn_count: 9 }, session)).toBe(false);
    expect(await sessions.findSession(database.knex, session.id)).toEqual({ ...ended, version: 2 });
    expect(await sessions.saveSession(database.knex, { ...session, id: 'gone' }, session)).toBe(false);
  });

  it('never lets reserved message numbers go down', async () => {
    const session = await sessions.insertSession(database.knex, newSession());
    expect(await sessions.reserveSequence(database.knex, session.id, 200)).toBe(true);
    expect(await sessions.reserveSequence(database.knex, session.id, 150)).toBe(false);
    await sessions.saveSession(database.knex, { ...session, seq_reserved: 100 }, session);
    expect((await sessions.findSession(database.knex, session.id))?.seq_reserved).toBe(200);
    await sessions.saveSession(database.knex, { ...session, seq_reserved: 300 }, { ...session, version: 2 });
    expect((await sessions.findSession(database.knex, session.id))?.seq_reserved).toBe(300);
  });

  it('counts the sessions of a pack that are still to be played', async () => {
    const states: FlowState[] = ['NotStarted', 'PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady'];
    for (const flow_state of states) await sessions.insertSession(database.knex, newSession({ flow_state }));
    await sessions.insertSession(database.knex, newSession({ pack_id: 'another' }));
    expect(await sessions.countActiveSessions(database.knex, 'late_delivery')).toBe(2);
    expect(await sessions.countActiveSessions(database.knex, 'unknown')).toBe(0);
  });

  it('knows with which versions of a pack any session began, ended or not', async () => {
    const began = [
      { scenario_version: 2 },
      { scenario_version: 2, flow_state: 'DebriefReady' },
      { scenario_version: 1, flow_state: 'Ended' },
      { scenario_id: 'late_delivery.other' },
      { pack_id: 'another', scenario_id: 'another' },
    ] as const;
    for (const session of began) await sessions.insertSession(database.knex, newSession(session));
    const versions = await sessions.listPackVersions(database.knex, 'late_delivery');
    expect(versions.map((one) => `${one.scenario_id}@${one.version}`).sort()).toEqual([
      'late_delivery.other@1',
      'late_delivery@1',
      'late_delivery@2',
    ]);
    expect(await sessions.listPackVersions(database.knex, 'unknown')).toEqual([]);
  });

  it('knows whether a scenario was finished before at this difficulty', async () => {
    const of = { scenario_id: 'late_delivery', difficulty: 'standard' as const };
    const finished = (except?: string) => sessions.hasFinishedSession(database.knex, of, except);
    await sessions.insertSession(database.knex, newSession());
    const left = newSession({ flow_state: 'Ended', ending_type: 'player_exit', player_turn_count: 2 });
    await sessions.insertSession(database.knex, left);
    await sessions.insertSession(database.knex, {
      ...newSession({ ...left }),
      id: 'other',
      difficulty: 'hard',
      player_turn_count: 3,
    });
    expect(await finished()).toBe(false);
    const played = await sessions.insertSession(database.knex, { ...left, id: 'third', player_turn_count: 3 });
    expect(await finished()).toBe(true);
    expect(await finished(played.id)).toBe(false);
    await sessions.insertSession(database.knex, {
      ...left,
      id: 'fourth',
      ending_type: 'failure',
      player_turn_count: 1,
    });
    expect(await finished(played.id)).toBe(true);
  });

  it('moves to DebriefReady only from DebriefGenerating', async () => {
    const playing = await sessions.insertSession(database.knex, newSession());
    const generating = await sessions.insertSession(database.knex, newSession({ flow_state: 'DebriefGenerating' }));
    expect(await sessions.markDebriefReady(database.knex, playing.id, 61)).toBe(false);
    expect(await sessions.markDebriefReady(database.knex, generating.id, 61)).toBe(true);
    expect(await sessions.markDebriefReady(database.knex, generating.id, 62)).toBe(false);
    expect(await sessions.findSession(database.knex, generating.id)).toMatchObject({
      flow_state: 'DebriefReady',
      overall_score: 61,
      version: 2,
    });
  });

  it('deletes everything that belongs to a session, and nothing of another', async () => {
    const [gone, stays] = [
      await sessions.insertSession(database.knex, newSession({ self_ratings: null } as never)),
      await sessions.insertSession(database.knex, newSession()),
    ];
    for (const session of [gone, stays]) {
      const turns = [newTurn(1, 'You said you had news.'), newTurn(2, 'It comes two weeks late.')];
      await appendTurns(database.knex, session.id, turns);
      await indexTurns(database.knex, session, turns);
      await appendEvents(
        database.knex,
        session.id,
        [{ kind: 'state_delta', turn_index: 1, payload: { delta: {}, state_vars: {} } }],
        AT,
      );
      await insertTurnKey(
        database.knex,
        session.id,
        { key: 'abcdefgh', text_hash: 'h', turn_index: 2, answer: {} },
        AT,
      );
      await enqueueDebrief(database.knex, session.id, AT);
      await database
        .knex('debriefs')
        .insert({ session_id: session.id, document: '{}', overall_score: 50, dimensions: '[]', created_at: AT });
    }
    expect(await sessions.deleteSession(database.knex, gone.id)).toBe(true);
    expect(await sessions.deleteSession(database.knex, gone.id)).toBe(false);
    expect(await sessions.findSession(database.knex, gone.id)).toBeNull();
    expect(await listTurns(database.knex, gone.id)).toEqual([]);
    expect(await allEvents(database.knex, gone.id)).toEqual([]);
    expect(await findTurnKey(database.knex, gone.id, 'abcdefgh')).toBeNull();
    expect(await findDebrief(database.knex, gone.id)).toBeNull();
    expect(await queueDepth(database.knex)).toBe(1);
    expect((await listSessions(database.knex, { q: 'weeks late', limit: 5 })).rows.map(({ id }) => id)).toEqual([
      stays.id,
    ]);
    expect(await listTurns(database.knex, stays.id)).toHaveLength(2);
    expect(await allEvents(database.knex, stays.id)).toHaveLength(1);
  });

  it('clears all conversations and says how many rows went; settings stay', async () => {
    await database.knex('settings').insert({ key: 'save_transcripts', value: 'false' });
    for (let i = 0; i < 3; i += 1) {
      const session = await sessions.insertSession(database.knex, newSession());
      const turns = [newTurn(1, 'hello there')];
      await appendTurns(database.knex, session.id, turns);
      await indexTurns(database.knex, session, turns);
      await enqueueDebrief(database.knex, session.id, AT);
    }
    await database.knex('recaps').insert({ npc_id: 'ines', pack_id: 'p', document: '{}', updated_at: AT });
    expect(await clearConversations(database)).toEqual({
      sessions: 3,
      turns: 3,
      events: 0,
      debriefs: 0,
      recaps: 1,
    });
    expect((await listSessions(database.knex, { q: 'hello', limit: 5 })).rows).toEqual([]);
    expect(await queueDepth(database.knex)).toBe(0);
    expect(await database.knex('settings').select('key')).toHaveLength(1);
    const next = await sessions.insertSession(database.knex, newSession());
    await indexTurns(database.knex, next, [newTurn(1, 'hello again')]);
    expect((await listSessions(database.knex, { q: 'hello', limit: 5 })).rows.map(({ id }) => id)).toEqual([next.id]);
  });

  it('refuses rows of a session that does not exist', async () => {
    const refused = { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' };
    await expect(appendTurns(database.knex, 'nobody', [newTurn(1, 'x')])).rejects.toMatchObject(refused);
    await expect(enqueueDebrief(database.knex, 'nobody', AT)).rejects.toMatchObject(refused);
  });
});
