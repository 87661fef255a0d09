import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import path from 'node:path';
import { ROUTES, type RouteShape } from '@parley/shared/contracts';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import {
  LONG_TALK,
  endedSession,
  filledPath,
  say,
  startParleySet,
  startedSession,
  writeSamplePack,
  type ParleySet,
} from '../set';

interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** In how many pieces the body came. */
  readonly pieces: number;
}

/** node:http undoes no encoding: the bytes are those that were sent. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes: Buffer.concat(pieces),
          pieces: pieces.length,
        }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const ENCODINGS = Object.keys(DECODERS) as (keyof typeof DECODERS)[];
const variesWith = (reply: RawReply): string[] => String(reply.headers.vary).toLowerCase().split(/, */);

/** docs/contract.md, Caching: what is compressed, and what a caller may keep. */
describe('Compression and caching', () => {
  let set: ParleySet;
  let folder: TemporaryFolder;
  let played = '';
  beforeAll(async () => {
    folder = temporaryFolder('caching');
    set = await startParleySet({ environment: { SIM_FAKE_WORD_DELAY_MS: '5' } });
    played = (await startedSession(set)).id;
    await say(set, played, 'I would like to talk about my pay.');
  });
  afterAll(async () => {
    await set.stop();
    folder.remove();
  });

  const tagged = [
    '/api/scenarios',
    '/api/scenarios/the_ask',
    '/api/scenarios/the_ask/versions',
    '/api/packs',
    '/api/packs/the_ask',
    '/api/openapi.json',
    '/api/asyncapi.json',
    '/api/docs',
  ] as const;

  it.each(tagged)('%s carries an ETag and is answered 304 to whoever holds it, also compressed', async (place) => {
    const plain = await ask(`${set.url}${place}`);
    expect([plain.status, plain.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(plain.headers.etag).toMatch(/^W\/"[^"]+"$/);
    expect(variesWith(plain)).toEqual(expect.arrayContaining(['origin', 'accept-encoding']));
    for (const encoding of ENCODINGS) {
      const reply = await ask(`${set.url}${place}`, { 'accept-encoding': encoding });
      expect(reply.headers.etag).toBe(plain.headers.etag);
      if (plain.bytes.length < 1024) expect(reply.bytes).toEqual(plain.bytes);
      else {
        expect([encoding, reply.headers['content-encoding']]).toEqual([encoding, encoding]);
        expect(reply.bytes.length).toBeLessThan(plain.bytes.length);
        expect(DECODERS[encoding](reply.bytes).equals(plain.bytes)).toBe(true);
        expect(variesWith(reply)).toContain('accept-encoding');
      }
    }
    for (const headers of [{}, { 'accept-encoding': 'gzip' }])
      for (const known of [String(plain.headers.etag), `"other", ${plain.headers.etag}`, '*']) {
        const again = await ask(`${set.url}${place}`, { ...headers, 'if-none-match': known });
        expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0]);
        expect([again.headers.etag, again.headers['cache-control']]).toEqual([plain.headers.etag, 'no-cache']);
      }
    const other = await ask(`${set.url}${place}`, { 'if-none-match': 'W/"other"' });
    expect([other.status, other.bytes.equals(plain.bytes)]).toEqual([200, true]);
    const head = await ask(`${set.url}${place}`, {}, 'HEAD');
    expect([head.status, head.headers.etag, head.bytes.length]).toEqual([200, plain.headers.etag, 0]);
  });

  it('a change of what is answered changes the ETag', async () => {
    const before = await ask(`${set.url}/api/packs`);
    const installed = await set.call('POST', '/api/packs/import', {
      path: writeSamplePack(path.join(folder.path, 'a')),
    });
    expect(installed.status).toBe(201);
    const after = await ask(`${set.url}/api/packs`, { 'if-none-match': String(before.headers.etag) });
    expect([after.status, after.headers.etag === before.headers.etag]).toEqual([200, false]);
    await set.call('DELETE', `/api/packs/${LONG_TALK}`);
    expect((await ask(`${set.url}/api/packs`)).headers.etag).toBe(before.headers.etag);
    const missing = await ask(`${set.url}/api/packs/${LONG_TALK}`);
    expect([missing.status, missing.headers.etag]).toEqual([404, undefined]);
  });

  it('answers about sessions, settings, health and the machine carry no ETag, and are never 304', async () => {
    const { id } = await endedSession(set, 1);
    await set.call('POST', `/api/sessions/${id}/debrief`);
    const others = (Object.values(ROUTES) as RouteShape[]).filter(
      (route) =>
        route.method === 'GET' &&
        route.hasEntityTag !== true &&
        route.operation !== 'getPackAsset' &&
        (route.service === 'session_api' || route.via === 'session_api'),
    );
    expect(others.length).toBeGreaterThan(15);
    for (const route of others)
      for (const headers of [{}, { 'accept-encoding': 'br' }]) {
        const reply = await ask(`${set.url}${filledPath(route, { id })}`, { ...headers, 'if-none-match': '*' });
        expect([route.operation, reply.headers.etag, reply.status === 304]).toEqual([
          route.operation,
          undefined,
          false,
        ]);
      }
  });

  it('JSON over 1 KB is compressed when asked, whatever it is about, and shorter JSON is not', async () => {
    for (const encoding of ENCODINGS) {
      const headers = { 'accept-encoding': encoding };
      const exported = await ask(`${set.url}/api/sessions/${played}/export`, headers);
      expect(exported.headers['content-encoding']).toBe(encoding);
      expect(JSON.parse(DECODERS[encoding](exported.bytes).toString())).toMatchObject({ schema_version: 1 });
      const markdown = await ask(`${set.url}/api/sessions/${played}/export?format=markdown`, headers);
      expect(String(markdown.headers['content-type'])).toBe('text/markdown; charset=utf-8');
      const turn = await ask(
        `${set.url}/api/sessions/${played}/turn`,
        { ...headers, 'content-type': 'application/json' },
        'POST',
        JSON.stringify({ text: 'What would it take?' }),
      );
      expect([turn.status, turn.headers['content-encoding']]).toEqual([200, encoding]);
      expect(JSON.parse(DECODERS[encoding](turn.bytes).toString())).toMatchObject({ used_fallback: false });
      const short = await ask(`${set.url}/api/settings`, headers);
      expect([short.status, short.headers['content-encoding']]).toEqual([200, undefined]);
    }
    const long = `"${'x'.repeat(2_000)}`;
    const problem = await ask(
      `${set.url}/api/packs/validate`,
      { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
      'POST',
      JSON.stringify({ path: '/', [long]: 1 }),
    );
    expect([problem.status, problem.headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(gunzipSync(problem.bytes).toString()).toContain('VALIDATION_ERROR');
  });

  it('takes the best encoding of those that the caller names, and none that it refuses', async () => {
    for (const [accepted, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['deflate', undefined],
      ['zstd', undefined],
      ['identity', undefined],
      ['', undefined],
    ] as const) {
      const reply = await ask(`${set.url}/api/openapi.json`, { 'accept-encoding': accepted });
      expect([accepted, reply.status, reply.headers['content-encoding']]).toEqual([accepted, 200, expected]);
    }
  });

  it('files of packs and streams of the gateway come as they are', async () => {
    const { body } = await set.call<{ npc: { portrait_url: string } }>('GET', '/api/scenarios/the_ask');
    const picture = await ask(`${set.url}${body.npc.portrait_url}`, { 'accept-encoding': 'br, gzip' });
    expect([picture.status, picture.headers['content-type'], picture.headers['content-encoding']]).toEqual([
      200,
      'image/svg+xml',
      undefined,
    ]);
    expect(Number(picture.headers['content-length'])).toBe(picture.bytes.length);
    expect(picture.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const chat = await ask(
      `${set.urlOf('runtime_gateway')}/runtime/chat`,
      { ...set.keyHeader, 'accept-encoding': 'br, gzip', 'content-type': 'application/json' },
      'POST',
      JSON.stringify({ messages: [{ role: 'user', content: 'Hello, can we talk?' }] }),
    );
    expect([chat.status, chat.headers['content-type'], chat.headers['content-encoding']]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      undefined,
    ]);
    // Word by word, as the runtime made them: something in between would have gathered them.
    expect(chat.pieces).toBeGreaterThan(1);
    const items = chat.bytes.toString().trim().split('\n');
    expect(JSON.parse(items.at(-1) ?? '')).toMatchObject({ type: 'final' });
  });
});
