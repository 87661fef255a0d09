import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scriptedGateway, type ScriptedGateway } from '@parley/shared/testing';
import {
  asTurn,
  createSession,
  filesUnder,
  playToEnd,
  say,
  scriptTurns,
  sessionOf,
  startParleySet,
  startedSession,
  ULTIMATUM,
  type ParleySet,
} from '../set';

const UNKNOWN = 'nobodynobodynobodynobody';
const evil = { headers: { host: 'evil.example:7355' } };

describe('Conventions (docs/contract.md, Requests and answers)', () => {
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

  describe('checks come in one order: Host and Origin, route, media and JSON, body and headers, resource, state', () => {
    const turn = (id: string): string => `/api/sessions/${id}/turn`;
    let ended = '';
    beforeAll(async () => {
      const { id } = await startedSession(set);
      ended = (await set.ask('endSession', { params: { id } })).session.id;
    });

    it('Host before everything', async () => {
      for (const [method, route] of [
        ['GET', '/nothing'],
        ['PATCH', '/api/sessions'],
        ['POST', turn(UNKNOWN)],
      ] as const)
        expect((await set.problem(method, route, undefined, evil)).code).toBe('HOST_NOT_ALLOWED');
    });

    it('Host before Origin, and Origin before the route', async () => {
      const both = { headers: { ...evil.headers, origin: 'http://evil.example' } };
      expect((await set.problem('GET', '/nothing', undefined, both)).code).toBe('HOST_NOT_ALLOWED');
      const origin = { headers: { origin: 'http://evil.example' } };
      expect((await set.problem('GET', '/nothing', undefined, origin)).code).toBe('ORIGIN_NOT_ALLOWED');
    });

    it('the route before the body: 404 and 405 whatever is sent', async () => {
      const form = { headers: { 'content-type': 'text/plain' } };
      expect((await set.problem('POST', '/nothing', '{', form)).code).toBe('NOT_FOUND');
      expect((await set.problem('PUT', '/api/sessions', '{', form)).code).toBe('METHOD_NOT_ALLOWED');
    });

    it('the media type before the size, the size before the syntax, the syntax before the members', async () => {
      const large = `{"text":${'x'.repeat(70_000)}`;
      const form = { headers: { 'content-type': 'text/plain' } };
      expect((await set.problem('POST', turn(UNKNOWN), large, form)).code).toBe('UNSUPPORTED_MEDIA_TYPE');
      expect((await set.problem('POST', turn(UNKNOWN), large)).code).toBe('PAYLOAD_TOO_LARGE');
      expect((await set.problem('POST', turn(UNKNOWN), '{"text"')).code).toBe('BAD_JSON');
      expect((await set.problem('POST', turn(UNKNOWN), '{"txt":""}')).code).toBe('VALIDATION_ERROR');
    });

    it('the text and the Idempotency-Key before the session, the session before its state', async () => {
      expect((await set.problem('POST', turn(UNKNOWN), { text: ' ' })).code).toBe('TURN_INPUT_ERROR');
      const headers = { 'idempotency-key': 'short' };
      expect((await set.problem('POST', turn(UNKNOWN), { text: 'Hi.' }, { headers })).code).toBe('VALIDATION_ERROR');
      expect((await set.problem('POST', turn(UNKNOWN), { text: 'Hi.' })).code).toBe('SESSION_NOT_FOUND');
      expect((await set.problem('POST', turn(ended), { text: '' })).code).toBe('TURN_INPUT_ERROR');
      expect((await set.problem('POST', turn(ended), { text: 'Hi.' })).code).toBe('INVALID_STATE');
    });

    it('a fork checks its body before the session and the session before the turn that it names', async () => {
      const fork = (id: string): string => `/api/sessions/${id}/fork`;
      expect((await set.problem('POST', fork(UNKNOWN), { turn: 0 })).code).toBe('VALIDATION_ERROR');
      expect((await set.problem('POST', fork(UNKNOWN), { turn: 1 })).code).toBe('SESSION_NOT_FOUND');
      expect((await set.problem('POST', fork(ended), { turn: 99 })).code).toBe('VALIDATION_ERROR');
    });
  });

  it('a missing text and one that is no string are VALIDATION_ERROR with a dotted path', async () => {
    const { id } = await startedSession(set);
    for (const body of [{}, { text: 5 }, { text: null }, { text: ['a'] }, { text: { a: 1 } }]) {
      const problem = await set.problem('POST', `/api/sessions/${id}/turn`, body);
      expect([problem.status, problem.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(problem.details).toMatchObject({ issues: [{ path: 'text', message: expect.any(String) as string }] });
    }
    const problem = await set.problem('PUT', `/api/sessions/${id}/self-rating`, { ratings: { evidence: 'much' } });
    expect(problem.details).toMatchObject({ issues: [{ path: 'ratings.evidence' }] });
  });

  it('an unknown member is refused by its name, in every operation with a body', async () => {
    const { id } = await startedSession(set);
    for (const [method, route, body] of [
      ['POST', '/api/sessions', { scenario_id: 'the_ask' }],
      ['POST', `/api/sessions/${id}/turn`, { text: 'Hi.' }],
      ['POST', `/api/sessions/${id}/end`, {}],
      ['POST', `/api/sessions/${id}/fork`, { turn: 1 }],
      ['PUT', `/api/sessions/${id}/self-rating`, { ratings: {} }],
      ['PATCH', '/api/settings', {}],
      ['POST', '/api/privacy/clear', {}],
      ['POST', '/api/packs/validate', { path: '/' }],
    ] as const) {
      const problem = await set.problem(method, route, { ...body, surprise: 1 });
      expect([route, problem.status]).toEqual([route, 400]);
      expect([route, problem.code]).toEqual([route, 'VALIDATION_ERROR']);
      expect(problem.details).toMatchObject({ issues: [{ path: 'surprise' }] });
    }
    expect((await sessionOf(set, id)).flow_state).toBe('PlayerTurnListening');
  });

  it('a sane X-Request-Id is taken over, any other replaced, and the log lines of all processes carry it', async () => {
    for (const given of ['abc.DEF_1-2', 'x'.repeat(128)]) {
      const reply = await set.call('GET', '/api/scenarios', undefined, { headers: { 'x-request-id': given } });
      expect(reply.headers['x-request-id']).toBe(given);
    }
    for (const given of ['with blank', 'x'.repeat(129), '<script>', '']) {
      const reply = await set.call('GET', '/api/settings', undefined, { headers: { 'x-request-id': given } });
      expect(reply.headers['x-request-id']).not.toBe(given);
      expect(String(reply.headers['x-request-id'])).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    }
    const failing = await set.problem('GET', '/api/packs/none', undefined, { headers: { 'x-request-id': 'shown-1' } });
    expect(failing.request_id).toBe('shown-1');
  });

  it('GET /api/sessions pages newest first, without gaps or repeats, and says null at the end', async () => {
    await set.call('POST', '/api/privacy/clear', {});
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1)
      ids.unshift((await createSession(set, at % 2 === 0 ? 'the_ask' : 'kitchen_rota')).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const query: Record<string, string | number> = { limit: 3, ...(cursor === null ? {} : { cursor }) };
      const page: { sessions: { id: string }[]; next_cursor: string | null } = await set.ask('listSessions', { query });
      seen.push(...page.sessions.map((one) => one.id));
      cursor = page.next_cursor;
      pages += 1;
      if (pages === 1) ids.unshift((await createSession(set)).id); // newer than the page: no repeat, no gap
    } while (cursor !== null);
    expect([pages, seen]).toEqual([3, ids.slice(1)]);
    const filtered = await set.ask('listSessions', {
      query: { scenario_id: 'kitchen_rota', flow_state: 'NotStarted' },
    });
    expect(filtered.sessions).toHaveLength(3);
    expect(filtered.sessions[0]).toMatchObject({ scenario_title: 'Kitchen rota', overall_score: null });
    expect((await set.ask('listSessions', { query: { flow_state: 'Ended' } })).sessions).toEqual([]);
  });

  it('GET …/events pages oldest first', async () => {
    const { id } = await startedSession(set);
    for (let turn = 1; turn <= 3; turn += 1) await say(set, id, 'Hm.');
    const all = await set.ask('listEvents', { params: { id }, query: { limit: 100 } });
    expect(all.next_cursor).toBeNull();
    const first = await set.ask('listEvents', { params: { id }, query: { limit: 4 } });
    const second = await set.ask('listEvents', {
      params: { id },
      query: { limit: 4, cursor: first.next_cursor ?? '' },
    });
    expect([...first.events, ...second.events]).toEqual(all.events.slice(0, 8));
  });

  it.each(['/api/sessions', '/api/sessions/ID/events'])(
    '%s refuses a bad limit, cursor or enum and ignores unknown names',
    async (route) => {
      const { id } = await startedSession(set);
      const place = route.replace('ID', id);
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=-1',
        'limit=1.5',
        'limit=ten',
        'limit=',
        'limit=1&limit=2',
        'cursor=',
        'cursor=nonsense',
        'cursor=%F0%9F%98%80',
        'cursor=cDA',
      ]) {
        const problem = await set.problem('GET', `${place}?${query}`);
        expect([query, problem.status, problem.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
      }
      for (const query of ['limit=1', 'limit=100', 'surprise=1', 'limit=5&sort=up'])
        expect([query, (await set.call('GET', `${place}?${query}`)).status]).toEqual([query, 200]);
      for (const query of ['flow_state=Sleeping', 'scenario_id=', 'flow_state='])
        expect((await set.call('GET', `/api/sessions?${query}`)).status).toBe(400);
    },
  );

  it('progress tells attempts and points, oldest first', async () => {
    await set.call('POST', '/api/privacy/clear', {});
    const ids: string[] = [];
    const evidence = 'Since March I have closed 118 claims worth 41,000; the report of claims shows it.';
    for (const lines of [[], [evidence]]) {
      scriptTurns(gateway, asTurn({ event_flags: ['ultimatum'] }));
      const { id } = await startedSession(set);
      await playToEnd(set, id, [...lines, ULTIMATUM]);
      await set.ask('createDebrief', { params: { id } });
      ids.push(id);
    }
    const progress = await set.ask('getProgress', {});
    expect(progress.scenarios).toHaveLength(1);
    expect(
      progress.scenarios[0]?.attempts.map((one) => [one.session_id, one.attempt, one.ending_type, one.dimensions]),
    ).toEqual([
      [ids[0], 'first', 'failure', { clear_ask: 80, evidence: 0, interests: 0, options_and_close: 0 }],
      [ids[1], 'retry', 'failure', { clear_ask: 80, evidence: 100, interests: 0, options_and_close: 0 }],
    ]);
    expect(progress.dimensions.map((one) => [one.id, one.points.map((point) => point.score)])).toEqual([
      ['clear_ask', [80, 80]],
      ['evidence', [0, 100]],
      ['interests', [0, 0]],
      ['options_and_close', [0, 0]],
    ]);
    expect((await set.ask('getProgress', { query: { scenario_id: 'kitchen_rota' } })).scenarios).toEqual([]);
  });

  it('documents and health are there, and every time is ISO 8601 in UTC with milliseconds', async () => {
    const openapi = await set.call('GET', '/api/openapi.json');
    expect([openapi.status, String(openapi.body['openapi']).slice(0, 3)]).toEqual([200, '3.1']);
    expect(Object.keys(openapi.body['paths'] as object)).toContain('/api/sessions/{id}/turn');
    const asyncapi = await set.call('GET', '/api/asyncapi.json');
    expect([asyncapi.status, String(asyncapi.body['asyncapi']).slice(0, 2)]).toEqual([200, '3.']);
    const docs = await set.call('GET', '/api/docs');
    expect([docs.status, String(docs.headers['content-type'])]).toEqual([200, 'text/html; charset=utf-8']);
    expect(docs.text).not.toMatch(/(?:src|href)="https?:/);
    const health = await set.ask('getHealth', {});
    expect(health).toMatchObject({
      status: 'ok',
      privacy: { telemetry_enabled: false, save_transcripts: true, lan_access_enabled: false },
    });
    const session = await startedSession(set);
    for (const time of [session.created_at, session.started_at])
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('log files are for their owner alone and hold a line for a request by its id', async () => {
    const logs = filesUnder(set.folder.path).filter((file) => file.endsWith('.log'));
    expect(logs.length).toBeGreaterThanOrEqual(3);
    for (const file of logs)
      for (const line of readFileSync(path.join(set.folder.path, file), 'utf8').trim().split('\n'))
        expect(JSON.parse(line)).toMatchObject({
          service: expect.any(String) as string,
          level: expect.any(String) as string,
        });
  });
});
