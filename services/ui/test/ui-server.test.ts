import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { StartError } from '@parley/shared/contracts';
import { silentLogger } from '@parley/shared/service';
import { temporaryFolder, testBaseConfig, type TemporaryFolder } from '@parley/shared/testing';
import { startUi } from '../src/start';
import { ensurePageBuilt } from './start-page';

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly bytes: Buffer;
}

let ui: Awaited<ReturnType<typeof startUi>>;
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = temporaryFolder('ui-server');
  ui = await startUi(
    { base: testBaseConfig('ui', { data_dir: folder.path }), api_port: 4711, page_dir: await ensurePageBuilt() },
    silentLogger(),
  );
});

afterAll(async () => {
  await ui.stop();
  folder.remove();
});

function call(path: string, { method = 'GET', headers = {} as Record<string, string> } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port: ui.port, host: '127.0.0.1', path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const html = async (path: string) => (await call(path)).bytes.toString('utf8');
const scriptOf = async () => /src="(\/assets\/[^"]+\.js)"/.exec(await html('/'))?.[1] ?? 'no script';

describe('the server of the page', () => {
  it.each(['/', '/history', '/help', '/play/abc', '/sessions/abc/debrief', '/scenarios/the_ask?x=1'])(
    'answers the page at %s',
    async (path) => {
      const reply = await call(path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toMatch(/^text\/html/);
      expect(reply.bytes.toString()).toContain('<div id="root">');
    },
  );

  it('tells the page the port of the API', async () => {
    expect(await html('/')).toContain('<meta name="parley-api-port" content="4711" />');
  });

  it('guards the page with a policy that names the API alone, and has nothing inline in it', async () => {
    const reply = await call('/');
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain('connect-src http://127.0.0.1:4711 ws://127.0.0.1:4711');
    expect(policy).toContain("script-src 'self'");
    expect(reply.bytes.toString()).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|<style|\sstyle=|https?:\/\//);
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends the same script plain, as gzip and as brotli, for good', async () => {
    const path = await scriptOf();
    const plain = await call(path);
    const gzip = await call(path, { headers: { 'accept-encoding': 'gzip' } });
    const brotli = await call(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    for (const reply of [plain, gzip, brotli])
      expect(reply.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringMatching(/javascript/) as string,
        vary: expect.stringMatching(/accept-encoding/i) as string,
      });
  });

  it('compresses the page itself, too', async () => {
    const reply = await call('/', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(reply.bytes).toString()).toContain('content="4711"');
  });

  it('answers 304 to who has the page already', async () => {
    const { headers } = await call('/');
    const reply = await call('/', { headers: { 'if-none-match': String(headers['etag']) } });
    expect(reply.status).toBe(304);
    expect(reply.bytes).toHaveLength(0);
  });

  it('answers HEAD without a body', async () => {
    const reply = await call('/', { method: 'HEAD' });
    expect(reply.status).toBe(200);
    expect(reply.bytes).toHaveLength(0);
  });

  it.each([
    '/nowhere',
    '/index.html',
    '/assets/',
    '/assets/nothing.js',
    '/assets/../main.js',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/main.js',
    '/assets/..%5cmain.js',
    '/api/health',
  ])('answers 404 at %s and not the page', async (path) => {
    const reply = await call(path);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.bytes.toString())).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it.each(['/nowhere', '/history/', '/assets/nothing.js', '/api/health', '/..%2f..%2fpackage.json', '/%E0%A4%A'])(
    'answers a browser that opens %s with 404 and the page, guarded like every page',
    async (path) => {
      const reply = await call(path, {
        headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' },
      });
      expect(reply.status).toBe(404);
      expect(reply.headers['content-type']).toMatch(/^text\/html/);
      expect(reply.headers['cache-control']).toBe('no-cache');
      expect(String(reply.headers['content-security-policy'])).toContain("script-src 'self'");
      expect(reply.bytes.toString()).toContain('<div id="root">');
    },
  );

  it.each(['application/json', '*/*', 'image/png', 'application/json, text/html;q=0.5'])(
    'answers who asks for %s with a problem document',
    async (accept) => {
      const reply = await call('/nowhere', { headers: { accept } });
      expect(reply.status).toBe(404);
      expect(JSON.parse(reply.bytes.toString())).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const reply = await call('/', { method });
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, HEAD');
  });

  it.each(['evil.example', 'evil.example:7354', 'localhost', '127.0.0.1.evil:7354', '0.0.0.0'])(
    'refuses the Host %s',
    async (host) => {
      expect((await call('/', { headers: { host } })).status).toBe(403);
    },
  );

  it('refuses a stranger’s page as the origin', async () => {
    expect((await call('/', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await call(await scriptOf(), { headers: { origin: ui.url } })).status).toBe(200);
  });

  it('has the probes of every process', async () => {
    expect(JSON.parse((await call('/livez')).bytes.toString())).toEqual({ status: 'ok' });
    expect(JSON.parse((await call('/readyz')).bytes.toString())).toMatchObject({ status: 'ready', service: 'ui' });
    expect((await call('/metrics')).bytes.toString()).toContain('# HELP');
  });

  it('says what to do when the page was never built', async () => {
    const config = { base: testBaseConfig('ui', { data_dir: folder.path }), api_port: 1, page_dir: folder.path };
    await expect(startUi(config, silentLogger())).rejects.toThrow(StartError);
    await expect(startUi(config, silentLogger())).rejects.toThrow(/npm run build:page/);
  });
});
