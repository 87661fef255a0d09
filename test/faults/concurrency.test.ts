import type { Problem, Session, TurnAnswer } from '@parley/shared/contracts';
import { npcTurnJson, scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  asTurn,
  inconsistencies,
  playToEnd,
  say,
  scriptTurns,
  seededRandom,
  sessionOf,
  startParleySet,
  startedSession,
  storedRows,
  transcriptOf,
  type ParleySet,
  type Reply,
} from '../set';

const CLIENTS = 20;
const SESSIONS = 200;

describe('many clients of one session', () => {
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

  const statuses = (replies: readonly Reply<TurnAnswer & Problem>[]): string[] =>
    replies.map((reply) => `${reply.status} ${reply.status === 200 ? '' : reply.body.code}`.trim());

  it('20 clients posting to one session at once get one turn and nineteen TURN_IN_PROGRESS', async () => {
    const { id } = await startedSession(set);
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()], until });
    const asked = gateway.requests.length;
    let answered = 0;
    const turns = Array.from({ length: CLIENTS }, (_unused, at) =>
      say(set, id, `Client ${at}.`).finally(() => (answered += 1)),
    );
    const atTheModel = (): number => gateway.requests.length - asked;
    // A second turn at the model ends the wait too, and nothing stays held back: a broken check fails here at once.
    await waitUntil(
      'all but one to be refused, or a second turn to reach the model',
      () => answered === CLIENTS - 1 || atTheModel() > 1,
    ).finally(release);
    const replies = await Promise.all(turns);
    expect({ turnsAtTheModel: atTheModel(), answers: statuses(replies).sort() }).toEqual({
      turnsAtTheModel: 1,
      answers: ['200', ...Array.from({ length: CLIENTS - 1 }, () => '409 TURN_IN_PROGRESS')],
    });
    expect(replies.filter((reply) => reply.status === 409).every((reply) => reply.body.retryable)).toBe(true);
    const stored = replies.find((reply) => reply.status === 200)?.body;
    expect((await transcriptOf(set, id)).turns.slice(1)).toEqual([stored?.player_turn, stored?.npc_turn]);
  });

  it('20 clients that insist get their turns one after the other, each once', async () => {
    const { id } = await startedSession(set, 'the_ask');
    const outcomes = await Promise.all(
      Array.from({ length: CLIENTS }, async (_unused, at) => {
        for (;;) {
          const reply = await say(set, id, `Client ${at}.`);
          if (reply.body.code !== 'TURN_IN_PROGRESS') return reply;
        }
      }),
    );
    const accepted = outcomes.filter((reply) => reply.status === 200);
    expect(accepted).toHaveLength(14);
    expect(new Set(statuses(outcomes))).toEqual(new Set(['200', '409 INVALID_STATE']));
    const indexes = accepted.map((reply) => reply.body.player_turn.index).sort((a, b) => a - b);
    expect(indexes).toEqual(Array.from({ length: 14 }, (_unused, at) => 2 * at + 2));
    const stored = await set.ask('exportSession', { params: { id } });
    expect(inconsistencies(stored)).toEqual([]);
    for (const { body } of accepted) expect(stored.turns[body.player_turn.index - 1]).toEqual(body.player_turn);
  });

  it('20 starts, ends and debriefs at once happen once', async () => {
    const { id } = await set.ask('createSession', { body: { scenario_id: 'kitchen_rota' } });
    const all = (operation: string): Promise<Reply[]> =>
      Promise.all(Array.from({ length: CLIENTS }, () => set.call('POST', `/api/sessions/${id}/${operation}`)));
    for (const operation of ['start', 'end']) {
      // The model words a debrief from three lines on.
      if (operation === 'end') for (const line of ['One.', 'Two.', 'Three.']) await say(set, id, line);
      const replies = await all(operation);
      expect([operation, replies.filter((reply) => reply.status === 200)]).toMatchObject([operation, { length: 1 }]);
      expect(replies.filter((reply) => reply.status === 409)).toHaveLength(CLIENTS - 1);
    }
    const asked = gateway.requests.length;
    const debriefs = await all('debrief');
    for (const reply of debriefs) expect([reply.status, reply.body]).toEqual([200, debriefs[0]?.body]);
    expect(gateway.requests.length).toBe(asked + 1);
    expect(inconsistencies(await set.ask('exportSession', { params: { id } }))).toEqual([]);
  });

  it('end, cancel, delete and turns that race leave either a whole turn or none', async () => {
    const random = seededRandom(7);
    scriptTurns(gateway, asTurn({ state_delta: { pressure: 1 } }));
    for (let round = 0; round < 30; round += 1) {
      const { id } = await startedSession(set);
      const operation = (['end', 'cancel', 'delete'] as const)[round % 3] ?? 'end';
      const turn = say(set, id, 'Racing.');
      for (let wait = Math.floor(random() * 4); wait > 0; wait -= 1) await set.call('GET', `/livez`);
      const other = await (operation === 'delete'
        ? set.call('DELETE', `/api/sessions/${id}`)
        : set.call('POST', `/api/sessions/${id}/${operation}`));
      const { status, body } = await turn;
      expect([other.status, status, body.code]).toEqual(
        status === 200
          ? [operation === 'delete' ? 204 : 200, 200, undefined]
          : [
              operation === 'delete' ? 204 : 200,
              status,
              expect.stringMatching(/^(TURN_ABORTED|INVALID_STATE|SESSION_NOT_FOUND)$/),
            ],
      );
      if (operation === 'delete')
        expect((await set.problem('GET', `/api/sessions/${id}`)).code).toBe('SESSION_NOT_FOUND');
      else {
        const stored = await set.ask('exportSession', { params: { id } });
        expect(inconsistencies(stored)).toEqual([]);
        expect(stored.turns.length).toBe(status === 200 ? 3 : 1);
      }
    }
  });
});

