import type {
  Problem,
  Session,
  SessionExport,
  SessionList,
  StoredEvent,
  Transcript,
  TurnAnswer,
  TurnVariants,
} from '@parley/shared/contracts';
import { inPieces, npcTurnJson, recordSocket, waitUntil } from '@parley/shared/testing';
import { openDatabase } from '@parley/shared/store';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

/** Ends the talk of the fixture with a failure. */
const PROMISE = { event_flags: ['false_promise'] };

describe('another answer', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet();
  });
  afterAll(() => set.stop());
  beforeEach(() => answer('The first answer.'));

  const answer = (npc_utterance: string, members: Record<string, unknown> = {}): void =>
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(npcTurnJson({ npc_utterance, ...members })) }));
  const started = async (): Promise<string> => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    await set.call('POST', `/api/sessions/${body.id}/start`);
    return body.id;
  };
  const say = (id: string, text = 'It comes two weeks late.', headers: Record<string, string> = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/turn`, { text }, headers);
  const again = (id: string, headers: Record<string, string> = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/regenerate`, {}, headers);
  const choose = (id: string, variant: unknown, index: number | string = 3) =>
    set.call<TurnAnswer & Problem>('PUT', `/api/sessions/${id}/turns/${index}/variant`, { variant });
  const variants = async (id: string, index = 3) =>
    (await set.call<TurnVariants>('GET', `/api/sessions/${id}/turns/${index}/variants`)).body.variants;
  const session = async (id: string) => (await set.call<Session>('GET', `/api/sessions/${id}`)).body;
  const transcript = async (id: string) => (await set.call<Transcript>('GET', `/api/sessions/${id}/transcript`)).body;
  const events = async (id: string) =>
    (await set.call<{ events: StoredEvent[] }>('GET', `/api/sessions/${id}/events?limit=100`)).body.events;
  const saving = (save_transcripts: boolean) => set.call('PATCH', '/api/settings', { save_transcripts });
  const lastPrompt = () => JSON.stringify(set.gateway.requests.at(-1)?.messages);

  it('is given to the same words from the state before them, and the turn keeps its index', async () => {
    const id = await started();
    await say(id, 'Good morning.');
    answer('The second answer.', { state_delta: { patience: -7 }, event_flags: ['plain_news'] });
    const first = (await say(id)).body;
    const asked = lastPrompt();
    answer('Another second answer.', { state_delta: { patience: 3 } });
    const other = await again(id);
    expect(other.status).toBe(200);
    expect(lastPrompt()).toBe(asked);
    expect(other.body.player_turn).toEqual(first.player_turn);
    expect(other.body.npc_turn).toMatchObject({ index: 5, text: 'Another second answer.', variant: 2, variants: 2 });
    const before = (await events(id)).find((event) => event.kind === 'state_delta' && event.turn_index === 3);
    const values = (before?.payload as { state_vars: Record<string, number> }).state_vars;
    expect(other.body.session).toMatchObject({
      flow_state: 'PlayerTurnListening',
      turn_count: 5,
      player_turn_count: 2,
      flags: [],
      state_vars: { ...values, patience: (values['patience'] ?? 0) + 3 },
    });
    expect(other.body.events.map(({ type }) => type)).toEqual(['npc.final', 'scenario.state_delta']);
    expect(await session(id)).toEqual(other.body.session);
    expect((await transcript(id)).turns.map(({ index, text }) => [index, text])).toEqual([
      [1, 'You said you had news about my part.'],
      [2, 'Good morning.'],
      [3, 'The first answer.'],
      [4, 'It comes two weeks late.'],
      [5, 'Another second answer.'],
    ]);
    expect((await variants(id, 5)).map(({ text, variant }) => [text, variant])).toEqual([
      ['The second answer.', 1],
      ['Another second answer.', 2],
    ]);
    // What is said next is answered from the answer that stands.
    await say(id, 'And now?');
    expect(lastPrompt()).toContain('Another second answer.');
    expect(lastPrompt()).not.toContain('The second answer.');
  });

  it('marks what the one before it caused, and replays it no more', async () => {
    const id = await started();
    answer('One.', { state_delta: { alarm: 8 } });
    await say(id);
    answer('Two.');
    await again(id);
    const stored = await events(id);
    expect(
      stored.filter(({ turn_index }) => turn_index === 3).map(({ kind, superseded }) => [kind, superseded]),
    ).toEqual([
      ['npc_turn', true],
      ['state_delta', true],
      ['npc_turn', undefined],
      ['state_delta', undefined],
    ]);
    const socket = await recordSocket(set.url, id, { query: '?after_seq=0' });
    await waitUntil('the replay', () => socket.messages.length === 4);
    expect(socket.messages.map(({ type }) => type)).toEqual([
      'session.state',
      'npc.final',
      'npc.final',
      'scenario.state_delta',
    ]);
    expect(socket.messages[2]?.payload).toMatchObject({ turn: 3, content: 'Two.' });
    socket.close();
  });

  it('streams as a turn does, and tells every socket what stands', async () => {
    const id = await started();
    await say(id);
    const socket = await recordSocket(set.url, id);
    answer('Quite another answer.', { event_flags: ['plain_news'] });
    const { body } = await again(id);
    const told = await waitUntil('the messages', () =>
      socket.types().includes('scenario.state_delta') ? socket.messages.slice(1) : undefined,
    );
    const tokens = told
      .filter(({ type }) => type === 'npc.token')
      .map(({ payload }) => (payload as { text: string }).text);
    expect(tokens.length).toBeGreaterThan(1);
    expect('Quite another answer.'.startsWith(tokens.join(''))).toBe(true);
    expect(told.filter(({ type }) => type !== 'npc.token').map(({ type, payload }) => ({ type, payload }))).toEqual(
      body.events,
    );
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_one, at) => Number(told[0]?.seq) + at));
    answer('x');
    const { body: chosen } = await choose(id, 1);
    const later = await waitUntil('the choice', () => {
      const messages = socket.messages.slice(1 + told.length);
      return messages.length === 2 ? messages : undefined;
    });
    expect(later.map(({ type, payload }) => ({ type, payload }))).toEqual(chosen.events);
    expect(chosen.npc_turn).toMatchObject({ text: 'The first answer.', variant: 1, variants: 2 });
    socket.close();
  });

  it('undoes an ending that the one before it caused; choosing that one ends the talk again', async () => {
    const id = await started();
    answer('Then we are done.', PROMISE);
    const ended = (await say(id)).body.session;
    expect([ended.flow_state, ended.ending_id]).toEqual(['Ended', 'false_promise_made']);
    answer('Go on.');
    const undone = (await again(id)).body;
    expect(undone.session).toMatchObject({ flow_state: 'PlayerTurnListening', ending_type: null, ending_id: null });
    expect([undone.session.ended_at, undone.session.flags]).toEqual([null, []]);
    expect(undone.events.at(-1)).toMatchObject({ type: 'session.state', payload: { state: 'PlayerTurnListening' } });
    expect((await events(id)).filter((event) => event.kind === 'ending' && !event.superseded)).toEqual([]);
    const again1 = (await choose(id, 1)).body;
    expect(again1.session).toMatchObject({
      flow_state: 'Ended',
      ending_type: 'failure',
      ending_id: 'false_promise_made',
      flags: ['false_promise'],
      state_vars: ended.state_vars,
    });
    expect(again1.events.at(-1)).toMatchObject({ type: 'session.state', payload: { state: 'Ended' } });
    // From one ending to another.
    answer('Out.', {
      state_delta: { patience: -15 },
      event_flags: ['false_promise'],
      safety: { action: 'stop', reason: 'r' },
    });
    const stopped = (await again(id)).body.session;
    expect([stopped.flow_state, stopped.ending_type, stopped.ending_id]).toEqual(['Ended', 'safety_stop', null]);
    expect(await session(id)).toEqual(stopped);
    await choose(id, 2);
    expect((await say(id, 'So we go on.')).status).toBe(200);
  });

  it('leaves the ending of a player who left as it is', async () => {
    const id = await started();
    answer('Then we are done.');
    await say(id);
    const { body } = await set.call<{ session: Session }>('POST', `/api/sessions/${id}/end`);
    answer('No.', { ...PROMISE, state_delta: { patience: -3 } });
    const other = (await again(id)).body;
    expect(other.session).toMatchObject({
      flow_state: 'Ended',
      ending_type: 'player_exit',
      ended_at: body.session.ended_at,
    });
    expect(other.events.map(({ type }) => type)).toEqual(['npc.final', 'scenario.state_delta']);
    await choose(id, 1);
    const chosen = (await choose(id, 2)).body.session;
    expect(chosen).toEqual(other.session);
    const standing = (await events(id)).filter((event) => event.kind === 'ending' && !event.superseded);
    expect(standing.map(({ turn_index }) => turn_index)).toEqual([null]);
  });

  it('is given five times in all; each stays readable and can be chosen', async () => {
    const id = await started();
    await say(id);
    for (const number of [2, 3, 4, 5]) {
      answer(`Answer ${number}.`);
      expect((await again(id)).body.npc_turn).toMatchObject({ variant: number, variants: number, index: 3 });
    }
    const asked = set.gateway.requests.length;
    const refused = await again(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE']);
    expect(refused.body.details).toMatchObject({ flow_state: 'PlayerTurnListening', operation: 'regenerate' });
    expect(set.gateway.requests.length).toBe(asked);
    expect((await choose(id, 3)).body.npc_turn).toMatchObject({ text: 'Answer 3.', variant: 3, variants: 5 });
    expect((await variants(id)).map(({ text, variants: of }) => [text, of])).toEqual([
      ['The first answer.', 5],
      ...[2, 3, 4, 5].map((number) => [`Answer ${number}.`, 5]),
    ]);
    expect((await again(id)).status).toBe(409);
    const same = (await choose(id, 3)).body;
    expect([same.npc_turn.variant, same.events.map(({ type }) => type)]).toEqual([
      3,
      ['npc.final', 'scenario.state_delta'],
    ]);
  });

  it('is refused before the first answer, after the debrief was begun, and for turns that are not the last', async () => {
    const { body: fresh } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    const codeOf = async (reply: Promise<{ status: number; body: Problem }>) => {
      const { status, body } = await reply;
      return [status, body.code];
    };
    expect(await codeOf(again(fresh.id))).toEqual([409, 'INVALID_STATE']);
    const id = await started();
    expect(await codeOf(again(id))).toEqual([409, 'INVALID_STATE']);
    expect(await codeOf(choose(id, 1, 1))).toEqual([409, 'INVALID_STATE']);
    await say(id);
    await again(id);
    expect(await codeOf(choose(id, 3))).toEqual([400, 'VALIDATION_ERROR']);
    for (const variant of [0, 6, 1.5, '1', null])
      expect(await codeOf(choose(id, variant))).toEqual([400, 'VALIDATION_ERROR']);
    for (const index of [2, 4, 99]) expect(await codeOf(choose(id, 1, index))).toEqual([404, 'NOT_FOUND']);
    const unknown = await set.call<Problem>('GET', `/api/sessions/${id}/turns/2/variants`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    await say(id, 'And then?');
    expect(await codeOf(choose(id, 1))).toEqual([409, 'INVALID_STATE']);
    expect((await variants(id)).map(({ variants: of }) => of)).toEqual([2, 2]);
    await set.call('POST', `/api/sessions/${id}/end`);
    await set.call('POST', `/api/sessions/${id}/debrief`, {}, { prefer: 'respond-async' });
    expect(await codeOf(again(id))).toEqual([409, 'INVALID_STATE']);
    expect(await codeOf(choose(id, 1, 5))).toEqual([409, 'INVALID_STATE']);
    const nobody = 'nobody-nobody-nobody';
    expect(await codeOf(again(nobody))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(await codeOf(choose(nobody, 1))).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  it('is one turn at a time, is stopped as a turn is, and leaves no trace when it fails', async () => {
    const id = await started();
    await say(id);
    const before = [await session(id), await transcript(id), await events(id)];
    set.gateway.reply(() => ({ kind: 'hang', pieces: ['{"npc_utterance":"Wel'] }));
    const asked = set.gateway.requests.length;
    const hanging = again(id);
    await waitUntil('the model to be asked', () => set.gateway.requests.length > asked);
    for (const refused of [await say(id, 'Meanwhile.'), await again(id), await choose(id, 1)])
      expect([refused.status, refused.body.code]).toEqual([409, 'TURN_IN_PROGRESS']);
    await set.call('POST', `/api/sessions/${id}/cancel`);
    expect((await hanging).body.code).toBe('TURN_ABORTED');
    set.gateway.reply(() => ({ kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }));
    expect((await again(id)).status).toBe(503);
    expect([await session(id), await transcript(id), await events(id)]).toEqual(before);
  });

  it('comes too late when the debrief is begun while it is being given', async () => {
    const id = await started();
    answer('Then we are done.', PROMISE);
    await say(id);
    set.gateway.reply(() => ({ kind: 'hang', pieces: ['{"npc_utterance":"Wel'] }));
    const asked = set.gateway.requests.length;
    const hanging = again(id);
    await waitUntil('the model to be asked', () => set.gateway.requests.length > asked);
    await set.call('POST', `/api/sessions/${id}/debrief`, {}, { prefer: 'respond-async' });
    expect((await hanging).body.code).toBe('TURN_ABORTED');
    expect(await session(id)).toMatchObject({ flow_state: 'DebriefGenerating', ending_id: 'false_promise_made' });
  });

  it('can be asked for after a stand-in line', async () => {
    const id = await started();
    set.gateway.reply(() => ({ kind: 'text', pieces: ['{"mood":3}'] }));
    expect((await say(id)).body.used_fallback).toBe(true);
    answer('A real answer.');
    const { body } = await again(id);
    expect([body.used_fallback, body.npc_turn.used_fallback, body.npc_turn.text]).toEqual([
      false,
      false,
      'A real answer.',
    ]);
    expect((await choose(id, 1)).body.used_fallback).toBe(true);
  });

  describe('with an Idempotency-Key', () => {
    const key = (value: string) => ({ 'idempotency-key': value });

    it('is given once, and a repeat answers what the first call did, also after a restart', async () => {
      const id = await started();
      const turn = (await say(id, 'It comes two weeks late.', key('one-key-for-all'))).body;
      answer('The second answer.');
      const first = (await again(id, key('one-key-for-all'))).body;
      answer('The third answer.');
      expect((await again(id, key('another-key'))).body.npc_turn.variant).toBe(3);
      const asked = set.gateway.requests.length;
      expect((await again(id, key('one-key-for-all'))).body).toEqual(first);
      expect((await say(id, 'It comes two weeks late.', key('one-key-for-all'))).body).toEqual(turn);
      await set.restart();
      await choose(id, 2);
      expect((await again(id, key('one-key-for-all'))).body).toEqual(first);
      expect((await say(id, 'It comes two weeks late.', key('one-key-for-all'))).body).toEqual(turn);
      expect(set.gateway.requests.length).toBe(asked);
      const database = await openDatabase({ dataDir: set.folder.path });
      expect(JSON.stringify(await database.knex('kept_answers').select('*'))).not.toContain('second answer');
      await database.close();
    });

    it('is joined by a repeat while it runs, and frees the key when it fails', async () => {
      const id = await started();
      await say(id);
      set.gateway.reply(() => ({ kind: 'refuse', code: 'TURN_TIMEOUT' }));
      expect((await again(id, key('a-freed-key'))).status).toBe(504);
      answer('The second answer.');
      const [one, two] = await Promise.all([again(id, key('a-freed-key')), again(id, key('a-freed-key'))]);
      expect([one.status, one.body]).toEqual([200, two.body]);
      expect(await variants(id)).toHaveLength(2);
    });
  });

  it('is in both exports, in the search as long as it stands, and not in a fork', async () => {
    const id = await started();
    answer('Quibble.');
    await say(id);
    answer('Marzipan.');
    await again(id);
    const hits = async (q: string) =>
      (await set.call<SessionList>('GET', `/api/sessions?q=${q}`)).body.sessions.filter((one) => one.id === id).length;
    expect([await hits('Quibble'), await hits('Marzipan')]).toEqual([0, 1]);
    const { body } = await set.call<SessionExport>('GET', `/api/sessions/${id}/export`);
    expect(body.turns.at(-1)).toMatchObject({ text: 'Marzipan.', variant: 2, variants: 2 });
    expect(body.variants).toMatchObject([{ index: 3, text: 'Quibble.', variant: 1, variants: 2 }]);
    expect(body.events.filter(({ superseded }) => superseded)).toHaveLength(2);
    const markdown = await (await fetch(`${set.url}/api/sessions/${id}/export?format=markdown`)).text();
    expect(markdown).toContain('(answer 2 of 2)\n\nMarzipan.');
    expect(markdown.indexOf('## Answers that were put aside')).toBeGreaterThan(markdown.indexOf('Marzipan.'));
    expect(markdown).toContain('(answer 1 of 2)\n\nQuibble.');
    const fork = (await set.call<Session>('POST', `/api/sessions/${id}/fork`, { turn: 3 })).body;
    expect((await transcript(fork.id)).turns.at(-1)).toMatchObject({ text: 'Marzipan.', variant: 1, variants: 1 });
    expect(await variants(fork.id)).toHaveLength(1);
    expect((await events(fork.id)).some(({ superseded }) => superseded)).toBe(false);
    expect(fork.state_vars).toEqual((await session(id)).state_vars);
  });

  it('stays in memory when the transcript is not saved, and cannot be given when the words are lost', async () => {
    await saving(false);
    const id = await started();
    await saving(true);
    answer('Quokka.', { rubric_observations: [{ dimension: 'clarity', delta: 1, note: 'quokka note' }] });
    await say(id);
    answer('Wombat.', {
      rubric_observations: [{ dimension: 'clarity', delta: 2, note: 'wombat note' }],
      safety: { action: 'redirect', reason: 'wombat reason' },
    });
    const { body: other } = await again(id, { 'idempotency-key': 'unsaved-again' });
    expect(other.npc_turn.text).toBe('Wombat.');
    expect((await variants(id)).map(({ text }) => text)).toEqual(['Quokka.', 'Wombat.']);
    const notes = async () =>
      (await set.call<{ notes: { note: string }[] }>('GET', `/internal/sessions/${id}/memory`)).body.notes?.map(
        ({ note }) => note,
      );
    expect(await notes()).toEqual(['wombat note']);
    expect((await choose(id, 1)).body.npc_turn.text).toBe('Quokka.');
    expect(await notes()).toEqual(['quokka note']);
    expect((await again(id, { 'idempotency-key': 'unsaved-again' })).body).toEqual(other);
    expect((await choose(id, 2)).body.events).toEqual(other.events);
    expect((await transcript(id)).turns.at(-1)?.text).toBe('Wombat.');
    const database = await openDatabase({ dataDir: set.folder.path });
    for (const table of ['turns', 'turn_variants', 'events', 'kept_answers', 'turn_keys'])
      expect(JSON.stringify(await database.knex(table).where({ session_id: id }))).not.toMatch(/quokka|wombat/i);
    await database.close();
    await set.restart();
    const lost = await again(id);
    expect([lost.status, lost.body.code]).toEqual([409, 'TRANSCRIPT_NOT_SAVED']);
    expect((await choose(id, 1)).body.npc_turn).toMatchObject({ text: null, variant: 1, variants: 2 });
    expect((await session(id)).flow_state).toBe('PlayerTurnListening');
  });
});
