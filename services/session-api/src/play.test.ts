import type { Problem, Session, StartAnswer, Transcript, TurnAnswer } from '@parley/shared/contracts';
import { FALLBACK_UTTERANCE } from '@parley/shared/contracts';
import { inPieces, npcTurnJson, recordSocket, waitUntil } from '@parley/shared/testing';
import { findSession, openDatabase, saveSession } from '@parley/shared/store';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

describe('session-api plays a session', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet();
  });
  afterAll(() => set.stop());
  beforeEach(() => set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(npcTurnJson()) })));

  const create = async (): Promise<Session> => {
    const reply = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toBe(`/api/sessions/${reply.body.id}`);
    return reply.body;
  };
  const started = async (): Promise<Session> => {
    const session = await create();
    const reply = await set.call<StartAnswer>('POST', `/api/sessions/${session.id}/start`);
    expect(reply.status).toBe(200);
    return reply.body.session;
  };
  const say = (id: string, text: string, headers: Record<string, string> = {}) =>
    set.call<TurnAnswer & Problem>('POST', `/api/sessions/${id}/turn`, { text }, headers);

  it('creates, starts with the opening line, and takes turns that move variables', async () => {
    const session = await create();
    expect(session).toMatchObject({
      flow_state: 'NotStarted',
      turn_count: 0,
      ending_type: null,
      transcript_saved: true,
    });
    const start = await set.call<StartAnswer>('POST', `/api/sessions/${session.id}/start`);
    expect(start.body.turn).toMatchObject({ index: 1, role: 'npc', text: 'You said you had news about my part.' });
    expect(start.body.events.map((event) => event.type)).toEqual(['npc.final', 'session.state']);
    set.gateway.reply(() => ({
      kind: 'text',
      pieces: inPieces(npcTurnJson({ state_delta: { trust: 5, nonsense: 3 }, event_flags: ['plain_news'] })),
    }));
    const turn = await say(session.id, '  The part is two weeks late. I am sorry.  ');
    expect(turn.status).toBe(200);
    expect(turn.body.player_turn).toMatchObject({
      index: 2,
      role: 'player',
      text: 'The part is two weeks late. I am sorry.',
    });
    expect(turn.body.npc_turn).toMatchObject({ index: 3, role: 'npc', text: 'I hear you. Go on.' });
    expect(turn.body.session.turn_count).toBe(3);
    expect(turn.body.session.player_turn_count).toBe(1);
    const again = await set.call<Session>('GET', `/api/sessions/${session.id}`);
    expect(again.body).toEqual(turn.body.session);
  });

  it('streams the utterance to the socket before the commit and the events after it, numbered without a gap', async () => {
    const session = await started();
    const socket = await recordSocket(set.url, session.id);
    await socket.next('session.state');
    const turn = await say(session.id, 'Hello?');
    await socket.next('scenario.state_delta');
    const types = socket.types();
    expect(types[0]).toBe('session.state');
    expect(types.filter((type) => type === 'npc.token').length).toBeGreaterThan(1);
    expect(types.slice(-2)).toEqual(['npc.final', 'scenario.state_delta']);
    const tokens = socket.messages.flatMap((one) => (one.type === 'npc.token' ? [one.payload.text] : []));
    expect(tokens.join('')).toBe(turn.body.npc_turn.text);
    const seqs = socket.messages.map((one) => one.seq);
    expect(seqs).toEqual(seqs.map((_seq, at) => (seqs[0] ?? 0) + at));
    socket.close();
  });

  it.each([
    ['', 400],
    ['   \n\t ', 400],
    ['x'.repeat(2001), 400],
    ['\u{1F600}'.repeat(2000), 200],
    ['\ud800', 400],
    ['a\u0000b', 400],
  ])('checks the player text %#', async (text, status) => {
    const session = await started();
    const reply = await set.call<Problem>('POST', `/api/sessions/${session.id}/turn`, JSON.stringify({ text }));
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.body.code).toBe('TURN_INPUT_ERROR');
  });

  it('answers a text that is missing or no string as VALIDATION_ERROR', async () => {
    const session = await started();
    for (const body of [{}, { text: 1 }, { text: 'a', more: 1 }]) {
      const reply = await set.call<Problem>('POST', `/api/sessions/${session.id}/turn`, body);
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  const UNREACHABLE = { reason: 'model_server_unreachable', runtime_id: 'local_server' };
  it.each([
    [UNREACHABLE, { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE', details: UNREACHABLE }],
    [{ reason: 'model_server_busy' }, { kind: 'refuse', code: 'OVERLOADED' }],
    [{ reason: 'model_server_lost' }, { kind: 'error', pieces: ['{"npc_utt'], code: 'RUNTIME_UNAVAILABLE' }],
    [{ reason: 'gateway_unreachable' }, { kind: 'break', pieces: ['{"npc_utt'] }],
  ] as const)('tells with %j why nothing can be answered', async (details, script) => {
    const session = await started();
    set.gateway.reply(() => script);
    const { body } = await set.call<Problem>('POST', `/api/sessions/${session.id}/turn`, { text: 'Hello?' });
    expect([body.code, body.details]).toEqual(['RUNTIME_UNAVAILABLE', details]);
  });

  it.each([
    ['an unreachable runtime', { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }, 503, 'RUNTIME_UNAVAILABLE'],
    ['a full queue', { kind: 'refuse', code: 'OVERLOADED' }, 503, 'RUNTIME_UNAVAILABLE'],
    ['a stall', { kind: 'refuse', code: 'TURN_TIMEOUT' }, 504, 'TURN_TIMEOUT'],
    ['a stall in mid-stream', { kind: 'error', pieces: ['{"npc_utt'], code: 'TURN_TIMEOUT' }, 504, 'TURN_TIMEOUT'],
    ['a lost connection', { kind: 'break', pieces: ['{"npc_utterance":"Wel'] }, 503, 'RUNTIME_UNAVAILABLE'],
  ] as const)('leaves no trace of a turn that failed by %s', async (_what, script, status, code) => {
    const session = await started();
    const socket = await recordSocket(set.url, session.id);
    set.gateway.reply(() => script);
    const reply = await say(session.id, 'Hello?');
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([status, code, true]);
    const error = await socket.next('error');
    expect(error.payload).toMatchObject({ code });
    const after = await set.call<Session>('GET', `/api/sessions/${session.id}`);
    expect(after.body).toEqual(session);
    socket.close();
  });

  it.each([
    ['an error of the model server', { kind: 'refuse', code: 'RUNTIME_ERROR' }],
    ['an error in mid-stream', { kind: 'error', pieces: ['{"npc_utterance":"Wel'], code: 'RUNTIME_ERROR' }],
    ['prose that is no speech', { kind: 'text', pieces: ['As an assistant ', 'I would rather not.'] }],
    ['an empty answer', { kind: 'text', pieces: [] }],
  ] as const)('lets the fallback stand in for %s', async (_what, script) => {
    const session = await started();
    set.gateway.reply(() => script);
    const reply = await say(session.id, 'Hello?');
    expect([reply.status, reply.body.used_fallback]).toEqual([200, true]);
    expect(reply.body.npc_turn).toMatchObject({ text: FALLBACK_UTTERANCE, used_fallback: true });
    expect(reply.body.session.state_vars).toEqual(session.state_vars);
  });

  it('takes clean prose for what the character says, without any effect', async () => {
    const session = await started();
    set.gateway.reply(() => ({ kind: 'text', pieces: ['I would ', 'rather not.'] }));
    const reply = await say(session.id, 'Hello?');
    expect([reply.status, reply.body.used_fallback]).toEqual([200, false]);
    expect(reply.body.npc_turn).toMatchObject({ text: 'I would rather not.', used_fallback: false });
    expect(reply.body.session.state_vars).toEqual(session.state_vars);
  });

  it('runs one turn at a time per session', async () => {
    const session = await started();
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    set.gateway.reply(() => ({ kind: 'hang', pieces: [npcTurnJson()], until }));
    const before = set.gateway.requests.length;
    const first = say(session.id, 'One');
    await waitUntil('the model to be asked', () => set.gateway.requests.length > before);
    const second = await say(session.id, 'Two');
    expect([second.status, second.body.code]).toEqual([409, 'TURN_IN_PROGRESS']);
    release();
    expect((await first).status).toBe(200);
  });

  it.each(['end', 'cancel', 'delete'] as const)(
    '%s aborts the running turn at once and nothing of it is stored',
    async (by) => {
      const session = await started();
      const socket = await recordSocket(set.url, session.id);
      set.gateway.reply(() => ({ kind: 'hang', pieces: ['{"npc_utterance":"One moment'] }));
      const before = set.gateway.requests.length;
      const cancelled = set.gateway.cancelled();
      const turn = say(session.id, 'Wait');
      await waitUntil('the model to be asked', () => set.gateway.requests.length > before);
      const overtaking =
        by === 'delete'
          ? await set.call('DELETE', `/api/sessions/${session.id}`)
          : await set.call('POST', `/api/sessions/${session.id}/${by}`);
      expect(overtaking.status).toBe(by === 'delete' ? 204 : 200);
      const reply = await turn;
      expect([reply.status, reply.body.code]).toEqual([409, 'TURN_ABORTED']);
      await waitUntil('the generation to be cancelled', () => set.gateway.cancelled() > cancelled);
      const error = await socket.next('error');
      expect(error.payload).toMatchObject({ code: 'TURN_ABORTED' });
      if (by === 'delete') {
        expect(await socket.closed()).toBe(4404);
        expect((await set.call('GET', `/api/sessions/${session.id}`)).status).toBe(404);
        return;
      }
      const after = (await set.call<Session>('GET', `/api/sessions/${session.id}`)).body;
      expect(after.turn_count).toBe(1);
      expect(after.flow_state).toBe(by === 'end' ? 'Ended' : 'PlayerTurnListening');
      if (by === 'end') {
        const state = await socket.next('session.state', socket.messages.indexOf(error));
        expect(state.payload).toMatchObject({ state: 'Ended', ending_type: 'player_exit' });
      }
      socket.close();
    },
  );

  it('answers a repeat with the same Idempotency-Key as the first, also while it runs and after a restart', async () => {
    const session = await started();
    const key = { 'idempotency-key': 'key-12345678' };
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    set.gateway.reply(() => ({ kind: 'hang', pieces: [npcTurnJson({ state_delta: { trust: 4 } })], until }));
    const before = set.gateway.requests.length;
    const first = say(session.id, 'Once', key);
    await waitUntil('the model to be asked', () => set.gateway.requests.length > before);
    const joined = say(session.id, 'Once', key);
    release();
    const [one, two] = await Promise.all([first, joined]);
    expect(two.body).toEqual(one.body);
    expect((await say(session.id, 'Once', key)).body).toEqual(one.body);
    const other = await say(session.id, 'Another text', key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const malformed = await say(session.id, 'Once', { 'idempotency-key': 'short' });
    expect([malformed.status, malformed.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    await set.call('POST', `/api/sessions/${session.id}/end`);
    await set.restart();
    expect((await say(session.id, 'Once', key)).body).toEqual(one.body);
    expect(set.gateway.requests.length).toBe(before + 1);
  });

  it('makes the prompt of a turn out of memory exactly as it would out of what is stored', async () => {
    const { id } = await started();
    for (const text of ['It is late.', 'Two weeks, I am afraid.', 'What would help you?']) await say(id, text);
    const asked = set.gateway.requests.at(-1)?.messages;
    const stored = await set.call<{ messages: unknown }>('GET', `/api/sessions/${id}/debug/prompt`);
    expect(stored.body.messages).toEqual(asked);
  });

  it('stores nothing on top of what somebody else changed meanwhile, and plays on from there', async () => {
    const { id } = await started();
    expect((await say(id, 'It is late.')).status).toBe(200);
    const database = await openDatabase({ dataDir: set.folder.path });
    try {
      const session = await findSession(database, id);
      if (session === null) throw new Error('the session is not stored');
      const vars = { ...session.state_vars, trust: 77 };
      const engine = { ...(session.engine_state as object), state_vars: vars };
      await database.write((transaction) =>
        saveSession(transaction, { ...session, state_vars: vars, engine_state: engine }, session),
      );
    } finally {
      await database.close();
    }
    const overtaken = await say(id, 'Are you there?');
    expect([overtaken.status, overtaken.body.code]).toEqual([409, 'TURN_ABORTED']);
    set.gateway.reply(() => ({ kind: 'text', pieces: [npcTurnJson({ state_delta: {} })] }));
    expect((await say(id, 'Are you there?')).body.session).toMatchObject({ turn_count: 5, state_vars: { trust: 77 } });
  });

  it('frees the key of a failed turn', async () => {
    const session = await started();
    const key = { 'idempotency-key': 'key-of-a-failure' };
    set.gateway.reply(() => ({ kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }));
    expect((await say(session.id, 'Hello', key)).status).toBe(503);
    set.gateway.reply(() => ({ kind: 'text', pieces: [npcTurnJson()] }));
    expect((await say(session.id, 'Hello', key)).status).toBe(200);
  });

  it('finishes and stores the turn of a client that went away', async () => {
    const session = await started();
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    set.gateway.reply(() => ({ kind: 'hang', pieces: [npcTurnJson()], until }));
    const before = set.gateway.requests.length;
    const leaving = new AbortController();
    const gone = fetch(`${set.url}/api/sessions/${session.id}/turn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'I must go' }),
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    await waitUntil('the model to be asked', () => set.gateway.requests.length > before);
    leaving.abort();
    expect(await gone).toBe('AbortError');
    release();
    await waitUntil('the turn to be stored', async () => {
      return (await set.call<Session>('GET', `/api/sessions/${session.id}`)).body.turn_count === 3;
    });
  });

  it('keeps numbers of messages growing over reconnects and restarts', async () => {
    const session = await started();
    const first = await recordSocket(set.url, session.id);
    const one = await first.next('session.state');
    const second = await recordSocket(set.url, session.id, { query: '?after_seq=0' });
    const replayed = await second.next('npc.final');
    expect(replayed.seq).toBeGreaterThan(one.seq);
    expect(replayed.payload).toMatchObject({ turn: 1, content: 'You said you had news about my part.' });
    await set.restart();
    expect(await first.closed()).toBe(1001);
    const third = await recordSocket(set.url, session.id);
    expect((await third.next('session.state')).seq).toBeGreaterThan(replayed.seq);
    third.close();
  });

  it.each(['', '?after_seq=', '?after_seq=1', '?after_seq=00', '?other=0'])(
    'ignores the query %p on connect',
    async (query) => {
      const session = await started();
      const socket = await recordSocket(set.url, session.id, { query });
      await socket.next('session.state');
      await say(session.id, 'Anything');
      await socket.next('npc.final');
      expect(socket.messages.filter((one) => one.type === 'npc.final')).toHaveLength(1);
      socket.close();
    },
  );

  it('tells a socket of an unknown session so and closes it with 4404', async () => {
    const socket = await recordSocket(set.url, 'nobodynobodynobodynobody');
    expect(await socket.closed()).toBe(4404);
    expect(socket.messages.map((one) => one.payload)).toEqual([expect.objectContaining({ code: 'SESSION_NOT_FOUND' })]);
  });

  it('ignores what a client sends and closes with 1009 above 4 KiB', async () => {
    const session = await started();
    const socket = await recordSocket(set.url, session.id);
    socket.socket.send('hello');
    await say(session.id, 'Anything');
    await socket.next('npc.final');
    socket.socket.send('x'.repeat(5000));
    expect(await socket.closed()).toBe(1009);
  });

  it('keeps no text of a session that is not saved on disk, and answers it from memory', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const session = await started();
    await set.call('PATCH', '/api/settings', { save_transcripts: true });
    set.gateway.reply(() => ({ kind: 'text', pieces: [npcTurnJson({ npc_utterance: 'CANARY-NPC says so.' })] }));
    const turn = await say(session.id, 'CANARY-PLAYER tells a secret');
    expect(turn.body.npc_turn.text).toBe('CANARY-NPC says so.');
    const before = await set.call<Transcript>('GET', `/api/sessions/${session.id}/transcript`);
    expect(before.body.turns.map((one) => one.text)).toEqual([
      'You said you had news about my part.',
      'CANARY-PLAYER tells a secret',
      'CANARY-NPC says so.',
    ]);
    await set.restart();
    const after = await set.call<Transcript>('GET', `/api/sessions/${session.id}/transcript`);
    expect(after.body.turns.map((one) => [one.index, one.text])).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
    const { readdirSync, readFileSync } = await import('node:fs');
    const { join } = await import('node:path');
    const files = readdirSync(set.folder.path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const file of files)
      expect([file.name, readFileSync(join(file.parentPath, file.name)).includes('CANARY')]).toEqual([
        file.name,
        false,
      ]);
    expect(files.length).toBeGreaterThan(0);
  });
});
