import {
  type Problem,
  type Progress,
  type Session,
  type SessionExport,
  type SessionList,
  type StartAnswer,
  type TurnAnswer,
  ROUTES,
} from '@parley/shared/contracts';
import { insertDebrief, markDebriefReady, openDatabase, schemaVersion } from '@parley/shared/store';
import { callRoute } from '@parley/shared/client';
import { inPieces, npcTurnJson, recordSocket, waitUntil } from '@parley/shared/testing';
import type { Debrief } from '@parley/shared/contracts';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const debriefDocument = (session: Session): Debrief => ({
  schema_version: 1,
  session_id: session.id,
  scenario_id: session.scenario_id,
  ending_type: 'player_exit',
  overall_score: 61,
  used_fallback: true,
  generated_at: new Date().toISOString(),
  model_id: null,
  dimensions: [
    { id: 'clarity', name: 'Clarity', weight: 1, score: 61, observed: true, self_rating: null, observations: [] },
    {
      id: 'listening',
      name: 'Listening',
      weight: 0.5,
      score: 50,
      observed: false,
      self_rating: null,
      observations: [],
    },
  ],
  turning_points: [],
  summary: 'A short talk.',
  strengths: [],
  improvements: [],
  replay_suggestions: [],
  state_series: [],
});

describe('session-api keeps, lists and gives away sessions', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet();
  });
  afterAll(() => set.stop());
  beforeEach(() =>
    set.gateway.reply((_request, count) => ({
      kind: 'text',
      pieces: inPieces(
        npcTurnJson({ state_delta: { trust: 2 }, event_flags: ['plain_news'], npc_utterance: `Line ${count}.` }),
      ),
    })),
  );

  const started = async (): Promise<Session> => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    return (await set.call<StartAnswer>('POST', `/api/sessions/${body.id}/start`)).body.session;
  };
  const say = async (id: string, text: string): Promise<TurnAnswer> =>
    (await set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text })).body;
  const end = (id: string) => set.call('POST', `/api/sessions/${id}/end`);
  /** Does what the worker does, without its announcement. */
  const finishDebrief = async (session: Session): Promise<void> => {
    const database = await openDatabase({ dataDir: set.folder.path });
    await database.write(async (transaction) => {
      await insertDebrief(transaction, debriefDocument(session));
      await markDebriefReady(transaction, session.id, 61);
    });
    await database.close();
  };

  it.each([
    [{ scenario_id: 'nobody_wrote_this' }, 404, 'SCENARIO_NOT_FOUND'],
    [{ scenario_id: 'late_delivery', difficulty: 'warm' }, 400, 'VALIDATION_ERROR'],
    [{ scenario_id: 'late_delivery', difficulty: 'none' }, 400, 'VALIDATION_ERROR'],
    [{ scenario_id: 'late_delivery', language: 'de' }, 400, 'VALIDATION_ERROR'],
    [{ scenario_id: 'late_delivery', focus_dimension: 'charm' }, 400, 'VALIDATION_ERROR'],
    [{ scenario_id: 'late_delivery', more: 1 }, 400, 'VALIDATION_ERROR'],
    [{}, 400, 'VALIDATION_ERROR'],
  ])('refuses to create a session from %j', async (body, status, code) => {
    const reply = await set.call<Problem>('POST', '/api/sessions', body);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('says which process is missing when the scenario cannot be fetched', async () => {
    const lonely = await startSessionApiSet();
    await lonely.packs.close();
    const reply = await lonely.call<Problem>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    expect([reply.status, reply.body.code, reply.body.details]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      { service: 'pack_service' },
    ]);
    const forwarded = await lonely.call<Problem>('GET', '/api/scenarios');
    expect([forwarded.status, forwarded.body.code, forwarded.body.details]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      { service: 'pack_service' },
    ]);
    await lonely.stop();
  });

  it.each([
    ['NotStarted', ['turn', 'end', 'cancel', 'debrief', 'fork', 'self-rating']],
    ['PlayerTurnListening', ['start', 'debrief', 'self-rating']],
    ['Ended', ['start', 'turn', 'end', 'cancel']],
  ] as const)('refuses in %s what the state does not allow, and changes nothing', async (state, operations) => {
    const fresh = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    const { id } = fresh.body;
    if (state !== 'NotStarted') await set.call('POST', `/api/sessions/${id}/start`);
    if (state === 'Ended') await end(id);
    const before = (await set.call('GET', `/api/sessions/${id}/export`)).body;
    for (const operation of operations) {
      const body = { turn: { text: 'Hi' }, fork: { turn: 1 }, 'self-rating': { ratings: { clarity: 5 } } }[
        operation as string
      ];
      const method = operation === 'self-rating' ? 'PUT' : 'POST';
      const reply = await set.call<Problem>(method, `/api/sessions/${id}/${operation}`, body);
      expect([operation, reply.status, reply.body.code]).toEqual([operation, 409, 'INVALID_STATE']);
      expect(reply.body.details).toMatchObject({ flow_state: state, operation, allowed_in: expect.any(Array) });
    }
    const after = (await set.call('GET', `/api/sessions/${id}/export`)).body;
    expect({ ...after, exported_at: 0 }).toEqual({ ...before, exported_at: 0 });
  });

  it('spends the first attempt with the first finished talk at a difficulty, and nothing with one that was left at once', async () => {
    const other = await startSessionApiSet();
    const create = async (difficulty = 'standard'): Promise<Session> =>
      (await other.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery', difficulty })).body;
    const played = async (lines: number): Promise<Session> => {
      const { id } = await create();
      await other.call('POST', `/api/sessions/${id}/start`);
      for (let at = 0; at < lines; at += 1)
        await other.call('POST', `/api/sessions/${id}/turn`, { text: `Point ${at} about the delay.` });
      return (await other.call<{ session: Session }>('POST', `/api/sessions/${id}/end`)).body.session;
    };
    const open = await create();
    expect(open.attempt).toBe('first');
    expect((await played(2)).attempt).toBe('first');
    expect((await played(3)).attempt).toBe('first');
    expect((await create()).attempt).toBe('retry');
    expect((await create('hard')).attempt).toBe('first');
    // Opened before the other was finished, and settled when it ends.
    await other.call('POST', `/api/sessions/${open.id}/start`);
    expect((await other.call<{ session: Session }>('POST', `/api/sessions/${open.id}/end`)).body.session.attempt).toBe(
      'retry',
    );
    await other.stop();
  });

  it('lists newest first in pages and finds words in saved transcripts, whatever the words are', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const session = await started();
      await say(session.id, `The quokka number ${at} "said" NEAR(x) * AND -- %`);
      ids.unshift(session.id);
    }
    const first = await set.call<SessionList>('GET', '/api/sessions?limit=2');
    expect(first.body.sessions.map((one) => one.id)).toEqual(ids.slice(0, 2));
    const second = await set.call<SessionList>('GET', `/api/sessions?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.sessions[0]?.id).toBe(ids[2]);
    const hits = await set.call<SessionList>('GET', `/api/sessions?q=${encodeURIComponent('quokka number')}`);
    expect(hits.body.sessions.map((one) => one.id)).toEqual(ids);
    expect(hits.body.sessions[0]).toMatchObject({ scenario_title: 'The late delivery', overall_score: null });
    expect(hits.body.sessions[0]?.snippet).toContain('quokka');
    for (const q of ['"', '*', 'NEAR(', 'a AND', "');--", '-', '   ', '\u0000'])
      expect([q, (await set.call('GET', `/api/sessions?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 200]);
    const forged = await set.call<Problem>('GET', '/api/sessions?cursor=bm90b3Vycw');
    expect([forged.status, forged.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('makes one debrief: moves the state, queues one job, wakes the worker, and everybody who waits gets it', async () => {
    const session = await started();
    await say(session.id, 'Two weeks late.');
    await end(session.id);
    const socket = await recordSocket(set.url, session.id);
    await socket.next('session.state');
    const wakes = set.wakes();
    const asynchronous = await set.call('POST', `/api/sessions/${session.id}/debrief`, undefined, {
      prefer: 'respond-async',
    });
    expect([asynchronous.status, asynchronous.body['session']]).toEqual([
      202,
      expect.objectContaining({ flow_state: 'DebriefGenerating' }),
    ]);
    const waiting = [1, 2].map(() => set.call('POST', `/api/sessions/${session.id}/debrief`));
    await waitUntil('the worker to be woken', () => set.wakes() > wakes);
    expect((await set.call<Problem>('GET', `/api/sessions/${session.id}/debrief`)).body.code).toBe('DEBRIEF_NOT_FOUND');
    await finishDebrief(session);
    await callRoute(set.url, ROUTES.announceDebrief, { params: { id: session.id }, body: { private_debrief: null } });
    for (const reply of await Promise.all(waiting))
      expect([reply.status, reply.body['overall_score']]).toEqual([200, 61]);
    await waitUntil('both states on the socket', () => socket.types().length === 3);
    expect(socket.messages.map((one) => (one.payload as { state: string }).state)).toEqual([
      'Ended',
      'DebriefGenerating',
      'DebriefReady',
    ]);
    expect((await set.call('POST', `/api/sessions/${session.id}/debrief`)).status).toBe(200);
    socket.close();
  });

  it('answers 202 with the session when the wait for a debrief has taken too long', async () => {
    const hasty = await startSessionApiSet({ overrides: { debriefWaitMs: 50 } });
    const { id } = (await hasty.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' })).body;
    await hasty.call('POST', `/api/sessions/${id}/start`);
    await hasty.call('POST', `/api/sessions/${id}/end`);
    const reply = await hasty.call<{ session: Session }>('POST', `/api/sessions/${id}/debrief`);
    expect([reply.status, reply.body.session.flow_state]).toEqual([202, 'DebriefGenerating']);
    await hasty.stop();
  });

  it('notices a debrief whose announcement was lost, also after a restart', async () => {
    const session = await started();
    await end(session.id);
    await set.call('POST', `/api/sessions/${session.id}/debrief`, undefined, { prefer: 'respond-async' });
    await set.restart();
    const socket = await recordSocket(set.url, session.id);
    await socket.next('session.state');
    await finishDebrief(session);
    const ready = await socket.next('session.state', 1);
    expect(ready.payload).toMatchObject({ state: 'DebriefReady' });
    socket.close();
  });

  it('shows self-ratings in the debrief and refuses dimensions that the rubric has not', async () => {
    const session = await started();
    await end(session.id);
    const wrong = await set.call<Problem>('PUT', `/api/sessions/${session.id}/self-rating`, { ratings: { charm: 50 } });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    const stored = await set.call('PUT', `/api/sessions/${session.id}/self-rating`, { ratings: { clarity: 80 } });
    expect(stored.body).toEqual({ session_id: session.id, ratings: { clarity: 80 } });
    await set.call('POST', `/api/sessions/${session.id}/debrief`, undefined, { prefer: 'respond-async' });
    await finishDebrief(session);
    const debrief = await set.call<Debrief>('GET', `/api/sessions/${session.id}/debrief`);
    expect(debrief.body.dimensions.map((one) => [one.id, one.self_rating])).toEqual([
      ['clarity', 80],
      ['listening', null],
    ]);
  });

  it('keeps what the model wrote of a session that is not saved when its scores are computed again', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const session = await started();
    await set.call('PATCH', '/api/settings', { save_transcripts: true });
    await end(session.id);
    await set.call('POST', `/api/sessions/${session.id}/debrief`, undefined, { prefer: 'respond-async' });
    await finishDebrief(session);
    const document = debriefDocument(session);
    const [clarity, listening] = document.dimensions as [Debrief['dimensions'][0], Debrief['dimensions'][0]];
    const observed = { ...clarity, observations: [{ turn: 2, delta: 8, note: 'said it at once' }] };
    const written = { ...document, summary: 'As the model wrote it.', dimensions: [observed, listening] };
    await callRoute(set.url, ROUTES.announceDebrief, {
      params: { id: session.id },
      body: { private_debrief: written },
    });
    set.rescored.debrief = { ...document, overall_score: 70, dimensions: [{ ...clarity, score: 75 }, listening] };
    const expected = { ...written, overall_score: 70, dimensions: [{ ...observed, score: 75 }, listening] };
    expect((await set.call('POST', `/api/sessions/${session.id}/rescore`)).body).toEqual(expected);
    expect((await set.call('GET', `/api/sessions/${session.id}/debrief`)).body).toEqual(expected);
  });

  it('forks from a turn of the character with everything as it stood then; the fork outlives the original', async () => {
    const session = await started();
    const one = await say(session.id, 'First');
    await say(session.id, 'Second');
    const wrong = await set.call<Problem>('POST', `/api/sessions/${session.id}/fork`, { turn: 2 });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    const fork = await set.call<Session>('POST', `/api/sessions/${session.id}/fork`, { turn: 3 });
    expect(fork.status).toBe(201);
    expect(fork.body).toMatchObject({
      flow_state: 'PlayerTurnListening',
      turn_count: 3,
      player_turn_count: 1,
      attempt: 'retry',
      state_vars: one.session.state_vars,
      flags: one.session.flags,
      forked_from: { session_id: session.id, turn: 3 },
    });
    await set.call('DELETE', `/api/sessions/${session.id}`);
    const next = await say(fork.body.id, 'Another way');
    expect(next.player_turn.index).toBe(4);
    const found = await set.call<SessionList>('GET', '/api/sessions?q=Another%20way');
    expect(found.body.sessions.map((hit) => hit.id)).toEqual([fork.body.id]);
  });

  it('refuses to fork a session whose text was not kept', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const session = await started();
    await set.call('PATCH', '/api/settings', { save_transcripts: true });
    const reply = await set.call<Problem>('POST', `/api/sessions/${session.id}/fork`, { turn: 1 });
    expect([reply.status, reply.body.code]).toEqual([409, 'TRANSCRIPT_NOT_SAVED']);
  });

  it('exports a session whole, as a file', async () => {
    const session = await started();
    await say(session.id, 'For the record');
    const reply = await set.call<SessionExport>('GET', `/api/sessions/${session.id}/export`);
    expect(reply.headers['content-disposition']).toContain('attachment');
    expect(reply.body.session).toMatchObject({ id: session.id, scenario_title: 'The late delivery', turn_count: 3 });
    expect(reply.body.turns).toHaveLength(3);
    expect(reply.body.events.map((event) => event.kind)).toEqual(['npc_opening', 'npc_turn', 'state_delta']);
    expect(reply.body.debrief).toBeNull();
  });

  it('shows progress by scenario and by observed dimension', async () => {
    const { body } = await set.call<Progress>('GET', '/api/progress?scenario_id=late_delivery');
    const scored = body.scenarios[0]?.attempts.filter((one) => one.overall_score !== null) ?? [];
    expect(scored.length).toBeGreaterThan(0);
    expect(scored[0]?.dimensions).toEqual({ clarity: 61, listening: null });
    expect(body.dimensions.map((one) => one.id)).toEqual(['clarity']);
  });

  it('changes settings, refuses unknown and read-only ones, and keeps them over a restart', async () => {
    const changed = await set.call('PATCH', '/api/settings', { relationship_memory_enabled: true });
    expect(changed.body['settings']).toMatchObject({ relationship_memory_enabled: true, telemetry_enabled: false });
    const readOnly = await set.call<Problem>('PATCH', '/api/settings', { telemetry_enabled: true });
    expect([readOnly.status, readOnly.body.code]).toEqual([400, 'SETTING_READ_ONLY']);
    await set.restart();
    expect((await set.call('GET', '/api/settings')).body['settings']).toMatchObject({
      relationship_memory_enabled: true,
    });
  });

  it('tells health with every peer, the runtime and the privacy flags', async () => {
    const { status, body } = await set.call('GET', '/api/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'ok',
      runtime: { runtime_id: 'scripted', status: 'READY' },
      privacy: { telemetry_enabled: false, save_transcripts: true, lan_access_enabled: false },
      services: { pack_service: { status: 'ok' }, runtime_gateway: { status: 'ok' }, debrief_worker: { status: 'ok' } },
    });
  });

  it('lists models, answers voice as reserved, and gives diagnostics as JSON and as a zip', async () => {
    expect((await set.call('GET', '/api/models')).body).toMatchObject({
      runtime_id: 'scripted',
      active_model_id: 'scripted',
    });
    expect((await set.call('GET', '/api/stt')).body).toEqual({ available: false, status: 'reserved' });
    for (const [method, path] of [
      ['POST', '/api/stt'],
      ['GET', '/api/stt/start'],
      ['DELETE', '/api/stt/x/y'],
    ] as const)
      expect((await set.call<Problem>(method, path)).body.code).toBe('RESERVED');
    const { body } = await set.call('GET', '/api/diag');
    const database = await openDatabase({ dataDir: set.folder.path });
    const version = await schemaVersion(database);
    await database.close();
    expect(body).toMatchObject({
      schema_version: version,
      processes: expect.any(Array),
      runtime: { runtime_id: 'scripted', status: 'READY', message: null },
      queue_depth: expect.any(Number),
    });
    const zip = await fetch(`${set.url}/api/diag/bundle`);
    expect([zip.headers.get('content-type'), (await zip.text()).slice(0, 2)]).toEqual(['application/zip', 'PK']);
  });

  it('answers the documents of the interface and a page to read them offline', async () => {
    const { host } = new URL(set.url);
    expect((await set.call('GET', '/api/openapi.json')).body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      servers: [{ url: set.url }],
    });
    expect((await set.call('GET', '/api/asyncapi.json')).body).toMatchObject({
      asyncapi: expect.stringMatching(/^3\.0/),
      servers: { local: { host } },
    });
    const page = await fetch(`${set.url}/api/docs`);
    const html = await page.text();
    expect(html).toContain('/api/sessions/{id}/turn');
    expect(html).toContain(`curl -X POST '${set.url}/api/sessions'`);
    expect(html).not.toMatch(/<script[^>]|https?:\/\/(?!127\.0\.0\.1|localhost)[a-z]+\.[a-z]+\/[^"']*\.(js|css)/i);
  });

  it('deletes one session, and all of them with their text', async () => {
    const session = await started();
    await say(session.id, 'Remember me');
    expect((await set.call('DELETE', `/api/sessions/${session.id}`)).status).toBe(204);
    expect((await set.call<Problem>('DELETE', `/api/sessions/${session.id}`)).body.code).toBe('SESSION_NOT_FOUND');
    const watched = await started();
    const socket = await recordSocket(set.url, watched.id);
    const cleared = await set.call<{ deleted: { sessions: number } }>('POST', '/api/privacy/clear', {});
    expect(cleared.body.deleted.sessions).toBeGreaterThan(1);
    expect(await socket.closed()).toBe(4404);
    expect((await set.call<SessionList>('GET', '/api/sessions')).body.sessions).toEqual([]);
  });

  it('finishes a clear that its last process began before it answers anything', async () => {
    const session = await started();
    const database = await openDatabase({ dataDir: set.folder.path });
    const { ordinal } = (await database.knex('sessions').where({ id: session.id }).first('ordinal')) as {
      ordinal: number;
    };
    await database.knex('settings').insert({ key: 'clearing', value: JSON.stringify({ up_to: ordinal }) });
    await database.close();
    await set.restart();
    expect((await set.call('GET', `/api/sessions/${session.id}`)).status).toBe(404);
    expect((await set.call('GET', '/api/sessions')).body['sessions']).toEqual([]);
  });
});
