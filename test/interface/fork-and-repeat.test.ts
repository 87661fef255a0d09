import type { Problem, TurnAnswer } from '@parley/shared/contracts';
import { npcTurnJson, scriptedGateway, waitUntil, type ScriptedGateway } from '@parley/shared/testing';
import {
  asTurn,
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

describe('Turns that are gone back to or sent again', () => {
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

  describe('fork', () => {
    it('goes on from a turn of the character with everything as it stood then, and leaves the original alone', async () => {
      const { id } = await startedSession(set);
      for (let turn = 1; turn <= 5; turn += 1) {
        scriptTurns(
          gateway,
          asTurn({
            npc_utterance: `Answer ${turn}.`,
            state_delta: { pressure: turn },
            event_flags: turn === 2 ? ['gave_ground'] : [],
          }),
        );
        await say(set, id, `Question ${turn}.`);
      }
      const states = (await set.ask('exportSession', { params: { id } })).events;
      const original = await sessionOf(set, id);
      const reply = await set.call('POST', `/api/sessions/${id}/fork`, { turn: 7 });
      expect(reply.status).toBe(201);
      const fork = await sessionOf(set, String(reply.body['id']));
      expect(reply.headers['location']).toBe(`/api/sessions/${fork.id}`);
      const stateOfThen = states.find((event) => event.kind === 'state_delta' && event.turn_index === 7);
      expect(fork).toMatchObject({
        flow_state: 'PlayerTurnListening',
        forked_from: { session_id: id, turn: 7 },
        attempt: 'retry',
        turn_count: 7,
        player_turn_count: 3,
        state_vars: (stateOfThen?.payload as { state_vars: object }).state_vars,
        flags: original.flags.filter((flag) => flag !== 'freeze_mail'),
        transcript_saved: true,
      });
      expect((await transcriptOf(set, fork.id)).turns).toEqual((await transcriptOf(set, id)).turns.slice(0, 7));
      scriptTurns(gateway);
      const next = await say(set, fork.id, 'Another question.');
      expect(next.body.session.flags).toContain('freeze_mail');
      expect(next.body.player_turn.index).toBe(8);
      expect(await sessionOf(set, id)).toEqual(original);
      await set.call('DELETE', `/api/sessions/${id}`);
      expect((await transcriptOf(set, fork.id)).turns).toHaveLength(9);
    });

    it('refuses turns of the player, turns that are not there and the turn that ended the session', async () => {
      const { id } = await startedSession(set);
      await say(set, id, 'One.');
      scriptTurns(gateway, asTurn({ event_flags: ['ultimatum'] }));
      await say(set, id, ULTIMATUM);
      for (const turn of [2, 4, 5, 6, 99, 0, -1, 1.5, '1', null]) {
        const problem = await set.problem('POST', `/api/sessions/${id}/fork`, { turn });
        expect([turn, problem.status, problem.code]).toEqual([turn, 400, 'VALIDATION_ERROR']);
      }
      for (const turn of [1, 3])
        expect((await set.call('POST', `/api/sessions/${id}/fork`, { turn })).status).toBe(201);
    });

    it('refuses with TRANSCRIPT_NOT_SAVED when the text was not kept', async () => {
      await set.ask('patchSettings', { body: { save_transcripts: false } });
      const { id, transcript_saved } = await startedSession(set);
      await set.ask('patchSettings', { body: { save_transcripts: true } });
      expect(transcript_saved).toBe(false);
      const problem = await set.problem('POST', `/api/sessions/${id}/fork`, { turn: 1 });
      expect([problem.status, problem.code]).toEqual([409, 'TRANSCRIPT_NOT_SAVED']);
    });
  });

  describe('Idempotency-Key', () => {
    const key = (value: string): Record<string, string> => ({ 'idempotency-key': value });

    it('makes a repeat answer what the first did: while it runs, after it, after the ending, after a kill -9', async () => {
      const { id } = await startedSession(set);
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson({ event_flags: ['ultimatum'] })], until });
      const asked = gateway.requests.length;
      const first = say(set, id, ULTIMATUM, key('key-0001'));
      await waitUntil('the model to be asked', () => gateway.requests.length > asked);
      const joined = say(set, id, ` ${ULTIMATUM} `, key('key-0001'));
      release();
      const answer = (await first).body;
      expect((await joined).body).toEqual(answer);
      expect(answer.session.flow_state).toBe('Ended');
      const repeat = async (): Promise<TurnAnswer & Problem> => (await say(set, id, ULTIMATUM, key('key-0001'))).body;
      expect(await repeat()).toEqual(answer);
      await set.kill('session_api', 'SIGKILL');
      await set.startProcess('session_api');
      expect(await repeat()).toEqual(answer);
      expect(gateway.requests.length).toBe(asked + 1);
      expect((await transcriptOf(set, id)).turns).toHaveLength(3);
    });

    it('belongs to one session and one text, is freed by a failed turn, and must be well formed', async () => {
      const one = await startedSession(set);
      const two = await startedSession(set);
      expect((await say(set, one.id, 'Same words.', key('shared-key'))).status).toBe(200);
      expect((await say(set, two.id, 'Same words.', key('shared-key'))).body.session.id).toBe(two.id);
      const other = await say(set, one.id, 'Other words.', key('shared-key'));
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      scriptTurns(gateway, { kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' });
      expect((await say(set, one.id, 'Again.', key('failed-key'))).status).toBe(503);
      scriptTurns(gateway);
      expect((await say(set, one.id, 'Quite other.', key('failed-key'))).status).toBe(200);
      for (const malformed of ['1234567', 'x'.repeat(65), 'with blank', 'ümlaut-key'])
        expect([
          malformed,
          (await say(set, one.id, 'Again.', { 'idempotency-key': encodeURI(malformed) })).status,
        ]).toEqual([malformed, 400]);
      expect(JSON.stringify((await storedRows(set))['turn_keys'])).not.toContain('Same words');
    });
  });
});
