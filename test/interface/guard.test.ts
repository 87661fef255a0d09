import { PROBE_PATHS, type RouteShape, type ServiceName } from '@parley/shared/contracts';
import {
  allRoutes,
  filledPath,
  otherAddresses,
  handshake,
  rawRequest,
  routesOfApi,
  startParleySet,
  startedSession,
  storedRows,
  type ParleySet,
} from '../set';

const SERVICES: readonly ServiceName[] = ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'];

/** The same guard in front of every route of every process and of the WebSocket: the whole matrix, by their status. */
describe('Who may call', () => {
  let set: ParleySet;
  let session = '';
  beforeAll(async () => {
    set = await startParleySet({ withUi: true });
    session = (await startedSession(set)).id;
  });
  afterAll(() => set.stop());

  const routesOfService = (service: ServiceName): RouteShape[] =>
    service === 'session_api' ? routesOfApi() : allRoutes().filter((route) => route.service === service);
  const targetsOf = (service: ServiceName): [string, string][] => [
    ...routesOfService(service).map((route): [string, string] => [
      route.method,
      route.service !== 'session_api' && service !== 'session_api' && route.ownerPath !== undefined
        ? filledPath({ ...route, path: route.ownerPath })
        : filledPath(route, { id: session }),
    ]),
    ...Object.values(PROBE_PATHS).map((path): [string, string] => ['GET', path]),
    ['GET', '/'],
    ['GET', '/nothing/at/all'],
    ['OPTIONS', '/api/sessions'],
  ];
  const foreignHosts = (port: number): Record<string, string[]> => ({
    'another name': [`Host: evil.example:${port}`],
    'a name that ends like ours': [`Host: 127.0.0.1.evil.example:${port}`],
    'a name that begins like ours': [`Host: localhost.evil.example:${port}`],
    'localhost with a dot': [`Host: localhost.:${port}`],
    'another loopback address': [`Host: 127.0.0.2:${port}`],
    'every address': [`Host: 0.0.0.0:${port}`],
    'a name of the local network': [`Host: parley.local:${port}`],
    'no port': ['Host: 127.0.0.1'],
    'another port': [`Host: 127.0.0.1:${port + 1}`],
    'a port with a zero in front': [`Host: 127.0.0.1:0${port}`],
    'an empty one': ['Host:'],
    none: [],
    two: [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`],
    'two different ones': [`Host: 127.0.0.1:${port}`, 'Host: evil.example'],
    'user information': [`Host: a@127.0.0.1:${port}`],
    'a decimal address': [`Host: 2130706433:${port}`],
    'a forwarded one': ['Host: evil.example', `X-Forwarded-Host: 127.0.0.1:${port}`],
  });
  const foreignOrigins = (own: number, ui: number): Record<string, string> => ({
    'another site': 'http://evil.example',
    'another site on the port of the page': `http://evil.example:${ui}`,
    null: 'null',
    'an empty one': '',
    'the origin of the API': `http://127.0.0.1:${own === ui ? ui + 1 : own}`,
    'https instead of http': `https://127.0.0.1:${ui}`,
    'a longer port': `http://127.0.0.1:${ui}0`,
    'a name that begins like ours': `http://localhost.evil.example:${ui}`,
    'a path behind': `http://localhost:${ui}/`,
    'an extension': 'chrome-extension://abcdefgh',
    'a file': 'file://',
    'two in one': `http://localhost:${ui} http://evil.example`,
  });

  it.each(SERVICES)(
    '%s refuses every foreign Host on every route with 403 or 400 and changes nothing',
    async (service) => {
      const port = set.portOf(service);
      const before = await storedRows(set);
      const wrong: string[] = [];
      for (const [what, lines] of Object.entries(foreignHosts(port)))
        await Promise.all(
          targetsOf(service).map(async ([method, path]) => {
            const { status } = await rawRequest(port, [`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close']);
            if (status !== 403 && status !== 400) wrong.push(`${what}: ${method} ${path} ${status}`);
          }),
        );
      expect(wrong).toEqual([]);
      const absolute = await rawRequest(port, [
        `GET http://127.0.0.1:${port}/livez HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: close',
      ]);
      expect([400, 403]).toContain(absolute.status);
      expect(await storedRows(set)).toEqual(before);
    },
  );

  it.each(SERVICES)(
    '%s refuses every foreign Origin on every route with 403 ORIGIN_NOT_ALLOWED and changes nothing',
    async (service) => {
      const port = set.portOf(service);
      const before = await storedRows(set);
      const wrong: string[] = [];
      for (const [what, origin] of Object.entries(foreignOrigins(port, set.portOf('ui'))))
        await Promise.all(
          targetsOf(service).map(async ([method, path]) => {
            const { status, text } = await rawRequest(port, [
              `${method} ${path} HTTP/1.1`,
              `Host: 127.0.0.1:${port}`,
              `Origin: ${origin}`,
              'Connection: close',
            ]);
            if (status !== 403 || !text.includes('ORIGIN_NOT_ALLOWED') || /access-control-allow-origin/i.test(text))
              wrong.push(`${what}: ${method} ${path} ${status}`);
          }),
        );
      expect(wrong).toEqual([]);
      expect(await storedRows(set)).toEqual(before);
    },
  );

  it.each(SERVICES)('%s answers under each loopback name, letters in any case, with its own port', async (service) => {
    const port = set.portOf(service);
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
      const { status } = await rawRequest(port, ['GET /readyz HTTP/1.1', `Host: ${host}:${port}`, 'Connection: close']);
      expect([host, status]).toEqual([host, 200]);
    }
  });

  it('the origins of the page are let in and get CORS for themselves alone', async () => {
    const ui = set.portOf('ui');
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const origin = `http://${name}:${ui}`;
      const reply = await set.call('GET', '/api/settings', undefined, { headers: { origin } });
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, origin]);
      const failing = await set.call('GET', '/api/nothing', undefined, { headers: { origin } });
      expect([failing.status, failing.headers['access-control-allow-origin']]).toEqual([404, origin]);
      const asked = await set.call('OPTIONS', '/api/settings', undefined, {
        headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' },
      });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, origin]);
      expect(String(asked.headers['access-control-allow-methods'])).toContain('PATCH');
    }
    const without = await set.call('GET', '/api/settings');
    expect(without.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('the processes behind the API answer no page at all, not even our own', async () => {
    const origin = `http://127.0.0.1:${set.portOf('ui')}`;
    for (const [service, path] of [
      ['runtime_gateway', '/runtime'],
      ['pack_service', '/internal/scenarios/the_ask/content'],
      ['session_api', `/internal/sessions/${session}/memory`],
    ] as const) {
      expect((await set.call('GET', path, undefined, { service })).status).toBe(200);
      const problem = await set.problem('GET', path, undefined, { service, headers: { origin } });
      expect([path, problem.code]).toEqual([path, 'ORIGIN_NOT_ALLOWED']);
    }
  });

  it('what a form of another page can send is refused, with a body or without', async () => {
    const before = await storedRows(set);
    const wrong: string[] = [];
    for (const route of routesOfApi().filter((one) => one.method !== 'GET'))
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'text/plain; charset=application/json',
        'application/json-patch+json',
        'multipart/form-data',
      ]) {
        const body = '{"text":"Hi."}';
        const { status } = await rawRequest(set.portOf('session_api'), [
          `${route.method} ${filledPath(route, { id: session })} HTTP/1.1`,
          `Host: 127.0.0.1:${set.portOf('session_api')}`,
          `Content-Type: ${type}`,
          `Content-Length: ${body.length}`,
          'Connection: close',
          '',
          body,
        ]);
        const takesUpload = route.bodyKind === 'json_or_multipart' && type === 'multipart/form-data';
        if (takesUpload ? status < 400 : status !== 415) wrong.push(`${type}: ${route.method} ${route.path} ${status}`);
      }
    expect(wrong).toEqual([]);
    expect(await storedRows(set)).toEqual(before);
  });

  describe('the WebSocket upgrade', () => {
    const upgrade = (headers: Record<string, string>, lines?: string[]) =>
      rawRequest(set.portOf('session_api'), lines ?? handshake(`/ws/session/${session}`, headers));

    it('is refused with 403 before the 101 for every foreign Host and Origin', async () => {
      const port = set.portOf('session_api');
      for (const [what, lines] of Object.entries(foreignHosts(port))) {
        const { status } = await upgrade({}, [...handshake(`/ws/session/${session}`, {}), ...lines]);
        expect([what, [400, 403].includes(status)]).toEqual([what, true]);
      }
      for (const [what, origin] of Object.entries(foreignOrigins(port, set.portOf('ui')))) {
        const { status } = await upgrade({ Host: `127.0.0.1:${port}`, Origin: origin });
        expect([what, status]).toEqual([what, 403]);
      }
    });

    it('is granted to the page and to callers without an Origin', async () => {
      const port = set.portOf('session_api');
      for (const headers of [
        {},
        { Origin: `http://localhost:${set.portOf('ui')}` },
        { Origin: `http://[::1]:${set.portOf('ui')}` },
      ])
        expect((await upgrade({ Host: `LOCALHOST:${port}`, ...headers } as Record<string, string>)).status).toBe(101);
    });

    it('is refused by the other processes and on other paths', async () => {
      for (const service of SERVICES.filter((one) => one !== 'session_api')) {
        const port = set.portOf(service);
        const { status } = await rawRequest(port, handshake(`/ws/session/${session}`, { Host: `127.0.0.1:${port}` }));
        expect([service, status]).toEqual([service, 404]);
      }
      const port = set.portOf('session_api');
      for (const path of ['/', '/ws', '/ws/session', `/ws/session/${session}/more`, '/api/sessions'])
        expect([path, (await rawRequest(port, handshake(path, { Host: `127.0.0.1:${port}` }))).status]).toEqual([
          path,
          404,
        ]);
    });
  });

  it('every process binds the loopback address only', async () => {
    const addresses = otherAddresses();
    for (const service of SERVICES)
      for (const address of addresses)
        await expect(rawRequest(set.portOf(service), ['GET /livez HTTP/1.1'], address)).rejects.toMatchObject({
          code: 'ECONNREFUSED',
        });
    expect(addresses).not.toContain('127.0.0.1');
  });
});
