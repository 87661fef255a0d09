import { spawnSync } from 'node:child_process';
import { WebSocket } from 'ws';
import {
  INTERNAL_KEY_HEADER,
  PROBE_PATHS,
  type Diagnostics,
  type Health,
  type ServiceName,
} from '@parley/shared/contracts';
import { PORT_VARIABLES } from '@parley/shared/service';
import { freePorts, waitUntil } from '@parley/shared/testing';
import {
  allRoutes,
  PROJECT_ROOT,
  filesWith,
  filledPath,
  handshake,
  otherAddresses,
  rawRequest,
  routesOfApi,
  say,
  scriptedModelServer,
  startParleySet,
  startedSession,
  storedRows,
  type ParleySet,
} from '../set';

const KEY = 'a-key-of-this-test-0123456789abcdef';
const ORIGIN = 'https://talks.example';
const HOST = 'talks.example';
const ENVIRONMENT = { SIM_BIND_HOST: '0.0.0.0', SIM_INTERNAL_KEY: KEY, SIM_PUBLIC_ORIGIN: ORIGIN };
const BEHIND = ['pack_service', 'runtime_gateway', 'debrief_worker'] as const satisfies ServiceName[];

/** What a proxy or another container would call; a machine without a network is asked at its loopback address alone. */
const callers = ['127.0.0.1', ...otherAddresses().slice(0, 1)];

