import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import type { ServiceName } from '@parley/shared/contracts';
import { findChromium, isSkippedWithout, openBrowser } from '@parley/shared/testing';
import {
  allRoutes,
  filledPath,
  handshake,
  rawRequest,
  routesOfApi,
  startParleySet,
  startedSession,
  storedRows,
  type ParleySet,
} from '../set';

const NAMED = ['https://practice.example', 'http://127.0.0.1:8080', 'tauri://localhost'];

/** docs/contract.md, Who may call: other pages that the configuration names may call the API as the page may. */
describe('SIM_ALLOWED_ORIGINS', () => {
  let set: ParleySet;
  let session = '';
  let foreign: Server;
  /** The origin of a page of somebody else, which is named; the same server under another name is not. */
  let page = '';
  let stranger = '';
  beforeAll(async () => {
    foreign = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Somebody else</title><p>A page of somebody else.');
    });
    await new Promise<void>((resolve) => foreign.listen(0, resolve));
    const { port } = foreign.address() as AddressInfo;
    page = `http://127.0.0.1:${port}`;
    stranger = `http://localhost:${port}`;
    set = await startParleySet({ environment: { SIM_ALLOWED_ORIGINS: [...NAMED, page].join(', ') } });
    session = (await startedSession(set)).id;
  });
  afterAll(async () => {
    foreign.closeAllConnections();
    await new Promise((resolve) => foreign.close(resolve));
    await set.stop();
  });

  const port = (): number => set.portOf('session_api');
  const send = (method: string, path: string, origin: string, at = port(), more: string[] = []) =>
    rawRequest(at, [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${at}`,
      `Origin: ${origin}`,
      ...more,
      'Connection: close',
    ]);

  it('lets every named origin call every route of the API, with CORS for itself alone', async () => {
    const wrong: string[] = [];
    for (const origin of NAMED)
      for (const route of routesOfApi().filter((one) => one.audience !== 'internal')) {
        // Media first, then the body: nothing is carried out but reading.
        const { status, text } = await send(route.method, filledPath(route), origin);
        const allowed = /^access-control-allow-origin: (.*)\r$/im.exec(text)?.[1];
        if (status === 403 || allowed !== origin)
          wrong.push(`${origin}: ${route.method} ${route.path} ${status} ${allowed}`);
      }
    expect(wrong).toEqual([]);
  });

  it('answers the question that a browser asks first, for every method and header that the API takes', async () => {
    for (const [method, header] of [
      ['POST', 'idempotency-key,content-type'],
      ['PATCH', 'content-type'],
      ['DELETE', 'x-request-id'],
      ['GET', 'if-none-match'],
    ] as const) {
      const { status, text } = await send('OPTIONS', '/api/sessions', 'https://practice.example', port(), [
        `Access-Control-Request-Method: ${method}`,
        `Access-Control-Request-Headers: ${header}`,
        'Access-Control-Request-Private-Network: true',
      ]);
      const value = (name: string): string => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1] ?? '';
      expect([status, value('access-control-allow-origin')]).toEqual([204, 'https://practice.example']);
      expect(value('access-control-allow-methods').split(',')).toContain(method);
      const headers = value('access-control-allow-headers').toLowerCase().split(',');
      for (const name of header.split(',')) expect(headers).toContain(name);
      expect(value('access-control-allow-private-network')).toBe('true');
    }
  });

  it('lets nobody else in, and named origins neither to other processes nor to what is between them', async () => {
    const before = await storedRows(set);
    const wrong: string[] = [];
    const expectRefused = async (what: string, answer: ReturnType<typeof send>): Promise<void> => {
      const { status, text } = await answer;
      if (status !== 403 || !text.includes('ORIGIN_NOT_ALLOWED') || /access-control-allow-origin/i.test(text))
        wrong.push(`${what} ${status}`);
    };
    for (const origin of [
      'http://practice.example',
      'https://practice.example:444',
      'https://practice.example/',
      'https://practice.example.evil.example',
      'https://evil-practice.example',
      'https://www.practice.example',
      'http://localhost:8080',
      'http://127.0.0.1:80801',
      'tauri://localhost2',
      'null',
      '',
      stranger,
      `${NAMED[0]} ${NAMED[1]}`,
      NAMED.join(','),
    ])
      for (const route of routesOfApi())
        await expectRefused(`${origin}: ${route.method} ${route.path}`, send(route.method, filledPath(route), origin));
    const named = 'https://practice.example';
    const key = Object.entries(set.keyHeader).map(([name, value]) => `${name}: ${value}`);
    for (const service of ['pack_service', 'runtime_gateway', 'debrief_worker'] as const satisfies ServiceName[])
      for (const route of allRoutes().filter((one) => one.service === service)) {
        const path = filledPath({ ...route, path: route.ownerPath ?? route.path });
        await expectRefused(`${service}: ${route.path}`, send(route.method, path, named, set.portOf(service), key));
      }
    const internal = await send('GET', `/internal/sessions/${session}/memory`, named);
    expect([internal.status, internal.text.includes('ORIGIN_NOT_ALLOWED')]).toEqual([403, true]);
    expect(wrong).toEqual([]);
    expect(await storedRows(set)).toEqual(before);
  });

  it('opens sockets for named origins and for nobody else', async () => {
    const upgrade = async (origin: string): Promise<number> => {
      const headers = { Host: `127.0.0.1:${port()}`, Origin: origin };
      return (await rawRequest(port(), handshake(`/ws/session/${session}`, headers))).status;
    };
    for (const origin of NAMED) expect([origin, await upgrade(origin)]).toEqual([origin, 101]);
    for (const origin of ['http://practice.example', 'https://www.practice.example', stranger, 'null'])
      expect([origin, await upgrade(origin)]).toEqual([origin, 403]);
  });

  const chromium = findChromium();
  const line = 'No Chromium was found: no page of somebody else is tried. Install the package chromium.';
  const inBrowser = isSkippedWithout(chromium !== null, line) ? it.skip : it;
  inBrowser('a page of somebody else plays in Chromium when it is named, and gets nothing when it is not', async () => {
    if (chromium === null) throw new Error('CI needs Chromium; install the package chromium.');
    const browser: Browser = await openBrowser(chromium);
    try {
      const play = async (origin: string) => {
        const tab = await browser.newPage();
        await tab.goto(origin);
        return tab.evaluate(async (api) => {
          const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
            const answer = await fetch(`${api}${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body: JSON.stringify(body),
            });
            return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { id: string } };
          };
          const socketOf = (id: string) =>
            new Promise<string>((resolve) => {
              const socket = new WebSocket(`${api.replace('http', 'ws')}/ws/session/${id}`);
              socket.onmessage = (message) => {
                resolve((JSON.parse(String(message.data)) as { type: string }).type);
                socket.close();
              };
              socket.onerror = () => resolve('refused');
            });
          try {
            const created = await post('/api/sessions', { scenario_id: 'the_ask' }, { 'idempotency-key': 'from-afar' });
            const started = await post(`/api/sessions/${created.body.id}/start`, {});
            const turn = await post(`/api/sessions/${created.body.id}/turn`, { text: 'Hello.' });
            const gone = await fetch(`${api}/api/sessions/${created.body.id}`, { method: 'DELETE' });
            return [
              created.status,
              created.headers.get('location') !== null,
              started.status,
              turn.status,
              await socketOf('nobodynobodynobodynobody'),
              gone.status,
            ];
          } catch (error) {
            return [(error as Error).name, await socketOf('nobodynobodynobodynobody')];
          }
        }, set.url);
      };
      expect(await play(page)).toEqual([201, true, 200, 200, 'error', 204]);
      expect(await play(stranger)).toEqual(['TypeError', 'refused']);
    } finally {
      await browser.close();
    }
  });
});
