import type { Session, StoredEvent } from '@parley/shared/contracts';
import { npcTurnJson, scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  BUILT_IN_IDS,
  asTurn,
  playToEnd,
  playthrough,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
  ULTIMATUM,
  type ParleySet,
} from '../set';

const LINES = Array.from({ length: 20 }, (_unused, at) => `Line ${at + 1}.`);
const SKILLED = playthrough('the_ask', 'skilled');
/** Success needs the number too. An ultimatum that names it meets success and failure at once. */
const ALL_BUT_THE_NUMBER = SKILLED.filter((line) => !line.includes('53,000'));

const SAID = {
  skilled: [
    'What would you need, and could we agree on a day for it?',
    'I understand. What if I write it down by Friday?',
    'Thank you. So I do this by Monday, is that right?',
  ],
  hostile: ['You are useless.', 'This is pathetic, and so are you.', 'Shut up and do it.'],
  passive: ['Hm.', 'I see.', 'Well.'],
} as const;

/**
 * docs/interface.md, Ending types: one test a row with both built-in scenarios, then priority, then play on the fake
 * runtime.
 */
describe('Ending types', () => {
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

  const endingEvents = async (id: string): Promise<StoredEvent[]> => {
    const { events } = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    return events.filter((event) => event.kind === 'ending' || event.kind === 'safety_stop');
  };
  async function expectEnding(session: Session, type: string, id: string | null): Promise<void> {
    expect(session).toMatchObject({ flow_state: 'Ended', ending_type: type, ending_id: id });
    expect(await sessionOf(set, session.id)).toEqual(session);
    const endings = (await endingEvents(session.id)).filter((event) => event.kind === 'ending');
    expect(endings.map((event) => event.payload)).toEqual([
      { state: 'Ended', state_vars: session.state_vars, ending_type: type, ending_id: id },
    ]);
    const after = await set.problem('POST', `/api/sessions/${session.id}/turn`, { text: 'One more thing.' });
    expect(after.code).toBe('INVALID_STATE');
  }

  it('success: the success condition of the scenario is met', async () => {
    const ask = await startedSession(set, 'the_ask');
    await expectEnding(await playToEnd(set, ask.id, SKILLED), 'success', 'a_case_she_can_carry');
    const rota = await startedSession(set, 'kitchen_rota');
    await expectEnding(
      await playToEnd(set, rota.id, playthrough('kitchen_rota', 'skilled')),
      'success',
      'the_blank_side',
    );
  });

  it('failure: a failure condition of the scenario is met', async () => {
    const hostile = playthrough('kitchen_rota', 'hostile');
    const impatient = [...playthrough('the_ask', 'hostile').slice(0, 2), ...SAID.hostile];
    for (const [scenario, members, lines, id] of [
      ['the_ask', { event_flags: ['ultimatum'] }, [ULTIMATUM], 'cornered'],
      ['the_ask', { state_delta: { patience: -20 } }, impatient, 'out_of_patience'],
      ['kitchen_rota', { event_flags: ['attack'] }, hostile, 'it_got_personal'],
      ['kitchen_rota', { state_delta: { rapport: -12 } }, hostile, 'door_closes'],
    ] as const) {
      const session = await startedSession(set, scenario);
      scriptTurns(gateway, asTurn(members));
      await expectEnding(await playToEnd(set, session.id, lines), 'failure', id);
    }
  });

  it('timeout: max_turns is reached without success or failure', async () => {
    for (const [scenario, turns, id] of [
      ['the_ask', 14, 'half_hour_gone'],
      ['kitchen_rota', 12, 'too_late_tonight'],
    ] as const) {
      const { id: sessionId } = await startedSession(set, scenario);
      const session = await playToEnd(set, sessionId, LINES);
      expect(session.player_turn_count).toBe(turns);
      await expectEnding(session, 'timeout', id);
    }
  });

  it.each(['stop', 'stop_with_resource_message'])(
    'safety_stop: the output of the character says %s',
    async (action) => {
      const { id } = await startedSession(set);
      scriptTurns(gateway, asTurn({ safety: { action, reason: 'A crisis.' } }));
      const { body } = await say(set, id, 'Hello.');
      await expectEnding(body.session, 'safety_stop', null);
      expect(await endingEvents(id)).toMatchObject([
        { kind: 'safety_stop', payload: { action, reason: 'A crisis.' } },
        { kind: 'ending' },
      ]);
    },
  );

  it('player_exit: the player calls the end operation', async () => {
    const { id } = await startedSession(set);
    const { session } = await set.ask('endSession', { params: { id } });
    await expectEnding(session, 'player_exit', null);
  });

  describe('when several apply at once, the priority is safety_stop, player_exit, success, failure, timeout', () => {
    /** Brings a session of the_ask one turn away from success, or to its last turn, or both. */
    async function almost(success: boolean, lastTurn: boolean): Promise<string> {
      const { id } = await startedSession(set);
      const lines = success ? ALL_BUT_THE_NUMBER : [];
      const more = lastTurn ? LINES.slice(0, 13 - lines.length) : [];
      for (const line of [...lines, ...more]) await say(set, id, line);
      expect(await sessionOf(set, id)).toMatchObject({ flow_state: 'PlayerTurnListening' });
      return id;
    }
    const WINS = SKILLED[0] ?? '';
    const RAISED = { event_flags: ['ultimatum'] };
    const STOP = { safety: { action: 'stop', reason: null } };

    it.each([
      ['safety_stop over success, failure and timeout', true, true, ULTIMATUM, { ...RAISED, ...STOP }, 'safety_stop'],
      ['safety_stop over failure', false, false, ULTIMATUM, { ...RAISED, ...STOP }, 'safety_stop'],
      ['success over failure and timeout', true, true, ULTIMATUM, RAISED, 'success'],
      ['success over failure', true, false, ULTIMATUM, RAISED, 'success'],
      ['success over timeout', true, true, WINS, {}, 'success'],
      ['failure over timeout', false, true, ULTIMATUM, RAISED, 'failure'],
    ] as const)('%s', async (_name, success, lastTurn, line, members, expected) => {
      const id = await almost(success, lastTurn);
      scriptTurns(gateway, asTurn(members));
      const { body } = await say(set, id, line);
      expect([body.session.flow_state, body.session.ending_type]).toEqual(['Ended', expected]);
      expect((await endingEvents(id)).filter((event) => event.kind === 'ending')).toHaveLength(1);
    });

    it('player_exit over whatever the running turn would have brought', async () => {
      const id = await almost(true, false);
      scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson({})] });
      const asked = gateway.requests.length;
      const turn = say(set, id, WINS);
      await waitUntil('the model to be asked', () => gateway.requests.length > asked);
      const { session } = await set.ask('endSession', { params: { id } });
      expect(session.ending_type).toBe('player_exit');
      expect((await turn).body.code).toBe('TURN_ABORTED');
      await expectEnding(session, 'player_exit', null);
    });
  });

  it('the wish of the character to end the session ends nothing by itself', async () => {
    const { id } = await startedSession(set);
    scriptTurns(gateway, asTurn({ session_control: { end_session: true, reason: 'Enough.' } }));
    const { body } = await say(set, id, 'Hello.');
    expect(body.session).toMatchObject({ flow_state: 'PlayerTurnListening', ending_type: null });
  });
});

