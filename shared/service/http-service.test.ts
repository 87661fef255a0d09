import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ServiceError, ROUTES } from '@parley/shared/contracts';
import { pino } from 'pino';
import { stubService, temporaryFolder, testBaseConfig, waitUntil } from '@parley/shared/testing';
import { silentLogger, startHttpService, type HttpService, type Handlers } from '@parley/shared/service';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

function call(
  service: HttpService,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: service.port, method, path, headers: options.headers, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const codeOf = (reply: Reply): string => (JSON.parse(reply.body) as { code: string }).code;

const settings = {
  save_transcripts: true,
  save_raw_audio: false,
  save_tts_cache: true,
  relationship_memory_enabled: false,
  telemetry_enabled: false,
} as const;
const handlers: Handlers = {
  getSettings: () => ({ body: { settings } }),
  patchSettings: () => ({ body: { settings } }),
  getSession: () => {
    throw new ServiceError('SESSION_NOT_FOUND', 'No such session.');
  },
  startSession: () => {
    throw new Error('a secret of the inside');
  },
  getVoice: () => ({ body: { available: true } }),
  listSessions: ({ query }) => ({ body: { sessions: [], next_cursor: String(query.limit) } }),
};
const id = 'abcdefghijklmnopqrstuvwxyz';

describe('the HTTP harness of every process', () => {
  let service: HttpService;
  beforeAll(async () => {
    service = await stubService('session_api', handlers);
  });
  afterAll(() => service.close());

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
    'answers to the loopback name %s with its port',
    async (name) => {
      expect((await call(service, 'GET', '/livez', { headers: { host: `${name}:${service.port}` } })).status).toBe(200);
    },
  );

  it.each([
    'evil:PORT',
    '127.0.0.1.evil:PORT',
    'localhost.:PORT',
    '0.0.0.0:PORT',
    'x.local:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
  ])('refuses the Host %p', async (host) => {
    const reply = await call(service, 'GET', '/livez', {
      headers: { host: host.replace('PORT', String(service.port)) },
    });
    expect([reply.status, codeOf(reply)]).toEqual([403, 'HOST_NOT_ALLOWED']);
  });

  it.each([
    ['a target that does not parse', 'GET http://a:b:c/livez HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
    ['a target with a broken host', 'GET http://[::/livez HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
    ['two Host headers', 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
    ['an absolute-form target', 'GET http://evil/livez HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
    ['an empty Host', 'GET /livez HTTP/1.1\r\nHost: \r\n\r\n'],
    ['no Host at all', 'GET /livez HTTP/1.1\r\n\r\n'],
  ])('refuses %s', async (_what, bytes) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(service.port, '127.0.0.1', () =>
        socket.write(bytes.replaceAll('PORT', String(service.port))),
      );
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 (403|400) /);
  });

  it.each(['http://evil', 'null', 'http://127.0.0.1:7354.evil', 'https://127.0.0.1:7354', 'http://127.0.0.1'])(
    'refuses the Origin %s on reads and writes',
    async (origin) => {
      for (const method of ['GET', 'PATCH']) {
        const reply = await call(service, method, '/api/settings', { headers: { origin } });
        expect([reply.status, codeOf(reply)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      }
    },
  );

  it("answers the page's own origin with CORS headers for that origin only, preflight included", async () => {
    const origin = 'http://127.0.0.1:7354';
    const reply = await call(service, 'GET', '/api/settings', { headers: { origin } });
    expect(reply.headers['access-control-allow-origin']).toBe(origin);
    const preflight = await call(service, 'OPTIONS', '/api/settings', {
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    expect((await call(service, 'GET', '/api/settings')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('tells browsers how to treat whatever they can get to see, errors too', async () => {
    for (const [method, path] of [
      ['GET', '/api/settings'],
      ['GET', '/livez'],
      ['GET', '/nowhere'],
      ['PATCH', '/api/settings'],
    ] as const)
      expect((await call(service, method, path)).headers).toMatchObject({
        vary: 'Origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-site',
      });
  });

  it('spares programs what is for browsers where no page may call and no address bar leads', async () => {
    const gateway = await stubService('runtime_gateway', {});
    try {
      const chat = await call(gateway, 'POST', '/runtime/chat', json({ messages: [{ role: 'user', content: 'hi' }] }));
      expect([chat.status, chat.headers['content-security-policy']]).toEqual([404, undefined]);
      expect(chat.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      const opened = await call(gateway, 'GET', '/runtime/health');
      expect(opened.headers['x-content-type-options']).toBe('nosniff');
      const paged = await call(gateway, 'POST', '/runtime/chat', json({}, { origin: 'http://127.0.0.1:7354' }));
      expect([paged.status, codeOf(paged)]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
      // A form of another page leads a browser to the answer, although it is refused.
      const posted = await call(gateway, 'POST', '/runtime/chat', json({}, { origin: 'http://evil.example' }));
      expect([posted.status, posted.headers['x-content-type-options']]).toEqual([403, 'nosniff']);
    } finally {
      await gateway.close();
    }
  });

  it('gives every answer a request id and takes over a sane one', async () => {
    expect((await call(service, 'GET', '/nowhere')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const taken = await call(service, 'GET', '/livez', { headers: { 'x-request-id': 'trace-1.a_b' } });
    expect(taken.headers['x-request-id']).toBe('trace-1.a_b');
    const replaced = await call(service, 'GET', '/livez', { headers: { 'x-request-id': 'not sane' } });
    expect(replaced.headers['x-request-id']).not.toBe('not sane');
  });

  it('tells an unknown path from a wrong method and names the methods', async () => {
    const missing = await call(service, 'GET', '/api/nothing');
    expect([missing.status, codeOf(missing)]).toEqual([404, 'NOT_FOUND']);
    const wrong = await call(service, 'DELETE', '/api/settings');
    expect([wrong.status, codeOf(wrong)]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrong.headers['allow']).toBe('GET, HEAD, PATCH');
  });

  it('checks media type, size, JSON and members in this order', async () => {
    const form = await call(service, 'PATCH', '/api/settings', {
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(70_000),
    });
    expect([form.status, codeOf(form)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const large = await call(service, 'PATCH', '/api/settings', json(`{"a":"${'x'.repeat(70_000)}"}`));
    expect([large.status, codeOf(large)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const broken = await call(service, 'PATCH', '/api/settings', json('{"a":'));
    expect([broken.status, codeOf(broken)]).toEqual([400, 'BAD_JSON']);
    const unknown = await call(service, 'PATCH', '/api/settings', json({ nonsense: 1 }));
    expect([unknown.status, codeOf(unknown)]).toEqual([400, 'VALIDATION_ERROR']);
    expect((JSON.parse(unknown.body) as { details: unknown }).details).toEqual({
      issues: [{ path: 'nonsense', message: 'Unknown member nonsense.' }],
    });
    const noType = await call(service, 'PATCH', '/api/settings', { body: '{}' });
    expect(noType.status).toBe(415);
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['very deep JSON', Buffer.from('['.repeat(20_000) + ']'.repeat(20_000))],
    [
      'deep JSON behind a string that ends in escaped signs',
      Buffer.from(`{"a":"[\\\\\\"]\\\\","b":${'['.repeat(65)}${']'.repeat(65)}}`),
    ],
    ['a member named __proto__', Buffer.from('{"__proto__":{"save_transcripts":false}}')],
    ['a member named __proto__ with an escape', Buffer.from('{"\\u005f_proto__":{"save_transcripts":false}}')],
  ])('refuses %s as BAD_JSON', async (_what, body) => {
    const reply = await call(service, 'PATCH', '/api/settings', {
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'BAD_JSON']);
  });

  it('reads brackets inside of strings as text, however many', async () => {
    const reply = await call(
      service,
      'PATCH',
      '/api/settings',
      json(JSON.stringify({ nonsense: `\\"${'['.repeat(500)}` })),
    );
    expect([reply.status, codeOf(reply)]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('takes absent, empty and {} bodies where an operation has none, and nothing else', async () => {
    const path = ROUTES.startSession.path.replace('{id}', id);
    for (const given of [{}, json(''), json('{}')]) expect((await call(service, 'POST', path, given)).status).toBe(500);
    expect((await call(service, 'POST', path, json({ a: 1 }))).status).toBe(400);
    expect((await call(service, 'POST', path, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  it('keeps the inside of an unexpected error inside', async () => {
    const reply = await call(service, 'POST', ROUTES.startSession.path.replace('{id}', id));
    expect(codeOf(reply)).toBe('INTERNAL');
    expect(reply.body).not.toContain('secret');
  });

  it('takes a caller that goes away for what it is, and not for a failure', async () => {
    const logged: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
    let given: unknown;
    const folder = temporaryFolder('patient');
    const patient = await startHttpService({
      config: testBaseConfig('session_api', { data_dir: folder.path }),
      logger,
      routes: ROUTES,
      handlers: {
        getSettings: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            given = 'waiting';
            signal.addEventListener('abort', () => {
              given = signal.reason;
              reject(signal.reason as Error);
            });
          }),
      },
    });
    try {
      const outgoing = request({ host: '127.0.0.1', port: patient.port, path: '/api/settings', agent: false });
      outgoing.on('error', () => undefined);
      outgoing.end();
      await waitUntil('the call', () => given === 'waiting');
      outgoing.destroy();
      await waitUntil('the handler to hear of it', () => given !== 'waiting');
      const told = await call(patient, 'GET', '/metrics');
      expect(told.body).not.toContain('parley_errors_total{');
      expect(logged.filter((line) => !line.includes('listening'))).toEqual([]);
    } finally {
      await patient.close();
      folder.remove();
    }
  });

  it('takes a caller that leaves in the middle of a file for what it is, and a file that breaks off for a failure', async () => {
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    let file = new Readable({ read: () => undefined });
    const folder = temporaryFolder('files');
    const sending = await startHttpService({
      config: testBaseConfig('session_api', { data_dir: folder.path }),
      logger,
      routes: ROUTES,
      handlers: { getDocs: () => ({ content: file, headers: { 'Content-Type': 'text/html' } }) },
    });
    const begun = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        file = new Readable({ read: () => undefined });
        file.push('begun');
        const target = { host: '127.0.0.1', port: sending.port, path: ROUTES.getDocs.path, agent: false } as const;
        request(target, resolve).on('error', reject).end();
      });
    try {
      (await begun()).destroy();
      await waitUntil('the file to be let go', () => file.destroyed);
      expect(logged).toEqual([]);
      const incoming = await begun();
      const rest = text(incoming);
      file.destroy(new Error('the disk broke'));
      await expect(rest).rejects.toThrow('aborted');
      expect(logged).toHaveLength(1);
    } finally {
      await sending.close();
      folder.remove();
    }
  });

  it('answers an id that cannot exist as not found, after the body was checked', async () => {
    const reply = await call(service, 'GET', '/api/sessions/x');
    expect([reply.status, codeOf(reply)]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  it('gives queries their defaults, refuses bad values and repeats, ignores unknown names', async () => {
    expect((await call(service, 'GET', '/api/sessions?other=1')).body).toContain('"next_cursor":"20"');
    for (const bad of ['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'flow_state=Nope', 'cursor=%20'])
      expect([bad, (await call(service, 'GET', `/api/sessions?${bad}`)).status]).toEqual([bad, 400]);
  });

  it('refuses to send an answer that breaks its contract', async () => {
    expect((await call(service, 'GET', '/api/stt')).status).toBe(500);
  });

  it('serves probes and Prometheus metrics', async () => {
    expect((await call(service, 'GET', '/readyz')).body).toContain('"status":"ready"');
    expect((await call(service, 'GET', '/metrics')).body).toContain('parley_http_request_duration_seconds');
  });

  it.each([
    ['a refused upgrade', 'GET / HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['bytes that are no HTTP', 'no HTTP\r\n\r\n'],
  ])('cuts the connection of %s although its caller never closes it', async (_what, bytes) => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.on('data', (data) => (answer += data.toString())).on('error', () => undefined);
    socket.write(bytes);
    await waitUntil('the answer', () => answer.startsWith('HTTP/1.1 40'));
    const connections = (): Promise<number> =>
      new Promise((resolve) => service.server.getConnections((_error, count) => resolve(count)));
    await waitUntil('the connection to be cut', async () => (await connections()) === 0, { timeoutMs: 20_000 });
    socket.destroy();
  });

  /** Sends bytes, then one more byte again and again, until the server closes; answers what came back. */
  const dribble = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(service.port, '127.0.0.1');
      let answer = '';
      const more = setInterval(() => socket.write('x'), 100);
      socket.on('data', (data) => (answer += data.toString())).on('error', () => undefined);
      socket.once('close', () => {
        clearInterval(more);
        resolve(answer);
      });
      socket.write(bytes);
    });

  it.each([
    ['a foreign Host', 'POST /api/sessions', 'Host: evil.example'],
    ['a media type that is not taken', 'POST /api/sessions', 'Host: 127.0.0.1:PORT\r\nContent-Type: text/plain'],
    ['an unknown path', 'POST /api/nothing', 'Host: 127.0.0.1:PORT'],
    ['a wrong method', 'PUT /api/settings', 'Host: 127.0.0.1:PORT'],
    ['a body that nobody asked for', 'GET /livez', 'Host: 127.0.0.1:PORT'],
  ])('does not wait for the rest of a slow body after %s', async (_what, target, headers) => {
    const head = `${target} HTTP/1.1\r\n${headers.replace('PORT', String(service.port))}\r\nContent-Length: 100000\r\n\r\n`;
    expect(await dribble(head)).toMatch(/^HTTP\/1\.1 (2|4)\d\d /);
  });

  it('goes on with a connection whose refused body arrives a moment later', async () => {
    const socket = connect(service.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    const host = `Host: 127.0.0.1:${service.port}`;
    socket.write(`POST /api/nothing HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\n\r\n`);
    await waitUntil('the refusal', () => answer.includes('HTTP/1.1 404'));
    socket.write(`bodyGET /livez HTTP/1.1\r\n${host}\r\n\r\n`);
    await waitUntil('the next answer', () => answer.includes('HTTP/1.1 200'));
    socket.destroy();
  });

  it('sees every header of a request, and refuses more of them than anybody needs', async () => {
    const own = `Host: 127.0.0.1:${service.port}`;
    const ask = async (headers: string[], target = 'GET /api/settings'): Promise<string> => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`${[`${target} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);
      const answer = await text(socket);
      return `${/ (\d{3}) /.exec(answer)?.[1]} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`;
    };
    const many = (count: number): string[] => Array.from({ length: count }, () => 'a:');
    expect(await ask([own, ...many(90)])).toBe('200 ');
    // Node itself would have looked at the first thousand only.
    for (const count of [100, 1_100, 3_000])
      for (const hidden of ['Host: evil.example', 'Origin: http://evil.example', 'A: b'])
        expect([count, hidden, await ask([own, ...many(count), hidden])]).toEqual([
          count,
          hidden,
          '400 VALIDATION_ERROR',
        ]);
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect(await ask([own, ...many(1_100), 'Origin: http://evil.example', ...upgrade])).toMatch(/^40[03]/);
  });

  it('goes on when a connection cannot be accepted', async () => {
    for (let time = 0; time < 3; time += 1)
      service.server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }));
    expect((await call(service, 'GET', '/livez')).status).toBe(200);
  });

  it('does not start with a handler whose route it was not given', async () => {
    const config = testBaseConfig('session_api', { data_dir: '.' });
    const { getHealth } = ROUTES;
    await expect(startHttpService({ config, logger: silentLogger(), routes: { getHealth }, handlers })).rejects.toThrow(
      /session_api has a handler for \w+, but was given no such route/,
    );
  });

  it('refuses a second process on its port with one line that names the variable', async () => {
    const folder = temporaryFolder('port');
    const config = { ...testBaseConfig('session_api', { data_dir: folder.path }), port: service.port };
    await expect(startHttpService({ config, logger: silentLogger(), routes: {} })).rejects.toThrow(
      /Port \d+ is taken .* SIM_API_PORT/,
    );
    folder.remove();
  });
});
