import {
  Session,
  SessionExport,
  StartAnswer,
  Transcript,
  TurnAnswer,
  EndAnswer,
  Debrief,
} from '@parley/shared/contracts';
import { scriptedGateway, type ScriptedGateway } from '@parley/shared/testing';
import {
  startParleySet,
  type ParleySet,
  NARRATIVE,
  asTurn,
  createSession,
  endedSession,
  say,
  scriptTurns,
  sessionOf,
  startedSession,
  storedRows,
} from '../set';

/** docs/contract.md, Session operations: one test a row, named by its method and path; then the finer rules of each. */
describe('Session operations', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  beforeAll(async () => {
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
  });
  beforeEach(() => scriptTurns(gateway));

  it('POST /api/sessions creates a session in NotStarted', async () => {
    const reply = await set.call('POST', '/api/sessions', { scenario_id: 'the_ask' });
    expect(reply.status).toBe(201);
    const session = Session.strict().parse(reply.body);
    expect(reply.headers['location']).toBe(`/api/sessions/${session.id}`);
    expect(session).toMatchObject({
      scenario_id: 'the_ask',
      scenario_version: 1,
      pack_id: 'the_ask',
      npc_id: 'dana',
      flow_state: 'NotStarted',
      flags: [],
      ending_type: null,
      ending_id: null,
      turn_count: 0,
      player_turn_count: 0,
      transcript_saved: true,
      difficulty: 'standard',
      language: 'en',
      focus_dimension: null,
      forked_from: null,
      started_at: null,
      ended_at: null,
    });
    expect(Object.keys(session.state_vars)).toEqual(
      expect.arrayContaining(['trust', 'patience', 'pressure', 'rapport', 'openness', 'objective_progress']),
    );
  });

  it('POST /api/sessions takes a difficulty, a language and a focus, and refuses those that the scenario has not', async () => {
    const chosen = { difficulty: 'hard', language: 'en', focus_dimension: 'evidence' };
    const session = await createSession(set, 'the_ask', chosen);
    expect(session).toMatchObject(chosen);
    for (const [member, value] of [
      ['difficulty', 'easy'],
      ['language', 'de'],
      ['focus_dimension', 'charm'],
      ['nonsense', 1],
    ] as const) {
      const problem = await set.problem('POST', '/api/sessions', { scenario_id: 'the_ask', [member]: value });
      expect([problem.status, problem.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(problem.details).toMatchObject({ issues: [{ path: member }] });
    }
    const unknown = await set.problem('POST', '/api/sessions', { scenario_id: 'no_such' });
    expect([unknown.status, unknown.code]).toEqual([404, 'SCENARIO_NOT_FOUND']);
  });

  it('POST /api/sessions marks sessions as first until one of the scenario was finished at that difficulty', async () => {
    const fresh = await createSession(set, 'kitchen_rota');
    await endedSession(set, 2, 'kitchen_rota'); // left before the third line: it counts as nothing
    const second = await createSession(set, 'kitchen_rota');
    await endedSession(set, 3, 'kitchen_rota');
    const later = await createSession(set, 'kitchen_rota');
    const harder = await createSession(set, 'kitchen_rota', { difficulty: 'hard' });
    expect([fresh, second, later, harder].map((one) => one.attempt)).toEqual(['first', 'first', 'retry', 'first']);
  });

  it('GET /api/sessions/{id} answers the current session state', async () => {
    const { id } = await createSession(set);
    const reply = await set.call('GET', `/api/sessions/${id}`);
    expect(reply.status).toBe(200);
    expect(Session.strict().parse(reply.body)).toMatchObject({ id, flow_state: 'NotStarted' });
    await set.ask('startSession', { params: { id } });
    scriptTurns(gateway, asTurn({ state_delta: { patience: -7 } }));
    const turn = await say(set, id, 'Hello.');
    expect(await sessionOf(set, id)).toEqual(turn.body.session);
    expect(turn.body.session.state_vars['patience']).toBe(66);
    for (const unknown of ['nobodynobodynobodynobody', 'x', '%00', '..%2f..']) {
      const problem = await set.problem('GET', `/api/sessions/${unknown}`);
      expect([problem.status, problem.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    }
  });

  it('POST /api/sessions/{id}/start delivers the opening of the character and moves to PlayerTurnListening', async () => {
    const { id } = await createSession(set, 'kitchen_rota');
    const reply = await set.call('POST', `/api/sessions/${id}/start`);
    expect(reply.status).toBe(200);
    const { session, turn, events } = StartAnswer.parse(reply.body);
    expect(session).toMatchObject({ id, flow_state: 'PlayerTurnListening', turn_count: 1, player_turn_count: 0 });
    expect(session.started_at).not.toBeNull();
    expect(turn).toMatchObject({ index: 1, role: 'npc', emotion: 'hesitant', used_fallback: false });
    expect(turn.text).toMatch(/^Oh\. You're up\. Okay, before you say it: I saw the pot\./);
    expect(events.map((event) => event.type)).toEqual(['npc.final', 'session.state']);
    expect(gateway.requests.filter((request) => JSON.stringify(request).includes(id))).toEqual([]);
  });

  it.each(['start', 'cancel', 'end', 'debrief'])(
    'POST …/%s accepts an absent or empty body and {}, and nothing else',
    async (operation) => {
      const fresh = async (): Promise<string> => {
        if (operation === 'start') return (await createSession(set)).id;
        return operation === 'debrief' ? (await endedSession(set, 0)).id : (await startedSession(set)).id;
      };
      for (const body of [undefined, '', '{}', '  '])
        expect((await set.call('POST', `/api/sessions/${await fresh()}/${operation}`, body)).status).toBe(200);
      const id = await fresh();
      const before = await sessionOf(set, id);
      for (const body of ['{"a":1}', '[]', 'null', '3']) {
        const problem = await set.problem('POST', `/api/sessions/${id}/${operation}`, body);
        expect([body, problem.status, problem.code]).toEqual([body, 400, 'VALIDATION_ERROR']);
      }
      expect(await sessionOf(set, id)).toEqual(before);
    },
  );

  it('POST /api/sessions/{id}/turn runs the pipeline and answers its events and used_fallback', async () => {
    const { id } = await startedSession(set);
    scriptTurns(
      gateway,
      asTurn({ npc_utterance: 'Fifty-three?', npc_emotion: 'surprised', state_delta: { pressure: 4 } }),
    );
    const reply = await say(set, id, ' \n I would like 53,000.\t ');
    expect(reply.status).toBe(200);
    const answer = TurnAnswer.parse(reply.body);
    expect(answer.used_fallback).toBe(false);
    expect(answer.player_turn).toMatchObject({ index: 2, role: 'player', text: 'I would like 53,000.', emotion: null });
    expect(answer.npc_turn).toMatchObject({ index: 3, role: 'npc', text: 'Fifty-three?', emotion: 'surprised' });
    expect(answer.events.map((event) => event.type)).toEqual(['npc.final', 'scenario.state_delta']);
    expect(answer.events[0]?.payload).toMatchObject({ turn: 3, content: 'Fifty-three?', state_delta: { pressure: 4 } });
    expect(answer.session).toMatchObject({ turn_count: 3, player_turn_count: 1, flow_state: 'PlayerTurnListening' });
  });

  it('POST /api/sessions/{id}/end ends the session for the player', async () => {
    const { id } = await startedSession(set);
    const reply = await set.call('POST', `/api/sessions/${id}/end`);
    expect(reply.status).toBe(200);
    const { session, events } = EndAnswer.parse(reply.body);
    expect(session).toMatchObject({ flow_state: 'Ended', ending_type: 'player_exit', turn_count: 1 });
    expect(session.ended_at).not.toBeNull();
    expect(events).toEqual([
      {
        type: 'session.state',
        payload: { state: 'Ended', state_vars: session.state_vars, ending_type: 'player_exit', ending_id: null },
      },
    ]);
  });

  it('POST /api/sessions/{id}/debrief generates the debrief and moves to DebriefReady', async () => {
    scriptTurns(gateway, asTurn({ rubric_observations: [{ dimension: 'evidence', delta: 6, note: 'A figure.' }] }));
    const { id } = await endedSession(set, 3);
    const reply = await set.call('POST', `/api/sessions/${id}/debrief`);
    expect(reply.status).toBe(200);
    const debrief = Debrief.strict().parse(reply.body);
    expect(debrief).toMatchObject({
      schema_version: 1,
      session_id: id,
      scenario_id: 'the_ask',
      ending_type: 'player_exit',
      used_fallback: false,
      model_id: 'scripted',
      summary: NARRATIVE.summary,
      improvements: expect.arrayContaining(NARRATIVE.improvements),
      replay_suggestions: NARRATIVE.replay_suggestions,
    });
    const scores = Object.fromEntries(debrief.dimensions.map((one) => [one.id, [one.score, one.observed]]));
    expect(scores).toEqual({
      clear_ask: [0, true], // what the model observed does not count: the words earned nothing
      evidence: [0, true],
      interests: [0, true],
      options_and_close: [0, true],
    });
    expect(debrief.overall_score).toBe(0);
    expect(debrief.state_series.map((point) => point.turn)).toEqual([1, 3, 5, 7]);
    expect((await sessionOf(set, id)).flow_state).toBe('DebriefReady');
    expect((await set.call('GET', `/api/sessions/${id}/debrief`)).body).toEqual(debrief);
    expect((await set.call('POST', `/api/sessions/${id}/debrief`)).body).toEqual(debrief);
  });

  it('GET /api/sessions/{id}/transcript answers the full transcript', async () => {
    const { id } = await startedSession(set);
    await say(set, id, 'One.');
    await say(set, id, 'Two.');
    const reply = await set.call('GET', `/api/sessions/${id}/transcript`);
    expect(reply.status).toBe(200);
    const transcript = Transcript.strict().parse(reply.body);
    expect(transcript).toMatchObject({ session_id: id, transcript_saved: true });
    expect(transcript.turns.map((turn) => [turn.index, turn.role])).toEqual([
      [1, 'npc'],
      [2, 'player'],
      [3, 'npc'],
      [4, 'player'],
      [5, 'npc'],
    ]);
    expect(transcript.turns.slice(1).map((turn) => turn.text)).toEqual([
      'One.',
      'I hear you. Go on.',
      'Two.',
      'I hear you. Go on.',
    ]);
  });

  it('GET /api/sessions/{id}/export answers metadata, turns, events and the debrief as one document', async () => {
    const { id } = await endedSession(set, 1);
    const before = SessionExport.strict().parse((await set.call('GET', `/api/sessions/${id}/export`)).body);
    expect(before.debrief).toBeNull();
    const debrief = (await set.call('POST', `/api/sessions/${id}/debrief`)).body;
    const reply = await set.call('GET', `/api/sessions/${id}/export`);
    expect(reply.status).toBe(200);
    expect(String(reply.headers['content-disposition'])).toMatch(/^attachment/);
    const document = SessionExport.strict().parse(reply.body);
    expect(document.session).toMatchObject({ id, scenario_id: 'the_ask', scenario_title: 'The ask', turn_count: 3 });
    expect(document.session.ending_type).toBe('player_exit');
    expect(document.session.started_at).not.toBeNull();
    expect(document.turns).toEqual((await set.ask('getTranscript', { params: { id } })).turns);
    expect(document.events.map((event) => event.kind)).toEqual(['npc_opening', 'npc_turn', 'state_delta', 'ending']);
    expect(document.debrief).toEqual(debrief);
  });

  it('DELETE /api/sessions/{id} deletes the session with all that belongs to it', async () => {
    const { id } = await endedSession(set, 1);
    await set.call('POST', `/api/sessions/${id}/debrief`);
    const other = await endedSession(set, 1);
    const reply = await set.call('DELETE', `/api/sessions/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const path of ['', '/transcript', '/events', '/export', '/debrief']) {
      const problem = await set.problem('GET', `/api/sessions/${id}${path}`);
      expect([path, problem.status, problem.code]).toEqual([path, 404, 'SESSION_NOT_FOUND']);
    }
    expect((await set.problem('DELETE', `/api/sessions/${id}`)).code).toBe('SESSION_NOT_FOUND');
    expect(JSON.stringify(await storedRows(set))).not.toContain(id);
    expect(await sessionOf(set, other.id)).toEqual(other);
  });

  it('POST /api/sessions/{id}/debrief with Prefer: respond-async answers 202 at once, and 200 when it is ready', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, asTurn(), { kind: 'hang', pieces: [JSON.stringify(NARRATIVE)], until });
    const { id } = await endedSession(set, 3); // fewer lines are not judged, and no model is asked about them
    const path = `/api/sessions/${id}/debrief`;
    const headers = { prefer: 'respond-async' };
    const at = await set.call<{ session: Session }>('POST', path, undefined, { headers });
    expect([at.status, at.body.session.flow_state]).toEqual([202, 'DebriefGenerating']);
    expect(at.headers['preference-applied']).toBe('respond-async');
    const missing = await set.problem('GET', path);
    expect([missing.status, missing.code]).toEqual([404, 'DEBRIEF_NOT_FOUND']);
    const waiting = [set.call('POST', path), set.call('POST', path)];
    const again = await set.call('POST', path, undefined, { headers: { prefer: 'wait=5, respond-async' } });
    expect(again.status).toBe(202);
    release();
    const [one, two] = await Promise.all(waiting);
    expect(one?.status).toBe(200);
    expect(two?.body).toEqual(one?.body);
    const ready = await set.call('POST', path, undefined, { headers });
    expect([ready.status, ready.body]).toEqual([200, one?.body]);
  });

  it('PUT /api/sessions/{id}/self-rating stores a rating that the debrief shows beside its own scores', async () => {
    const { id } = await endedSession(set, 1);
    const path = `/api/sessions/${id}/self-rating`;
    const first = await set.call('PUT', path, { ratings: { evidence: 80, clear_ask: 0 } });
    expect([first.status, first.body]).toEqual([200, { session_id: id, ratings: { evidence: 80, clear_ask: 0 } }]);
    const debrief = await set.call<Debrief>('POST', `/api/sessions/${id}/debrief`);
    const ratings = (body: Debrief) => Object.fromEntries(body.dimensions.map((one) => [one.id, one.self_rating]));
    expect(ratings(debrief.body)).toEqual({ clear_ask: 0, evidence: 80, interests: null, options_and_close: null });
    await set.call('PUT', path, { ratings: { interests: 100 } });
    const later = await set.call<Debrief>('GET', `/api/sessions/${id}/debrief`);
    expect(ratings(later.body)['interests']).toBe(100);
    expect(later.body.overall_score).toBe(debrief.body.overall_score);
    for (const body of [
      { ratings: { evidence: 101 } },
      { ratings: { evidence: -1 } },
      { ratings: { evidence: 1.5 } },
      { ratings: { charm: 5 } },
      { ratings: [1] },
      {},
    ]) {
      const problem = await set.problem('PUT', path, body);
      expect([problem.status, problem.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('POST /api/privacy/clear deletes all sessions and says how much went', async () => {
    await endedSession(set, 1);
    const count = (await storedRows(set))['sessions']?.length ?? 0;
    expect(count).toBeGreaterThan(0);
    const reply = await set.call<{ deleted: Record<string, number> }>('POST', '/api/privacy/clear', {});
    expect(reply.status).toBe(200);
    expect(reply.body.deleted['sessions']).toBe(count);
    const rows = await storedRows(set);
    for (const table of ['sessions', 'turns', 'events', 'debriefs', 'jobs', 'recaps', 'turn_keys', 'kept_answers'])
      expect([table, rows[table]]).toEqual([table, []]);
    expect((await set.ask('listSessions', {})).sessions).toEqual([]);
    const again = await set.call('POST', '/api/privacy/clear', {});
    expect(again.body).toEqual({ deleted: { sessions: 0, turns: 0, events: 0, debriefs: 0, recaps: 0 } });
  });
});