describe('a set that listens beyond loopback, with a key and a public origin', () => {
  let set: ParleySet;
  let session = '';
  beforeAll(async () => {
    set = await startParleySet({ withUi: true, environment: ENVIRONMENT });
    session = (await startedSession(set)).id;
  });
  afterAll(() => set.stop());

  const ask = (service: ServiceName, from: string, method: string, path: string, lines: string[]) =>
    rawRequest(set.portOf(service), [`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close'], from);
  const status = async (...words: Parameters<typeof ask>): Promise<number> => (await ask(...words)).status;
  const WITH_KEY = `${INTERNAL_KEY_HEADER}: ${KEY}`;

  it('takes the public origin as Host and Origin, and no name of this machine', async () => {
    for (const from of callers) {
      const health = (lines: string[]) => status('session_api', from, 'GET', '/api/health', lines);
      const own = `Host: ${from}:${set.portOf('session_api')}`;
      expect(await health([`Host: ${HOST}`])).toBe(200);
      expect(await health([`Host: ${HOST}`, `Origin: ${ORIGIN}`])).toBe(200);
      expect(await health([own])).toBe(403);
      expect(await health([own, 'X-Forwarded-Host: talks.example'])).toBe(403);
      expect(await health([`Host: ${HOST}`, `Origin: http://127.0.0.1:${set.portOf('ui')}`])).toBe(403);
      expect(await health([`Host: ${HOST}`, 'Origin: https://evil.example'])).toBe(403);
      expect(await health([own, WITH_KEY])).toBe(200);
    }
  });

  it('lets callers without the key play by id, wherever they come from, and nothing else of the API', async () => {
    const before = await storedRows(set);
    const wrong: string[] = [];
    for (const from of callers)
      for (const route of routesOfApi()) {
        const lines = [
          `Host: ${HOST}`,
          'Content-Type: application/json',
          'Content-Length: 1',
          'Connection: close',
          '',
          '{',
        ];
        const { status: answer, text } = await rawRequest(
          set.portOf('session_api'),
          [`${route.method} ${filledPath(route)} HTTP/1.1`, ...lines],
          from,
        );
        const isRefused = answer === 403 && text.includes('LOCAL_ONLY');
        if (isRefused !== (route.audience !== 'player')) wrong.push(`${from} ${route.operation}: ${answer}`);
      }
    expect(wrong).toEqual([]);
    for (const from of callers) {
      for (const path of ['/api/sessions', '/api/diag', '/metrics', `/internal/sessions/${session}/memory`]) {
        const given = [`Host: ${HOST}`];
        expect([path, await status('session_api', from, 'GET', path, given)]).toEqual([path, 403]);
        for (const claim of [
          `${INTERNAL_KEY_HEADER}: ${KEY}0`,
          `${WITH_KEY}\r\n${WITH_KEY}`,
          'X-Forwarded-For: 127.0.0.1',
        ])
          expect([path, await status('session_api', from, 'GET', path, [...given, claim])]).toEqual([path, 403]);
        expect([path, await status('session_api', from, 'GET', path, [...given, WITH_KEY])]).toEqual([path, 200]);
      }
    }
    expect(await storedRows(set)).toEqual(before);
  });

  it('the processes behind the API answer nobody without the key, not even probes', async () => {
    const wrong: string[] = [];
    for (const from of callers)
      for (const service of BEHIND) {
        const own = `Host: 127.0.0.1:${set.portOf(service)}`;
        const routes = allRoutes().filter((route) => route.service === service);
        const targets = [
          ...routes.map((route): [string, string] => [
            route.method,
            filledPath({ ...route, path: route.ownerPath ?? route.path }),
          ]),
          ...Object.values(PROBE_PATHS).map((path): [string, string] => ['GET', path]),
          ['GET', '/nothing'] as [string, string],
        ];
        for (const [method, path] of targets)
          for (const host of [own, `Host: ${HOST}`]) {
            const answer = await ask(service, from, method, path, [host]);
            if (answer.status !== 403 || !answer.text.includes('LOCAL_ONLY'))
              wrong.push(`${from} ${service} ${method} ${path} ${answer.status}`);
          }
        expect(await status(service, from, 'GET', PROBE_PATHS.livez, [own, WITH_KEY])).toBe(200);
      }
    expect(wrong).toEqual([]);
  });

  it('tells whoever has no key whether it is ready, and nothing more of it', async () => {
    for (const from of callers)
      for (const service of ['session_api', 'ui'] as const) {
        const { text } = await ask(service, from, 'GET', PROBE_PATHS.readyz, [`Host: ${HOST}`]);
        expect(text).toMatch(/\{"status":"ready"\}$/);
        const keyed = await ask(service, from, 'GET', PROBE_PATHS.readyz, [`Host: ${HOST}`, WITH_KEY]);
        expect(keyed.text).toContain('"pid":');
      }
  });

  it('plays a whole session through the public origin, its socket too', async () => {
    for (const from of callers) {
      const extras = {
        // Without the key.
        baseUrl: `http://${from}:${set.portOf('session_api')}`,
        headers: { host: HOST, origin: ORIGIN, [INTERNAL_KEY_HEADER]: '' },
      };
      const call = (method: string, path: string, body?: unknown) => set.call(method, path, body, extras);
      const { status: made, body } = await call('POST', '/api/sessions', { scenario_id: 'the_ask' });
      expect(made).toBe(201);
      const id = String(body['id']);
      expect((await call('POST', `/api/sessions/${id}/start`, {})).status).toBe(200);
      expect((await call('POST', `/api/sessions/${id}/turn`, { text: 'I would like to talk about pay.' })).status).toBe(
        200,
      );
      expect((await call('POST', `/api/sessions/${id}/end`, {})).status).toBe(200);

      const upgrade = async (headers: Record<string, string>): Promise<number> =>
        (await rawRequest(set.portOf('session_api'), handshake(`/ws/session/${id}`, headers), from)).status;
      expect(await upgrade({ Host: HOST, Origin: ORIGIN })).toBe(101);
      expect(await upgrade({ Host: HOST, Origin: 'https://evil.example' })).toBe(403);
      expect(await upgrade({ Host: `127.0.0.1:${set.portOf('session_api')}` })).toBe(403);
      const socket = new WebSocket(`ws://${from}:${set.portOf('session_api')}/ws/session/${id}`, {
        headers: { host: HOST, origin: ORIGIN },
      });
      const first = await new Promise<string>((resolve, reject) => {
        socket.once('message', (data: Buffer) => resolve(data.toString()));
        socket.once('error', reject);
      });
      expect(first).toContain('session.state');
      socket.terminate();
    }
  });

  it('serves a page that calls the API at its own origin alone', async () => {
    for (const from of callers) {
      const { status: answer, text } = await ask('ui', from, 'GET', '/', [`Host: ${HOST}`, 'Accept: text/html']);
      expect(answer).toBe(200);
      expect(text).toContain('<meta name="parley-api-port" content="" />');
      expect(/^content-security-policy: (.*)\r$/im.exec(text)?.[1]).toContain(`connect-src 'self' wss://${HOST};`);
      expect(await status('ui', from, 'GET', '/', [`Host: ${from}:${set.portOf('ui')}`])).toBe(403);
    }
  });

  it('says that others may call, and that all processes answer each other', async () => {
    const { body } = await set.call<{ privacy: object; services: Record<string, { status: string }> }>(
      'GET',
      '/api/health',
      undefined,
      { headers: { host: HOST, [INTERNAL_KEY_HEADER]: '' } },
    );
    expect(body.privacy).toMatchObject({ lan_access_enabled: true });
    expect(Object.values(body.services).filter((one) => one.status !== 'ok')).toEqual([]);
  });

  it('is found ready by the health check of a container, which carries the key', async () => {
    const ports = [...BEHIND, 'ui' as const, 'session_api' as const].map((service) => [
      PORT_VARIABLES[service],
      String(set.portOf(service)),
    ]);
    const check = (settings: Record<string, string>) =>
      spawnSync(process.execPath, ['scripts/ready.cjs'], {
        cwd: PROJECT_ROOT,
        encoding: 'utf8',
        env: { ...Object.fromEntries(ports), SIM_DATA_DIR: set.folder.path, ...settings },
      });
    expect(check({ SIM_INTERNAL_KEY: KEY })).toMatchObject({ status: 0, stderr: '' });
    expect(check({}).status).toBe(1);
    expect(check({}).stderr).toContain('session-api: another program');
  });

  it('writes the key into no file', async () => {
    await say(set, session, 'One more line.');
    expect(filesWith(set.folder.path, [KEY])).toEqual([]);
  });
});

describe('several model servers behind a set that listens beyond loopback', () => {
  it('are named to whoever has the key when one is away; others hear that one is', async () => {
    const model = await scriptedModelServer();
    const [port = 0] = await freePorts(1);
    const away = `http://127.0.0.1:${port}`;
    const set = await startParleySet({
      environment: {
        ...ENVIRONMENT,
        SIM_RUNTIME_ID: 'local_server',
        SIM_LOCAL_SERVER_BASE_URL: `${model.url},${away}`,
      },
    });
    const runtime = async (headers: Record<string, string> = {}): Promise<Health['runtime']> =>
      (await set.call<Health>('GET', '/api/health', undefined, { headers })).body.runtime;
    try {
      await waitUntil('the pool to be looked at', async () => (await runtime()).message !== null);
      const named = `1 of 2 model servers does not answer: ${away}.`;
      expect(await runtime()).toMatchObject({ status: 'READY', message: named });
      const { body } = await set.call<Diagnostics>('GET', '/api/diag');
      expect(body.runtime.message).toBe(named);
      const outside = { host: HOST, [INTERNAL_KEY_HEADER]: '' };
      expect(await runtime(outside)).toMatchObject({
        status: 'READY',
        message: '1 of 2 model servers does not answer.',
      });
    } finally {
      await set.stop();
      model.close();
    }
  });
});
