import { PROBE_PATHS, type RouteShape } from '@parley/shared/contracts';
import { filledPath, routesOfApi, startParleySet, startedSession, type ParleySet, type Reply } from '../set';

const DOCUMENTS: readonly string[] = ['getOpenapi', 'getAsyncapi', 'getDocs'];
const EXISTING: Readonly<Record<string, string>> = { getScenario: 'the_ask', listScenarioVersions: 'the_ask' };

/** What a browser may keep of an answer: nothing, but for what changes only with a version. */
describe('Caching', () => {
  let set: ParleySet;
  let session = '';
  beforeAll(async () => {
    set = await startParleySet({ withUi: true });
    session = (await startedSession(set)).id;
  });
  afterAll(() => set.stop());

  const ask = (route: RouteShape, headers: Record<string, string> = {}): Promise<Reply> =>
    set.call(
      route.method,
      filledPath(route, { id: EXISTING[route.operation] ?? session }),
      route.bodyKind === 'json' || route.bodyKind === 'json_or_multipart' ? '{}' : undefined,
      { headers },
    );

  it('no answer of the API is stored, but assets, documents and those with an ETag, which are asked about again', async () => {
    const wrong: string[] = [];
    // Deleting the session comes last.
    const routes = routesOfApi().sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
    for (const route of routes) {
      const { status, headers } = await ask(route);
      const isKept =
        route.operation === 'getPackAsset' || DOCUMENTS.includes(route.operation) || headers.etag !== undefined;
      const expected = isKept && status < 400 ? 'no-cache' : 'no-store';
      if (headers['cache-control'] !== expected) wrong.push(`${route.operation} ${status} ${headers['cache-control']}`);
    }
    expect(wrong).toEqual([]);
  });

  it('nothing about a session has an ETag', async () => {
    const { id } = await startedSession(set);
    for (const route of routesOfApi().filter((one) => one.method === 'GET' && one.path.startsWith('/api/sessions'))) {
      const reply = await set.call('GET', filledPath(route, { id }));
      expect([route.operation, reply.headers.etag]).toEqual([route.operation, undefined]);
    }
  });

  it('pictures under the address of their version are kept for good', async () => {
    const { npc } = await set.ask('getScenario', { params: { id: 'the_ask' } });
    const reply = await set.call('GET', npc.portrait_url ?? '');
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it('refusals, unknown paths, preflights and probes are not stored either', async () => {
    const origin = `http://127.0.0.1:${set.portOf('ui')}`;
    const replies = [
      await set.call('GET', '/api/health', undefined, { headers: { host: 'evil.example' } }),
      await set.call('GET', '/api/health', undefined, { headers: { origin: 'http://evil.example' } }),
      await set.call('GET', '/api/nothing'),
      await set.call('DELETE', '/api/settings'),
      await set.call('OPTIONS', '/api/settings', undefined, {
        headers: { origin, 'access-control-request-method': 'PATCH' },
      }),
    ];
    for (const service of ['session_api', 'pack_service', 'runtime_gateway', 'debrief_worker', 'ui'] as const)
      for (const path of Object.values(PROBE_PATHS)) replies.push(await set.call('GET', path, undefined, { service }));
    expect(replies.map((reply) => reply.status)).toEqual([403, 403, 404, 405, 204, ...Array<number>(15).fill(200)]);
    expect(new Set(replies.map((reply) => reply.headers['cache-control']))).toEqual(new Set(['no-store']));
  });

  it('the page is asked about again, and its parts are kept for good', async () => {
    const page = await set.call('GET', '/', undefined, { service: 'ui' });
    expect(page.headers['cache-control']).toBe('no-cache');
    const script = /\/assets\/[^"]+\.js/.exec(page.text)?.[0] ?? '';
    const part = await set.call('GET', script, undefined, { service: 'ui' });
    expect([part.status, part.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});
