import {
  RESERVED_MESSAGE_TYPES,
  type EmittedMessage,
  type MessageType,
  type SocketMessage,
} from '@parley/shared/contracts';
import {
  inPieces,
  npcTurnJson,
  scriptedGateway,
  waitUntil,
  type ScriptedGateway,
  type SocketRecorder,
} from '@parley/shared/testing';
import {
  asTurn,
  createSession,
  say,
  scriptTurns,
  startParleySet,
  startedSession,
  ULTIMATUM,
  type ParleySet,
} from '../set';

const withoutTokens = (messages: readonly SocketMessage[]): EmittedMessage[] =>
  messages
    .filter((message) => message.type !== 'npc.token')
    .map(({ type, payload }) => ({ type, payload }) as EmittedMessage);

/** docs/contract.md, WebSocket: one test a type, then the order, the numbers, replay and close codes. */
describe('Event types', () => {
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

  /** A socket of a session that has been told the state. */
  async function joined(id: string): Promise<SocketRecorder> {
    const socket = await set.socket(id);
    await socket.next('session.state');
    return socket;
  }
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
      // 3 of openness came from the model, the rest from the move that the words made.
      state_delta: { objective_progress: 8, openness: 9, pressure: 5, trust: 6 },
      event_flags: ['asked_interest'],
    });
    expect(body.events[0]).toEqual({ type: 'npc.final', payload: final.payload });
  });

  it('npc.final replaces the tokens: a fallback after half a stream is what counts', async () => {
    const { id } = await startedSession(set);
    const socket = await joined(id);
    scriptTurns(gateway, {
      kind: 'error',
      pieces: ['{"npc_utterance":"Half of a sentence that never'],
      code: 'RUNTIME_ERROR',
    });
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
    expect(one?.payload).toEqual({ delta: { patience: -4, pressure: 3 }, state_vars: moved.body.session.state_vars });
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
    await say(set, id, ULTIMATUM);
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
    const last = (await say(set, id, `Fine, 49,000 is enough. ${ULTIMATUM}`)).body;
    answers.push(last);
    await waitUntil('the end', () => count(socket, 'session.state') === 3);
    expect(last.events.map((event) => event.type)).toEqual([
      'npc.final',
      'scenario.state_delta',
      'scenario.event',
      'scenario.event',
      'safety.redirect',
      'session.state',
    ]);
    expect(withoutTokens(socket.messages).slice(1)).toEqual(answers.flatMap((answer) => answer.events));
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(events.slice(-6).map((event) => event.kind)).toEqual([
      'npc_turn',
      'state_delta',
      'scenario_event',
      'scenario_event',
      'safety_redirect',
      'ending',
    ]);
    expect(events.map((event) => event.id)).toEqual([...events.map((event) => event.id)].sort((a, b) => a - b));
    expect(JSON.stringify(events)).not.toMatch(/Well\?|I hear you/);
  });
});
