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
import {
  AT,
  newSession,
  newTurn,
  openMigrated,
  type StoreFixture,
  describeOnEachDatabase,
} from '../testing/store/store-fixture';
import { appendTurns, findTurnKey, indexTurns, insertTurnKey, listTurns } from './turn-store';

describeOnEachDatabase('the session store', (makeFixture) => {
  let fixture: StoreFixture;
  let database: Database;
  beforeEach(async () => {
    fixture = await makeFixture();
    database = await openMigrated(fixture);
  });
  afterEach(() => fixture.remove());

  it('answers a session as it was stored', async () => {
    const values = newSession({ flags: ['b', 'a'], engine_state: { deep: [1, { x: null }] }, transcript_saved: false });
    const inserted = await database.write((transaction) => sessions.insertSession(transaction, values));
    expect(inserted).toEqual({
      ...values,
      ordinal: 1,
      version: 1,
      seq_reserved: 0,
      overall_score: null,
      self_ratings: null,
    });
    expect(await sessions.findSession(database, values.id)).toEqual(inserted);
    expect(await sessions.findSession(database, 'no-such-session-at-all')).toBeNull();
  });

  it('answers a session that fits the contract, with where a fork left its original', async () => {
    const original = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    const fork = await database.write((transaction) =>
      sessions.insertSession(
        transaction,
        newSession({ forked_from_session: original.id, forked_from_turn: 3, attempt: 'retry' }),
      ),
    );
    expect(Session.parse(toSession(original, 'Ask what she needs.'))).toMatchObject({
      forked_from: null,
      hint: 'Ask what she needs.',
    });
    expect(Session.parse(toSession(fork, null)).forked_from).toEqual({ session_id: original.id, turn: 3 });
  });

  it('saves only for the writer that read the current version', async () => {
    const session = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    const ended = { ...session, flow_state: 'Ended' as const, ending_type: 'success' as const, ended_at: AT };
    expect(await database.write((transaction) => sessions.saveSession(transaction, ended, session))).toBe(true);
    expect(
      await database.write((transaction) => sessions.saveSession(transaction, { ...session, turn_count: 9 }, session)),
    ).toBe(false);
    expect(await sessions.findSession(database, session.id)).toEqual({ ...ended, version: 2 });
    expect(
      await database.write((transaction) => sessions.saveSession(transaction, { ...session, id: 'gone' }, session)),
    ).toBe(false);
  });

  it('never lets reserved message numbers go down', async () => {
    const session = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    expect(await database.write((transaction) => sessions.reserveSequence(transaction, session.id, 200))).toBe(true);
    expect(await database.write((transaction) => sessions.reserveSequence(transaction, session.id, 150))).toBe(false);
    await database.write((transaction) =>
      sessions.saveSession(transaction, { ...session, seq_reserved: 100 }, session),
    );
    expect((await sessions.findSession(database, session.id))?.seq_reserved).toBe(200);
    await database.write((transaction) =>
      sessions.saveSession(transaction, { ...session, seq_reserved: 300 }, { ...session, version: 2 }),
    );
    expect((await sessions.findSession(database, session.id))?.seq_reserved).toBe(300);
  });

  it('counts the sessions of a pack that are still to be played', async () => {
    const states: FlowState[] = ['NotStarted', 'PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady'];
    for (const flow_state of states)
      await database.write((transaction) => sessions.insertSession(transaction, newSession({ flow_state })));
    await database.write((transaction) => sessions.insertSession(transaction, newSession({ pack_id: 'another' })));
    expect(await sessions.countActiveSessions(database, 'late_delivery')).toBe(2);
    expect(await sessions.countActiveSessions(database, 'unknown')).toBe(0);
  });

  it('lists the sessions whose debrief is being made, all or those among given ones', async () => {
    const ids: string[] = [];
    for (const flow_state of ['DebriefGenerating', 'DebriefReady', 'DebriefGenerating'] as const) {
      const { id } = await database.write((transaction) =>
        sessions.insertSession(transaction, newSession({ flow_state })),
      );
      ids.push(id);
    }
    const [first = '', ready = '', last = ''] = ids;
    expect((await sessions.sessionsInDebrief(database)).sort()).toEqual([first, last].sort());
    expect(await sessions.sessionsInDebrief(database, [ready, last])).toEqual([last]);
    expect(await sessions.sessionsInDebrief(database, [])).toEqual([]);
  });

  it('knows with which versions of a pack any session began, ended or not', async () => {
    const began = [
      { scenario_version: 2 },
      { scenario_version: 2, flow_state: 'DebriefReady' },
      { scenario_version: 1, flow_state: 'Ended' },
      { scenario_id: 'late_delivery.other' },
      { pack_id: 'another', scenario_id: 'another' },
    ] as const;
    for (const session of began)
      await database.write((transaction) => sessions.insertSession(transaction, newSession(session)));
    const versions = await sessions.listPackVersions(database, 'late_delivery');
    expect(versions.map((one) => `${one.scenario_id}@${one.version}`).sort()).toEqual([
      'late_delivery.other@1',
      'late_delivery@1',
      'late_delivery@2',
    ]);
    expect(await sessions.listPackVersions(database, 'unknown')).toEqual([]);
  });

  it('knows whether a scenario was finished before at this difficulty', async () => {
    const of = { scenario_id: 'late_delivery', difficulty: 'standard' as const };
    const finished = (except?: string) => sessions.hasFinishedSession(database, of, except);
    await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    const left = newSession({ flow_state: 'Ended', ending_type: 'player_exit', player_turn_count: 2 });
    await database.write((transaction) => sessions.insertSession(transaction, left));
    await database.write((transaction) =>
      sessions.insertSession(transaction, {
        ...newSession({ ...left }),
        id: 'other',
        difficulty: 'hard',
        player_turn_count: 3,
      }),
    );
    expect(await finished()).toBe(false);
    const played = await database.write((transaction) =>
      sessions.insertSession(transaction, { ...left, id: 'third', player_turn_count: 3 }),
    );
    expect(await finished()).toBe(true);
    expect(await finished(played.id)).toBe(false);
    await database.write((transaction) =>
      sessions.insertSession(transaction, {
        ...left,
        id: 'fourth',
        ending_type: 'failure',
        player_turn_count: 1,
      }),
    );
    expect(await finished(played.id)).toBe(true);
  });

  it('moves to DebriefReady only from DebriefGenerating', async () => {
    const playing = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    const generating = await database.write((transaction) =>
      sessions.insertSession(transaction, newSession({ flow_state: 'DebriefGenerating' })),
    );
    expect(await database.write((transaction) => sessions.markDebriefReady(transaction, playing.id, 61))).toBe(false);
    expect(await database.write((transaction) => sessions.markDebriefReady(transaction, generating.id, 61))).toBe(true);
    expect(await database.write((transaction) => sessions.markDebriefReady(transaction, generating.id, 62))).toBe(
      false,
    );
    expect(await sessions.findSession(database, generating.id)).toMatchObject({
      flow_state: 'DebriefReady',
      overall_score: 61,
      version: 2,
    });
  });

  it('deletes everything that belongs to a session, and nothing of another', async () => {
    const [gone, stays] = [
      await database.write((transaction) =>
        sessions.insertSession(transaction, newSession({ self_ratings: null } as never)),
      ),
      await database.write((transaction) => sessions.insertSession(transaction, newSession())),
    ];
    for (const session of [gone, stays]) {
      const turns = [newTurn(1, 'You said you had news.'), newTurn(2, 'It comes two weeks late.')];
      await database.write((transaction) => appendTurns(transaction, session.id, turns));
      await database.write((transaction) => indexTurns(transaction, session, turns));
      await database.write((transaction) =>
        appendEvents(
          transaction,
          session.id,
          [{ kind: 'state_delta', turn_index: 1, payload: { delta: {}, state_vars: {} } }],
          AT,
        ),
      );
      await database.write((transaction) =>
        insertTurnKey(transaction, session.id, { key: 'abcdefgh', text_hash: 'h', turn_index: 2, answer: {} }, AT),
      );
      await database.write((transaction) => enqueueDebrief(transaction, session.id, AT));
      await database
        .knex('debriefs')
        .insert({ session_id: session.id, document: '{}', overall_score: 50, dimensions: '[]', created_at: AT });
    }
    expect(await database.write((transaction) => sessions.deleteSession(transaction, gone.id))).toBe(true);
    expect(await database.write((transaction) => sessions.deleteSession(transaction, gone.id))).toBe(false);
    expect(await sessions.findSession(database, gone.id)).toBeNull();
    expect(await listTurns(database, gone.id)).toEqual([]);
    expect(await allEvents(database, gone.id)).toEqual([]);
    expect(await findTurnKey(database, gone.id, 'abcdefgh')).toBeNull();
    expect(await findDebrief(database, gone.id)).toBeNull();
    expect(await queueDepth(database)).toBe(1);
    expect((await listSessions(database, { q: 'weeks late', limit: 5 })).rows.map(({ id }) => id)).toEqual([stays.id]);
    expect(await listTurns(database, stays.id)).toHaveLength(2);
    expect(await allEvents(database, stays.id)).toHaveLength(1);
  });

  it('clears all conversations and says how many rows went; settings stay', async () => {
    await database.knex('settings').insert({ key: 'save_transcripts', value: 'false' });
    for (let i = 0; i < 3; i += 1) {
      const session = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
      const turns = [newTurn(1, 'hello there')];
      await database.write((transaction) => appendTurns(transaction, session.id, turns));
      await database.write((transaction) => indexTurns(transaction, session, turns));
      await database.write((transaction) => enqueueDebrief(transaction, session.id, AT));
    }
    await database.knex('recaps').insert({ npc_id: 'ines', pack_id: 'p', document: '{}', updated_at: AT });
    expect(await clearConversations(database)).toEqual({
      sessions: 3,
      turns: 3,
      events: 0,
      debriefs: 0,
      recaps: 1,
    });
    expect((await listSessions(database, { q: 'hello', limit: 5 })).rows).toEqual([]);
    expect(await queueDepth(database)).toBe(0);
    expect(await database.knex('settings').orderBy('key').pluck('key')).toEqual(['clearing', 'save_transcripts']);
    const next = await database.write((transaction) => sessions.insertSession(transaction, newSession()));
    await database.write((transaction) => indexTurns(transaction, next, [newTurn(1, 'hello again')]));
    expect((await listSessions(database, { q: 'hello', limit: 5 })).rows.map(({ id }) => id)).toEqual([next.id]);
  });

  it('refuses rows of a session that does not exist', async () => {
    const refused = { code: fixture.url === null ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : '23503' };
    await expect(
      database.write((transaction) => appendTurns(transaction, 'nobody', [newTurn(1, 'x')])),
    ).rejects.toMatchObject(refused);
    await expect(database.write((transaction) => enqueueDebrief(transaction, 'nobody', AT))).rejects.toMatchObject(
      refused,
    );
  });
});