describe('many sessions at once', () => {
  it('200 sessions in parallel all end with consistent transcripts and a debrief each', async () => {
    const set = await startParleySet({ environment: { SIM_MAX_CONCURRENT_TURNS: '256', SIM_LOG_LEVEL: 'warn' } });
    try {
      const play = async (at: number): Promise<Session> => {
        const scenario = at % 2 === 0 ? 'the_ask' : 'kitchen_rota';
        const { id } = await startedSession(set, scenario);
        const lines = Array.from(
          { length: 14 },
          (_unused, turn) => `Session ${at} turn ${turn + 1}: what do you need by Friday?`,
        );
        const ended = await playToEnd(set, id, lines);
        const { turns } = await transcriptOf(set, id);
        expect(turns.filter((turn) => turn.role === 'player').map((turn) => turn.text)).toEqual(
          lines.slice(0, ended.player_turn_count),
        );
        await set.ask('createDebrief', { params: { id } });
        return sessionOf(set, id);
      };
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, (_unused, at) => play(at)));
      expect(new Set(sessions.map((session) => session.id)).size).toBe(SESSIONS);
      expect(new Set(sessions.map((session) => session.flow_state))).toEqual(new Set(['DebriefReady']));
      const exports = await Promise.all(sessions.map(({ id }) => set.ask('exportSession', { params: { id } })));
      expect(exports.flatMap(inconsistencies)).toEqual([]);
      const rows = await storedRows(set);
      expect([rows['sessions']?.length, rows['debriefs']?.length]).toEqual([SESSIONS, SESSIONS]);
      expect(rows['turns']?.length).toBe(exports.reduce((sum, one) => sum + one.turns.length, 0));
      expect(rows['events']?.length).toBe(exports.reduce((sum, one) => sum + one.events.length, 0));
    } finally {
      await set.stop();
    }
  }, 300_000);
});
