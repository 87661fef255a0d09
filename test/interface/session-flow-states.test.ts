import type { FlowState } from '@parley/shared/contracts';
import { scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  startParleySet,
  type ParleySet,
  asTurn,
  createSession,
  endedSession,
  say,
  scriptTurns,
  sessionOf,
  startedSession,
  transcriptOf,
  ULTIMATUM,
} from '../set';

/** docs/interface.md, Flow states: one test a row; then every operation in every state. */
describe('Session flow states', () => {
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

  it('(none), POST /api/sessions: NotStarted, the session is created', async () => {
    const session = await createSession(set);
    expect(session.flow_state).toBe('NotStarted');
    expect(await sessionOf(set, session.id)).toEqual(session);
  });

  it('NotStarted, POST …/start: PlayerTurnListening, the opening line is delivered', async () => {
    const { id } = await createSession(set);
    const socket = await set.socket(id);
    const { turn } = await set.ask('startSession', { params: { id } });
    const final = await socket.next('npc.final');
    expect(final.payload).toMatchObject({ turn: 1, content: turn.text });
    expect((await sessionOf(set, id)).flow_state).toBe('PlayerTurnListening');
  });

  it('PlayerTurnListening, POST …/turn without an ending: PlayerTurnListening, the turn is stored and events returned', async () => {
    const { id } = await startedSession(set);
    const { body } = await say(set, id, 'Hello.');
    expect(body.events.map((event) => event.type)).toEqual(['npc.final', 'scenario.state_delta']);
    expect(body.session).toMatchObject({ flow_state: 'PlayerTurnListening', ending_type: null, ended_at: null });
    expect((await transcriptOf(set, id)).turns.at(-1)).toEqual(body.npc_turn);
  });

  it('PlayerTurnListening, POST …/turn with an ending: Ended, the ending event is stored', async () => {
    const { id } = await startedSession(set);
    scriptTurns(gateway, asTurn({ event_flags: ['ultimatum'] }));
    const { body } = await say(set, id, ULTIMATUM);
    expect(body.session).toMatchObject({ flow_state: 'Ended', ending_type: 'failure', ending_id: 'cornered' });
    expect(body.events.at(-1)).toMatchObject({ type: 'session.state', payload: { state: 'Ended' } });
    const { events } = await set.ask('listEvents', { params: { id } });
    expect(events.at(-1)).toMatchObject({ kind: 'ending', turn_index: 3, payload: { ending_type: 'failure' } });
  });

  it('PlayerTurnListening, POST …/end: Ended, ending_type is player_exit', async () => {
    const { id } = await startedSession(set);
    const { session } = await set.ask('endSession', { params: { id } });
    expect(session).toMatchObject({ flow_state: 'Ended', ending_type: 'player_exit' });
    const { events } = await set.ask('listEvents', { params: { id } });
    expect(events.at(-1)).toMatchObject({ kind: 'ending', payload: { ending_type: 'player_exit' } });
  });

  it('Ended, POST …/debrief: DebriefGenerating, then generation completes: DebriefReady, stored and returned', async () => {
    const { id } = await endedSession(set, 1);
    const socket = await set.socket(id);
    await socket.next('session.state');
    const debrief = await set.ask('createDebrief', { params: { id } });
    await waitUntil('both states', () => socket.messages.length >= 3);
    expect(socket.messages.map((one) => (one.type === 'session.state' ? one.payload.state : one.type))).toEqual([
      'Ended',
      'DebriefGenerating',
      'DebriefReady',
    ]);
    expect(await set.ask('getDebrief', { params: { id } })).toEqual(debrief);
  });

  describe('an operation in a state that does not allow it is 409 and changes nothing', () => {
    const STATES: FlowState[] = ['NotStarted', 'PlayerTurnListening', 'Ended', 'DebriefGenerating', 'DebriefReady'];
    const AFTER: FlowState[] = ['Ended', 'DebriefGenerating', 'DebriefReady'];
    const OPERATIONS: readonly [string, string, string, unknown, FlowState[]][] = [
      ['start', 'POST', '/start', undefined, ['NotStarted']],
      ['turn', 'POST', '/turn', { text: 'Hello.' }, ['PlayerTurnListening']],
      ['cancel', 'POST', '/cancel', undefined, ['PlayerTurnListening']],
      ['end', 'POST', '/end', undefined, ['PlayerTurnListening']],
      ['debrief', 'POST', '/debrief', undefined, AFTER],
      ['self-rating', 'PUT', '/self-rating', { ratings: { evidence: 40 } }, AFTER],
      ['fork', 'POST', '/fork', { turn: 1 }, ['PlayerTurnListening', ...AFTER]],
    ];

    async function sessionIn(state: FlowState): Promise<string> {
      if (state === 'NotStarted') return (await createSession(set)).id;
      if (state === 'PlayerTurnListening') return (await startedSession(set)).id;
      const { id } = await endedSession(set, 3); // of fewer lines the debrief is made without the model that hangs
      if (state === 'Ended') return id;
      if (state === 'DebriefGenerating') scriptTurns(gateway, asTurn(), { kind: 'hang', pieces: [] });
      const headers = { prefer: 'respond-async' };
      await set.call(
        'POST',
        `/api/sessions/${id}/debrief`,
        undefined,
        state === 'DebriefGenerating' ? { headers } : {},
      );
      return id;
    }

    it.each(STATES)('in %s', async (state) => {
      const id = await sessionIn(state);
      const before = await sessionOf(set, id);
      expect(before.flow_state).toBe(state);
      const refused: string[] = [];
      for (const [operation, method, path, body, allowed] of OPERATIONS) {
        if (allowed.includes(state)) continue;
        const problem = await set.problem(method, `/api/sessions/${id}${path}`, body);
        expect([operation, problem.status, problem.code]).toEqual([operation, 409, 'INVALID_STATE']);
        expect(problem.details).toEqual({ flow_state: state, operation, allowed_in: allowed });
        refused.push(operation);
      }
      expect(refused.length).toBeGreaterThan(2);
      expect(await sessionOf(set, id)).toEqual(before);
      for (const path of ['/transcript', '/export', '/events'])
        expect([path, (await set.call('GET', `/api/sessions/${id}${path}`)).status]).toEqual([path, 200]);
      await set.call('DELETE', `/api/sessions/${id}`);
    });
  });
});
