import { Transcript, TurnAnswer, TurnVariants, type Problem, type StoredEvent } from '@parley/shared/contracts';
import { npcTurnJson, recordSocket, scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  asText,
  asTurn,
  debriefFor,
  inconsistencies,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
  storedRows,
  transcriptOf,
  ULTIMATUM,
  type ParleySet,
} from '../set';

describe('Another answer to the same words', () => {
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

  const answers = (npc_utterance: string, members: Record<string, unknown> = {}): void =>
    scriptTurns(gateway, asTurn({ npc_utterance, ...members }));
  const again = (id: string, headers: Record<string, string> = {}, body: unknown = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/regenerate`, body, { headers });
  const choose = (id: string, variant: unknown, index = 3) =>
    set.call<TurnAnswer & Problem>('PUT', `/api/sessions/${id}/turns/${index}/variant`, { variant });
  const variantsOf = async (id: string, index = 3) =>
    TurnVariants.parse((await set.call('GET', `/api/sessions/${id}/turns/${index}/variants`)).body).variants;
  const eventsOf = async (id: string): Promise<StoredEvent[]> =>
    (await set.ask('listEvents', { params: { id }, query: { limit: 100 } })).events;
  const exportOf = (id: string) => set.ask('exportSession', { params: { id } });

  /** A talk in which one line was said and answered. */
  async function talk(line = 'Good morning.', members: Record<string, unknown> = {}): Promise<string> {
    const { id } = await startedSession(set);
    answers('First.', members);
    expect((await say(set, id, line)).status).toBe(200);
    return id;
  }

  it('answers as a turn does, from the state before it, under the same index', async () => {
    const id = await talk('Good morning.', { state_delta: { trust: 7 } });
    const [opening] = (await transcriptOf(set, id)).turns;
    answers('Second.', { state_delta: { trust: -2 } });
    const { status, body } = await again(id);
    expect(status).toBe(200);
    const answer = TurnAnswer.parse(body);
    expect(answer.npc_turn).toMatchObject({ index: 3, role: 'npc', text: 'Second.', variant: 2, variants: 2 });
    expect(answer.player_turn).toMatchObject({ index: 2, role: 'player', text: 'Good morning.' });
    expect(answer.session).toMatchObject({ turn_count: 3, player_turn_count: 1 });
    const delta = answer.events.find((event) => event.type === 'scenario.state_delta')?.payload;
    expect(delta?.state_vars).toEqual(answer.session.state_vars);
    const fresh = await startedSession(set);
    expect(answer.session.state_vars['trust']).toBe(Number(fresh.state_vars['trust']) + Number(delta?.delta['trust']));
    const { turns } = Transcript.parse(await transcriptOf(set, id));
    expect(turns).toEqual([opening, answer.player_turn, answer.npc_turn]);
    expect((await variantsOf(id)).map(({ text, variant, variants }) => [text, variant, variants])).toEqual([
      ['First.', 1, 2],
      ['Second.', 2, 2],
    ]);
    expect((await choose(id, 1)).body.npc_turn).toMatchObject({ text: 'First.', variant: 1, variants: 2 });
    expect(inconsistencies(await exportOf(id))).toEqual([]);
  });

  it('ends the talk again where the words of the player end it', async () => {
    const id = await talk(ULTIMATUM, { event_flags: ['ultimatum'] });
    answers('Let us not go there.');
    expect((await again(id)).body.session).toMatchObject({ flow_state: 'Ended', ending_type: 'failure' });
    expect(inconsistencies(await exportOf(id))).toEqual([]);
  });

  it('takes an absent body and {}, and no other', async () => {
    const id = await talk();
    expect((await again(id, {}, undefined)).status).toBe(200);
    const refused = await again(id, {}, { text: 'Other words.' });
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await set.call('GET', `/api/sessions/${id}/regenerate`)).status).toBe(405);
  });

  it('streams over the socket; a reader that comes later gets only what stands', async () => {
    const id = await talk('Good morning.', { state_delta: { trust: 7 } });
    const before = (await eventsOf(id)).filter(({ turn_index }) => turn_index === 3).map((event) => event.id);
    const socket = await recordSocket(set.url, id);
    answers('An answer that is long enough for some pieces.');
    const { body } = await again(id);
    await waitUntil('the delta', () => socket.types().includes('scenario.state_delta'));
    const told = socket.messages.slice(1);
    expect(told.filter(({ type }) => type === 'npc.token').length).toBeGreaterThan(1);
    expect(told.filter(({ type }) => type !== 'npc.token').map(({ type, payload }) => ({ type, payload }))).toEqual(
      body.events,
    );
    const seqs = socket.messages.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    socket.close();
    const events = await eventsOf(id);
    expect(events.filter(({ superseded }) => superseded === true).map((event) => event.id)).toEqual(before);
    const replay = await recordSocket(set.url, id, { query: '?after_seq=0' });
    await waitUntil('the replay', () => replay.messages.length === 4);
    expect(replay.messages[2]?.payload).toMatchObject({
      turn: 3,
      content: 'An answer that is long enough for some pieces.',
    });
    replay.close();
  });

  it('undoes the ending that it replaces, and the debrief is made from the answer that stands', async () => {
    const id = await talk('Good morning.', { safety: { action: 'stop', reason: 'It goes too far.' } });
    expect(await sessionOf(set, id)).toMatchObject({ flow_state: 'Ended', ending_type: 'safety_stop' });
    answers('Let us not go there.', { rubric_observations: [{ dimension: 'clear_ask', delta: 3, note: 'kept' }] });
    const undone = (await again(id)).body;
    expect(undone.session).toMatchObject({ flow_state: 'PlayerTurnListening', ending_type: null, ended_at: null });
    expect(undone.events.at(-1)).toMatchObject({ type: 'session.state', payload: { state: 'PlayerTurnListening' } });
    expect((await choose(id, 1)).body.session).toMatchObject({ flow_state: 'Ended', ending_type: 'safety_stop' });
    expect((await choose(id, 2)).body.session).toMatchObject({ flow_state: 'PlayerTurnListening', ending_type: null });
    expect((await say(set, id, 'Thank you.')).status).toBe(200);
    await set.ask('endSession', { params: { id } });
    const debrief = await debriefFor(set, id);
    expect([debrief.ending_type, debrief.state_series.map(({ turn }) => turn)]).toEqual(['player_exit', [1, 3, 5]]);
    for (const refused of [await again(id), await choose(id, 1, 5)]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE']);
      expect(refused.body.details).toMatchObject({ flow_state: 'DebriefReady' });
    }
    expect(inconsistencies(await exportOf(id))).toEqual([]);
  });

  it('is had five times in all, none before the first answer, and chosen only while it is the last', async () => {
    const { id: fresh } = await startedSession(set);
    expect((await again(fresh)).body.code).toBe('INVALID_STATE');
    const id = await talk();
    for (const variant of [2, 3, 4, 5]) expect((await again(id)).body.npc_turn.variant).toBe(variant);
    const sixth = await again(id);
    expect([sixth.status, sixth.body.code]).toEqual([409, 'INVALID_STATE']);
    for (const variant of [0, 6, 'one', null]) {
      const refused = await choose(id, variant);
      expect([variant, refused.status, refused.body.code]).toEqual([variant, 400, 'VALIDATION_ERROR']);
    }
    expect((await choose(id, 4)).status).toBe(200);
    await say(set, id, 'And then?');
    expect((await choose(id, 1)).body.code).toBe('INVALID_STATE');
    expect(await variantsOf(id)).toHaveLength(5);
    for (const path of [`${id}/turns/2/variants`, `${id}/turns/99/variants`, `${id}/turns/x/variants`])
      expect((await set.problem('GET', `/api/sessions/${path}`)).status).toBe(404);
  });

  it('is one turn at a time, and one that failed changed nothing', async () => {
    const id = await talk();
    const before = await exportOf(id);
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()], until });
    const asked = gateway.requests.length;
    const running = again(id);
    await waitUntil('the model to be asked', () => gateway.requests.length > asked);
    for (const refused of [await say(set, id, 'Meanwhile.'), await again(id), await choose(id, 1)])
      expect([refused.status, refused.body.code]).toEqual([409, 'TURN_IN_PROGRESS']);
    await set.ask('cancelTurn', { params: { id } });
    expect((await running).body.code).toBe('TURN_ABORTED');
    release();
    scriptTurns(gateway, { kind: 'refuse', code: 'TURN_TIMEOUT' });
    expect((await again(id)).body.code).toBe('TURN_TIMEOUT');
    expect(await exportOf(id)).toEqual({ ...before, exported_at: expect.any(String) });
    scriptTurns(gateway, asText('no JSON at all'));
    expect((await again(id)).body).toMatchObject({
      used_fallback: true,
      npc_turn: { variant: 2, used_fallback: true },
    });
  });

  it('is given once under an Idempotency-Key, also after a kill -9, and costs no other answer', async () => {
    const id = await talk();
    answers('Second.');
    const key = { 'idempotency-key': 'another-answer-1' };
    const first = (await again(id, key)).body;
    answers('Third.');
    expect((await again(id)).body.npc_turn.variant).toBe(3);
    const asked = gateway.requests.length;
    await set.kill('session_api', 'SIGKILL');
    await set.startProcess('session_api');
    expect((await again(id, key)).body).toEqual(first);
    expect(gateway.requests.length).toBe(asked);
    expect((await variantsOf(id)).map(({ text }) => text)).toEqual(['First.', 'Second.', 'Third.']);
    const malformed = await again(id, { 'idempotency-key': 'short' });
    expect([malformed.status, malformed.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('goes with the session, and never touches the disk when the transcript is not saved', async () => {
    await set.ask('patchSettings', { body: { save_transcripts: false } });
    const id = await talk('Zanzibar.');
    await set.ask('patchSettings', { body: { save_transcripts: true } });
    answers('Nightingale.');
    expect((await again(id, { 'idempotency-key': 'another-answer-2' })).body.npc_turn.text).toBe('Nightingale.');
    expect((await variantsOf(id)).map(({ text }) => text)).toEqual(['First.', 'Nightingale.']);
    const rows = await storedRows(set);
    expect(JSON.stringify(rows)).not.toMatch(/nightingale|zanzibar/i);
    expect(JSON.stringify(rows['turn_variants'])).toContain(id);
    await set.call('DELETE', `/api/sessions/${id}`);
    expect(JSON.stringify(await storedRows(set))).not.toContain(id);
  });
});
