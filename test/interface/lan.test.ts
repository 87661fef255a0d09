import os from 'node:os';
import { WebSocket } from 'ws';
import { PROBE_PATHS, type RouteShape } from '@parley/shared/contracts';
import {
  filledPath,
  handshake,
  otherAddresses,
  rawRequest,
  routesOfApi,
  say,
  startParleySet,
  startedSession,
  storedRows,
  type ParleySet,
} from '../set';

/** The one address of this machine that others would call; a machine without a network has none, and nobody to let in. */
const [address] = otherAddresses();

describe('LAN access', () => {
  let set: ParleySet;
  let session = '';
  beforeAll(async () => {
    set = await startParleySet({ withUi: true, environment: { SIM_LAN_ACCESS_ENABLED: 'true' } });
    session = (await startedSession(set)).id;
  });
  afterAll(() => set.stop());

  const callers = address === undefined ? [] : [address];
  const apiPort = (): number => set.portOf('session_api');
  const ask = async (method: string, path: string, lines: string[], from: string): Promise<number> =>
    (await rawRequest(apiPort(), [`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close'], from)).status;

  it('says so in the health answer and still answers loopback callers everything', async () => {
    expect((await set.ask('getHealth', {})).privacy.lan_access_enabled).toBe(true);
    expect((await set.call('GET', '/api/sessions')).status).toBe(200);
    expect((await set.call('GET', '/api/diag')).status).toBe(200);
    expect((await set.call('GET', '/metrics')).status).toBe(200);
  });

  it('tells callers from elsewhere whether a process is ready, and nothing more of it', async () => {
    for (const from of callers)
      for (const service of ['session_api', 'ui'] as const) {
        const extras = { service, baseUrl: `http://${from}:${set.portOf(service)}` };
        const reply = await set.call('GET', PROBE_PATHS.readyz, undefined, extras);
        expect([reply.status, reply.body]).toEqual([200, { status: 'ready' }]);
      }
    const own = await set.call('GET', PROBE_PATHS.readyz);
    expect(own.body).toMatchObject({ status: 'ready', pid: set.processes.get('session_api')?.pid });
  });

  it('the three processes behind the API answer under loopback names alone', async () => {
    for (const service of ['pack_service', 'runtime_gateway', 'debrief_worker'] as const)
      for (const name of [os.hostname(), ...otherAddresses()]) {
        const port = set.portOf(service);
        const lines = ['GET /livez HTTP/1.1', `Host: ${name}:${port}`, 'Connection: close'];
        expect([service, name, (await rawRequest(port, lines)).status]).toEqual([service, name, 403]);
      }
  });

  it('refuses foreign host names as before, and lets in the names of this machine', async () => {
    const port = apiPort();
    for (const host of ['evil.example', '10.255.255.1', 'parley.local', `${os.hostname()}.evil.example`])
      expect([host, await ask('GET', '/api/health', [`Host: ${host}:${port}`], '127.0.0.1')]).toEqual([host, 403]);
    for (const host of [os.hostname(), os.hostname().toUpperCase(), ...otherAddresses()])
      expect([host, await ask('GET', '/api/health', [`Host: ${host}:${port}`], '127.0.0.1')]).toEqual([host, 200]);
  });

  it('lets in the origin of the page under the name that was called, and no other', async () => {
    const port = apiPort();
    const ui = set.portOf('ui');
    for (const name of [os.hostname(), ...otherAddresses()]) {
      const lines = [`Host: ${name}:${port}`];
      expect(await ask('GET', '/api/health', [...lines, `Origin: http://${name}:${ui}`], '127.0.0.1')).toBe(200);
      expect(await ask('GET', '/api/health', [...lines, `Origin: http://${name}:${port}`], '127.0.0.1')).toBe(403);
      expect(await ask('GET', '/api/health', [...lines, `Origin: http://evil.example:${ui}`], '127.0.0.1')).toBe(403);
    }
  });

  it('only ui and session-api are bound beyond loopback', async () => {
    for (const from of callers) {
      for (const service of ['pack_service', 'runtime_gateway', 'debrief_worker'] as const)
        await expect(rawRequest(set.portOf(service), ['GET /livez HTTP/1.1'], from)).rejects.toMatchObject({
          code: 'ECONNREFUSED',
        });
      for (const service of ['session_api', 'ui'] as const) {
        const port = set.portOf(service);
        const { status } = await rawRequest(
          port,
          ['GET /livez HTTP/1.1', `Host: ${from}:${port}`, 'Connection: close'],
          from,
        );
        expect([service, status]).toEqual([service, 200]);
      }
    }
    expect(callers.length).toBe(address === undefined ? 0 : 1);
  });

  it('callers from elsewhere may play by id, and everything else is 403 LOCAL_ONLY and changes nothing', async () => {
    const answers: Record<string, number[]> = { player: [], local: [], internal: [] };
    const before = await storedRows(set);
    const check = async (route: RouteShape, from: string): Promise<void> => {
      const lines = [
        `Host: ${from}:${apiPort()}`,
        'Content-Type: application/json',
        'Content-Length: 1',
        'Connection: close',
        '',
        '{',
      ];
      const { status, text } = await rawRequest(
        apiPort(),
        [`${route.method} ${filledPath(route)} HTTP/1.1`, ...lines],
        from,
      );
      const isRefused = status === 403 && text.includes('LOCAL_ONLY');
      expect([route.operation, isRefused]).toEqual([route.operation, route.audience !== 'player']);
      answers[route.audience]?.push(status);
    };
    for (const from of callers) {
      for (const route of routesOfApi()) await check(route, from);
      expect(await ask('GET', PROBE_PATHS.metrics, [`Host: ${from}:${apiPort()}`], from)).toBe(403);
      expect(answers['local']?.length).toBeGreaterThan(10);
      // A header does not make a caller local.
      const claims = [
        `Host: ${from}:${apiPort()}`,
        'X-Forwarded-For: 127.0.0.1',
        'X-Real-IP: 127.0.0.1',
        'Forwarded: for=127.0.0.1',
      ];
      expect(await ask('GET', '/api/sessions', claims, from)).toBe(403);
    }
    expect(await storedRows(set)).toEqual(before);
    expect(answers['internal']?.every((status) => status === 403)).toBe(true);
  });

  it('a caller from elsewhere plays a whole session', async () => {
    for (const from of callers) {
      const baseUrl = `http://${from}:${apiPort()}`;
      const call = (method: string, path: string, body?: unknown) => set.call(method, path, body, { baseUrl });
      expect((await call('GET', '/api/scenarios')).status).toBe(200);
      const { body } = await call('POST', '/api/sessions', { scenario_id: 'the_ask' });
      const path = `/api/sessions/${String(body['id'])}`;
      const socket = new WebSocket(`ws://${from}:${apiPort()}/ws/session/${String(body['id'])}`);
      const first = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
      expect(await first).toMatchObject({ type: 'session.state' });
      socket.terminate();
      for (const [operation, sent] of [
        ['start', {}],
        ['turn', { text: 'Hello.' }],
        ['end', {}],
        ['debrief', {}],
      ] as const)
        expect([operation, (await call('POST', `${path}/${operation}`, sent)).status]).toEqual([operation, 200]);
      for (const operation of ['', '/transcript', '/events', '/export', '/debrief'])
        expect([operation, (await call('GET', path + operation)).status]).toEqual([operation, 200]);
      expect((await call('DELETE', path)).status).toBe(204);
    }
    expect((await say(set, session, 'Hello.')).status).toBe(200);
  });

  it('the WebSocket keeps to the same rules', async () => {
    const port = apiPort();
    const ui = set.portOf('ui');
    const upgrade = async (headers: Record<string, string>, from: string): Promise<number> =>
      (await rawRequest(port, handshake(`/ws/session/${session}`, headers), from)).status;
    expect(await upgrade({ Host: `evil.example:${port}` }, '127.0.0.1')).toBe(403);
    for (const from of callers) {
      expect(await upgrade({ Host: `${from}:${port}`, Origin: `http://${from}:${ui}` }, from)).toBe(101);
      expect(await upgrade({ Host: `${from}:${port}`, Origin: `http://evil.example:${ui}` }, from)).toBe(403);
    }
  });
});
