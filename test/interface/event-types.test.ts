import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { REPLAY_CAP, RESERVED_MESSAGE_TYPES, type EmittedMessage, type MessageType, type SocketMessage } from '@parley/shared/contracts'; // prettier-ignore
import { inPieces, npcTurnJson, scriptedGateway, waitUntil, temporaryFolder, type ScriptedGateway, type SocketRecorder, type TemporaryFolder } from '@parley/shared/testing'; // prettier-ignore
import {
  LONG_TALK, installSamplePack, asTurn, createSession, endedSession, say, scriptTurns, startParleySet, startedSession, type ParleySet,
} from '../set'; // prettier-ignore

const withoutTokens = (messages: readonly SocketMessage[]): EmittedMessage[] =>
  messages
    .filter((message) => message.type !== 'npc.token')
    .map(({ type, payload }) => ({ type, payload }) as EmittedMessage);

/** Interface, "Event types" and "WebSocket": one test a row, then the order, the numbers, replay and close codes. */
describe('Event types', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    gateway = await scriptedGateway();
    folder = temporaryFolder('sample');
    set = await startParleySet({ gatewayUrl: gateway.url });
    await installSamplePack(set, folder.path);
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    folder.remove();
  });
  beforeEach(() => scriptTurns(gateway));

  /** A socket of a session that has been told the state. */
  async function joined(id: string): Promise<SocketRecorder> {
    const socket = await set.socket(id);
    await socket.next('session.state');
    return socket;
  }
  /** A ping comes back after everything that was sent before it. */
  const answered = (socket: SocketRecorder): Promise<void> =>
    new Promise((resolve) => {
      socket.socket.once('pong', () => resolve());
      socket.socket.ping();
    });
  const count = (socket: SocketRecorder, type: MessageType): number =>
    socket.types().filter((one) => one === type).length;

  it('session.state: on connect and on every state transition, with state, state_vars and ending_type', async () => {
    const { id } = await createSession(set);
    const socket = await joined(id);
    await set.ask('startSession', { params: { id } });
    await set.ask('endSession', { params: { id } });
    await set.ask('createDebrief', { params: { id } });
    await waitUntil('all states', () => count(socket, 'session.state') === 5);
    const states = socket.messages.flatMap((one) => (one.type === 'session.state' ? [one.payload] : []));
    expect(states.map(({ state, ending_type }) => [state, ending_type])).toEqual([
      ['NotStarted', null],
      ['PlayerTurnListening', null],
      ['Ended', 'player_exit'],
      ['DebriefGenerating', 'player_exit'],
      ['DebriefReady', 'player_exit'],
    ]);
    for (const { state_vars } of states) expect(state_vars).toMatchObject({ trust: 46, patience: 70 });
  });

  it('npc.token: each streamed piece of the utterance, decoded, as it arrives', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    const utterance = 'She said: "no".\n\u00dcber \u{1F600} all, {maybe}.';
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    const pieces = inPieces(npcTurnJson({ npc_utterance: utterance }), 5);
    scriptTurns(gateway, { kind: 'hang', pieces, until });
    const turn = say(set, id, 'Well?');
    const heard = (): string =>
      socket.messages.flatMap((one) => (one.type === 'npc.token' ? [one.payload.text] : [])).join('');
    await waitUntil('the utterance before the turn is done', () => heard() === utterance);
    expect(count(socket, 'npc.token')).toBeGreaterThan(2);
    expect(count(socket, 'npc.final')).toBe(0);
    release();
    expect((await turn).body.npc_turn.text).toBe(utterance);
    expect(heard()).toBe(utterance);
  });

  it('npc.final: the reply is complete, with content, emotion, state_delta and event_flags', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(
      gateway,
      asTurn({ npc_emotion: 'thoughtful', state_delta: { openness: 3, pressure: 5 }, event_flags: ['asked_interest'] }),
    );
    const { body } = await say(set, id, 'What do you need?');
    const final = await socket.next('npc.final');
    expect(final.payload).toEqual({
      turn: 3,
      content: 'I hear you. Go on.',
      emotion: 'thoughtful',
      state_delta: { openness: 3, pressure: 5 },
      event_flags: ['asked_interest'],
    });
    expect(body.events[0]).toEqual({ type: 'npc.final', payload: final.payload });
  });

  it('npc.final replaces the tokens: a fallback after half a stream is what counts', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(gateway, { kind: 'error', pieces: ['{"npc_utterance":"Half of a'], code: 'RUNTIME_ERROR' });
    await say(set, id, 'Well?');
    const final = await socket.next('npc.final');
    expect(final.payload).toMatchObject({ content: "I'm not sure what to say right now. Could you repeat that?" });
    expect(count(socket, 'npc.token')).toBeGreaterThan(0);
  });

  it('scenario.state_delta: once a turn, with the applied delta and all state_vars, also when nothing changed', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(gateway, asTurn({ state_delta: { patience: -200, trust: 0, pressure: 3 } }));
    const moved = await say(set, id, 'Well?');
    scriptTurns(gateway, asTurn());
    await say(set, id, 'Well?');
    await waitUntil('two of them', () => count(socket, 'scenario.state_delta') === 2);
    const [one, two] = socket.messages.filter((message) => message.type === 'scenario.state_delta');
    expect(one?.payload).toEqual({ delta: { patience: -20, pressure: 3 }, state_vars: moved.body.session.state_vars });
    expect(two?.payload).toEqual({ delta: {}, state_vars: moved.body.session.state_vars });
  });

  it('scenario.event: one a fired event of the scenario, with its id as a flag and its narration', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    for (let turn = 1; turn <= 3; turn += 1) await say(set, id, 'Well?');
    expect(count(socket, 'scenario.event')).toBe(0);
    const { body } = await say(set, id, 'Well?');
    const event = await socket.next('scenario.event');
    expect(event.payload).toMatchObject({ flags: ['freeze_mail'] });
    expect((event.payload as { narration: string }).narration).toMatch(/laptop chimes/);
    expect(body.session.flags).toContain('freeze_mail');
    expect(body.session.state_vars['pressure']).toBe(42);
    await say(set, id, 'Well?');
    await waitUntil('the fifth turn', () => count(socket, 'npc.final') === 5);
    expect(count(socket, 'scenario.event')).toBe(1);
  });

  it.each(['redirect', 'refuse'])('safety.redirect: on %s, with its reason, and the play goes on', async (action) => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(gateway, asTurn({ safety: { action, reason: 'Off the subject.' } }));
    const { body } = await say(set, id, 'Something else.');
    expect(body.session.flow_state).toBe('PlayerTurnListening');
    expect((await socket.next('safety.redirect')).payload).toEqual({ reason: 'Off the subject.' });
    const { events } = await set.ask('listEvents', { params: { id } });
    expect(events.at(-1)).toMatchObject({ kind: 'safety_redirect', payload: { action, reason: 'Off the subject.' } });
  });

  it('error: a processing error, with code and message, and the socket stays usable', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(gateway, { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' });
    const { body } = await say(set, id, 'Well?');
    const error = await socket.next('error');
    expect(error.payload).toEqual({ code: 'RUNTIME_UNAVAILABLE', message: body.detail });
    scriptTurns(gateway);
    await say(set, id, 'Well?');
    await socket.next('npc.final');
  });

  it('stt.partial, stt.final and tts.audio_chunk: reserved, never emitted', async () => {
    const { id } = await createSession(set);
    const socket = await joined(id);
    await set.ask('startSession', { params: { id } });
    scriptTurns(gateway, asTurn({ event_flags: ['ultimatum'] }));
    await say(set, id, 'Pay.');
    await set.ask('createDebrief', { params: { id } });
    await waitUntil('the debrief', () => count(socket, 'session.state') >= 5);
    expect(socket.types().filter((type) => (RESERVED_MESSAGE_TYPES as readonly string[]).includes(type))).toEqual([]);
  });

  it('every message has seq, session_id, type, ts and payload, numbered without a gap, the same on all sockets', async () => {
    const { id } = await createSession(set);
    const one = await joined(id);
    const two = await joined(id);
    await set.ask('startSession', { params: { id } });
    await say(set, id, 'Well?');
    await waitUntil('both to have all', () =>
      [one, two].every((socket) => count(socket, 'scenario.state_delta') === 1),
    );
    for (const socket of [one, two]) {
      for (const message of socket.messages) {
        expect(Object.keys(message).sort()).toEqual(['payload', 'seq', 'session_id', 'ts', 'type']);
        expect(message.session_id).toBe(id);
      }
    }
    const [first = 0] = two.messages.map((message) => message.seq);
    expect(two.messages.map((message) => message.seq)).toEqual(two.messages.map((_message, at) => first + at));
    const shared = one.messages.filter((message) => message.seq > first);
    expect(shared).toEqual(two.messages.slice(1));
  });

  it('the events array of an answer is what the socket got, in its order, tokens left out', async () => {
    const { id } = await createSession(set);
    const socket = await joined(id);
    const answers: { events: EmittedMessage[] }[] = [await set.ask('startSession', { params: { id } })];
    for (let turn = 1; turn <= 3; turn += 1) answers.push((await say(set, id, 'Well?')).body);
    scriptTurns(
      gateway,
      asTurn({ safety: { action: 'redirect', reason: null }, event_flags: ['ultimatum', 'gave_ground'] }),
    );
    const last = (await say(set, id, 'Well?')).body;
    answers.push(last);
    await waitUntil('the end', () => count(socket, 'session.state') === 3);
    expect(last.events.map((event) => event.type)).toEqual([
      'npc.final', 'scenario.state_delta', 'scenario.event', 'scenario.event', 'safety.redirect', 'session.state',
    ]); // prettier-ignore
    expect(withoutTokens(socket.messages).slice(1)).toEqual(answers.flatMap((answer) => answer.events));
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(events.slice(-6).map((event) => event.kind)).toEqual([
      'npc_turn', 'state_delta', 'scenario_event', 'scenario_event', 'safety_redirect', 'ending',
    ]); // prettier-ignore
    expect(events.map((event) => event.id)).toEqual([...events.map((event) => event.id)].sort((a, b) => a - b));
    expect(JSON.stringify(events)).not.toMatch(/Well\?|I hear you/);
  });

  it('after_seq=0 replays the stored events after the connect-time state, as the messages of then', async () => {
    const { id } = await startedSession(set, 'kitchen_rota');
    scriptTurns(gateway, asTurn({ safety: { action: 'refuse', reason: 'No.' } }));
    await say(set, id, 'Hm.');
    scriptTurns(gateway, asTurn({ safety: { action: 'stop', reason: 'Enough.' } }));
    await say(set, id, 'Hm.');
    await set.ask('createDebrief', { params: { id } });
    const socket = await set.socket(id, { query: '?after_seq=0' });
    await waitUntil('the ending', () => count(socket, 'session.state') === 2);
    expect(socket.types()).toEqual([
      'session.state', 'npc.final', 'npc.final', 'scenario.state_delta', 'safety.redirect', 'npc.final',
      'scenario.state_delta', 'session.state',
    ]); // prettier-ignore
    expect(socket.messages[0]?.payload).toMatchObject({ state: 'DebriefReady' });
    expect(socket.messages.at(-1)?.payload).toMatchObject({ state: 'Ended', ending_type: 'safety_stop' });
    const { turns } = await set.ask('getTranscript', { params: { id } });
    const finals = socket.messages.flatMap((one) => (one.type === 'npc.final' ? [one.payload] : []));
    expect(finals.map(({ turn, content }) => [turn, content])).toEqual(
      turns.filter((turn) => turn.role === 'npc').map((turn) => [turn.index, turn.text]),
    );
  });

  it('after_seq=0 is capped at the first 50 stored events; any other value is ignored', async () => {
    const { id } = await startedSession(set, LONG_TALK);
    for (let turn = 1; turn <= 25; turn += 1) await say(set, id, 'Hm.');
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(events.length).toBeGreaterThan(REPLAY_CAP + 5);
    const socket = await set.socket(id, { query: '?after_seq=0' });
    await waitUntil('the replay', () => socket.messages.length > REPLAY_CAP);
    await answered(socket);
    expect(socket.messages).toHaveLength(REPLAY_CAP + 1);
    const finals = events.slice(0, REPLAY_CAP).filter((event) => /^npc_/.test(event.kind));
    expect(count(socket, 'npc.final')).toBe(finals.length);
    for (const query of ['?after_seq=1', '?after_seq=', '?after_seq=-0', '?after_seq=0x0', '?after_seq=00']) {
      const other = await set.socket(id, { query });
      await other.next('session.state');
      await answered(other);
      expect([query, other.types()]).toEqual([query, ['session.state']]);
    }
  });

  it('numbers keep growing over reconnects, a restart and a kill -9', async () => {
    const { id } = await startedSession(set);
    const seqs: number[] = [];
    for (const interruption of ['none', 'SIGTERM', 'SIGKILL', 'none'] as const) {
      const socket = await joined(id);
      await say(set, id, 'Well?');
      await socket.next('scenario.state_delta');
      seqs.push(...socket.messages.map((message) => message.seq));
      if (interruption === 'none') continue;
      await set.kill('session_api', interruption);
      expect(await socket.closed()).toBe(interruption === 'SIGTERM' ? 1001 : 1006);
      await set.startProcess('session_api');
    }
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  it('an unknown session gets an error message and 4404, a deleted one 4404 as well', async () => {
    const unknown = await set.socket('nobodynobodynobodynobody');
    expect(await unknown.closed()).toBe(4404);
    expect(unknown.messages.map((one) => [one.type, one.payload])).toEqual([
      ['error', expect.objectContaining({ code: 'SESSION_NOT_FOUND' })],
    ]);
    const { id } = await startedSession(set);
    const socket = await joined(id);
    await set.call('DELETE', `/api/sessions/${id}`);
    expect(await socket.closed()).toBe(4404);
    const cleared = await joined((await startedSession(set)).id);
    await set.call('POST', '/api/privacy/clear', {});
    expect(await cleared.closed()).toBe(4404);
  });

  it('messages of the client are ignored, and above 4 KiB they close the socket with 1009', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    for (const text of ['hello', '{"type":"npc.final"}', 'x'.repeat(4096)]) socket.socket.send(text);
    await say(set, id, 'Well?');
    await socket.next('npc.final');
    socket.socket.send('x'.repeat(4097));
    expect(await socket.closed()).toBe(1009);
  });

  it('a socket that does not read is closed with 1013 and slows nobody else', async () => {
    const { id } = await startedSession(set);
    const reader = await joined(id);
    const sleeper = await joined(id);
    const connection = (sleeper.socket as WebSocket & { _socket: Socket })._socket;
    // The kernel takes several megabytes before anything waits in the process: turns that stall leave many tokens each.
    const pieces = ['{"npc_utterance":"', ...Array.from({ length: 1100 }, () => 'w')];
    scriptTurns(gateway, { kind: 'error', pieces, code: 'TURN_TIMEOUT' });
    for (let turns = 48; sleeper.closeCode() === null && turns <= 192; turns *= 2) {
      connection.pause();
      for (let turn = 1; turn <= turns; turn += 1) expect((await say(set, id, 'Talk.')).status).toBe(504);
      connection.resume();
      await Promise.race([answered(sleeper), sleeper.closed()]);
    }
    expect(await sleeper.closed()).toBe(1013);
    expect(reader.closeCode()).toBeNull();
    expect(count(reader, 'npc.token')).toBeGreaterThan(count(sleeper, 'npc.token'));
  });

  it('a socket that joins while a turn runs sees it end', async () => {
    const { id } = await endedSession(set, 0).then(() => startedSession(set));
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()], until });
    const asked = gateway.requests.length;
    const turn = say(set, id, 'Well?');
    await waitUntil('the model to be asked', () => gateway.requests.length > asked);
    const socket = await joined(id);
    release();
    await turn;
    expect((await socket.next('npc.final')).payload).toMatchObject({ turn: 3 });
    expect(socket.messages[0]).toMatchObject({ type: 'session.state', payload: { state: 'PlayerTurnListening' } });
  });
});