describe('Endings of the built-in scenarios on the fake runtime', () => {
  let set: ParleySet;
  beforeAll(async () => {
    set = await startParleySet();
  });
  afterAll(() => set.stop());

  const plays = BUILT_IN_IDS.flatMap((id) => [
    [id, 'skilled', 'success'] as const,
    [id, 'hostile', 'failure'] as const,
    [id, 'passive', 'timeout'] as const,
  ]);
  it.each(plays)('%s, played by a %s player, ends in %s and gets its debrief', async (scenario, player, expected) => {
    const { id } = await startedSession(set, scenario);
    const lines = player === 'skilled' ? playthrough(scenario, player) : [];
    const padding = Array.from({ length: 20 }, (_unused, at) => SAID[player][at % 3] ?? '');
    const session = await playToEnd(set, id, [...lines, ...padding]);
    expect(session.ending_type).toBe(expected);
    const debrief = await set.ask('createDebrief', { params: { id } });
    expect(debrief).toMatchObject({ session_id: id, ending_type: expected, used_fallback: false });
    const again = await startedSession(set, scenario);
    const other = await playToEnd(set, again.id, [...lines, ...padding]);
    expect([other.state_vars, other.flags, other.ending_id]).toEqual([
      session.state_vars,
      session.flags,
      session.ending_id,
    ]);
  });
});
