import path from 'node:path';
import { ERROR_KINDS, STATUS_PHRASES, type ErrorCode } from '@parley/shared/contracts';
import {
  npcTurnJson,
  scriptedGateway,
  temporaryFolder,
  waitUntil,
  type ScriptedGateway,
  type TemporaryFolder,
} from '@parley/shared/testing';
import {
  LONG_TALK,
  createSession,
  endedSession,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
  writeSamplePack,
  type ParleySet,
} from '../set';

const zipHeader = { headers: { 'content-type': 'application/zip' } };

describe('Problem documents', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = temporaryFolder('codes');
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url, environment: { SIM_MAX_CONCURRENT_TURNS: '3' } });
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
    folder.remove();
  });
  beforeEach(() => scriptTurns(gateway));

  describe('codes of docs/contract.md, Errors', () => {
    /** Runs a request that must fail with this code. */
    async function expectCode(code: ErrorCode, ...call: Parameters<ParleySet['problem']>): Promise<void> {
      const problem = await set.problem(...call);
      const { status, retryable } = ERROR_KINDS[code];
      const title = STATUS_PHRASES[status];
      expect(problem).toMatchObject({ type: 'about:blank', code, status, title, retryable });
      expect(problem.detail).toMatch(/^[A-Za-z_].*[.]$/s);
    }

    it('BAD_JSON, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, SETTING_READ_ONLY', async () => {
      await expectCode('BAD_JSON', 'POST', '/api/sessions', '{"scenario_id":');
      await expectCode('BAD_JSON', 'POST', '/api/sessions', Buffer.from('{"scenario_id":"\xff"}', 'latin1'));
      await expectCode('BAD_JSON', 'POST', '/api/sessions', '{"__proto__":{"scenario_id":"the_ask"}}');
      await expectCode('BAD_JSON', 'POST', '/api/sessions', `${'['.repeat(30_000)}${']'.repeat(30_000)}`);
      await expectCode('VALIDATION_ERROR', 'POST', '/api/sessions', {});
      await expectCode('VALIDATION_ERROR', 'POST', '/api/sessions', '');
      await expectCode('UNSUPPORTED_MEDIA_TYPE', 'POST', '/api/sessions', 'scenario_id=the_ask', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      await expectCode('UNSUPPORTED_MEDIA_TYPE', 'POST', '/api/packs/import', 'PK', zipHeader);
      await expectCode('PAYLOAD_TOO_LARGE', 'POST', '/api/sessions', `{"scenario_id":"${'a'.repeat(65_536)}"}`);
      await expectCode('SETTING_READ_ONLY', 'PATCH', '/api/settings', { telemetry_enabled: true });
      await expectCode('VALIDATION_ERROR', 'PATCH', '/api/settings', { save_everything: true });
      await expectCode('VALIDATION_ERROR', 'POST', '/api/packs/validate', { path: path.join(folder.path, 'nowhere') });
    });

    it('NOT_FOUND, SESSION_NOT_FOUND, SCENARIO_NOT_FOUND, PACK_NOT_FOUND, DEBRIEF_NOT_FOUND, RECAP_NOT_FOUND', async () => {
      const { id } = await createSession(set);
      await expectCode('NOT_FOUND', 'GET', '/api/nothing');
      await expectCode('NOT_FOUND', 'GET', '/');
      await expectCode('SESSION_NOT_FOUND', 'POST', '/api/sessions/nobodynobodynobodynobody/turn', { text: 'Hello.' });
      await expectCode('SCENARIO_NOT_FOUND', 'GET', '/api/scenarios/nothing');
      await expectCode('PACK_NOT_FOUND', 'GET', '/api/packs/nothing');
      await expectCode('PACK_NOT_FOUND', 'DELETE', '/api/packs/nothing');
      await expectCode('DEBRIEF_NOT_FOUND', 'GET', `/api/sessions/${id}/debrief`);
      await expectCode('RECAP_NOT_FOUND', 'DELETE', '/api/relationship-memory/dana/the_ask');
    });

    it('METHOD_NOT_ALLOWED names what the path takes in Allow', async () => {
      for (const [method, path, allowed] of [
        ['PUT', '/api/sessions', ['GET', 'POST']],
        ['POST', '/api/health', ['GET']],
        ['GET', '/api/sessions/nobodynobodynobodynobody/turn', ['POST']],
        ['DELETE', '/api/settings', ['GET', 'PATCH']],
        ['GET', '/api/privacy/clear', ['POST']],
        ['PATCH', '/api/packs', ['GET']],
      ] as const) {
        const reply = await set.call(method, path);
        expect([path, reply.status, reply.body['code']]).toEqual([path, 405, 'METHOD_NOT_ALLOWED']);
        const named = String(reply.headers['allow']).split(', ');
        expect(named).toEqual(expect.arrayContaining([...allowed]));
        expect(named).not.toContain(method);
      }
    });

    it('TURN_IN_PROGRESS, TURN_ABORTED and OVERLOADED with Retry-After', async () => {
      scriptTurns(gateway, { kind: 'hang', pieces: [npcTurnJson()] });
      // The limit is one of each process.
      const places = 3 * set.instancesOf('session_api').length;
      const ids: string[] = [];
      while (ids.length <= places) ids.push((await startedSession(set)).id);
      const asked = gateway.requests.length;
      const running = ids.slice(0, places).map((id) => say(set, id, 'Hello.'));
      await waitUntil('every place to be taken', () => gateway.requests.length === asked + places);
      await expectCode('TURN_IN_PROGRESS', 'POST', `/api/sessions/${ids[0]}/turn`, { text: 'Hello.' });
      await expectCode('OVERLOADED', 'POST', `/api/sessions/${ids[places]}/turn`, { text: 'Hello.' });
      const refused = await say(set, ids[places] ?? '', 'Hello.');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      await set.call('POST', `/api/sessions/${ids[0]}/cancel`);
      await set.call('POST', `/api/sessions/${ids[1]}/end`);
      await set.call('DELETE', `/api/sessions/${ids[2]}`);
      for (const id of ids.slice(3, places)) await set.call('POST', `/api/sessions/${id}/cancel`);
      for (const turn of await Promise.all(running))
        expect([turn.status, turn.body.code]).toEqual([409, 'TURN_ABORTED']);
      await waitUntil('the generations to be cancelled', () => gateway.cancelled() >= places);
      expect((await sessionOf(set, ids[0] ?? '')).flow_state).toBe('PlayerTurnListening');
    });

    it('PACK_IN_USE while a session of the pack is neither ended nor deleted; INVALID_STATE or PACK_IN_USE for built-in ones', async () => {
      if ((await set.call('GET', `/api/packs/${LONG_TALK}`)).status === 404)
        await set.call('POST', '/api/packs/import', { path: writeSamplePack(path.join(folder.path, 'used')) });
      const { id } = await startedSession(set, LONG_TALK);
      await expectCode('PACK_IN_USE', 'DELETE', `/api/packs/${LONG_TALK}`);
      await set.call('POST', `/api/sessions/${id}/end`);
      expect((await set.call('DELETE', `/api/packs/${LONG_TALK}`)).status).toBe(204);
      await expectCode('SCENARIO_NOT_FOUND', 'POST', '/api/sessions', { scenario_id: LONG_TALK });
      expect((await set.call('GET', `/api/sessions/${id}/export`)).status).toBe(200);
      expect((await set.problem('DELETE', '/api/packs/the_ask')).status).toBe(409);
      expect((await set.call('GET', '/api/packs/the_ask')).status).toBe(200);
    });

    it('RESERVED for everything under the voice prefix but its status', async () => {
      const status = await set.call('GET', '/api/stt');
      expect([status.status, status.body]).toEqual([200, { available: false, status: 'reserved' }]);
      for (const [method, path] of [
        ['POST', '/api/stt'],
        ['GET', '/api/stt/x'],
        ['DELETE', '/api/stt/a/b'],
      ] as const)
        await expectCode('RESERVED', method, path);
    });

    it('SERVICE_UNAVAILABLE names the process that sleeps, and all is well when it is back', async () => {
      const session = await startedSession(set);
      // A process that has played it knows its scenario.
      for (const _ of set.instancesOf('session_api')) await say(set, session.id, 'Hello.');
      await set.kill('pack_service');
      for (const path of ['/api/scenarios', '/api/packs', '/api/scenarios/the_ask']) {
        const problem = await set.problem('GET', path);
        expect([problem.status, problem.code, problem.details]).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          { service: 'pack_service' },
        ]);
      }
      expect((await say(set, session.id, 'Hello.')).status).toBe(200);
      await set.startProcess('pack_service');
      expect((await set.call('GET', '/api/scenarios')).status).toBe(200);
    });

    it('a sleeping worker only makes a debrief wait', async () => {
      const { id } = await endedSession(set, 1);
      await set.kill('debrief_worker');
      const waiting = set.call('POST', `/api/sessions/${id}/debrief`);
      await waitUntil('the state', async () => (await sessionOf(set, id)).flow_state === 'DebriefGenerating');
      await set.startProcess('debrief_worker');
      expect((await waiting).status).toBe(200);
    });
  });
});
