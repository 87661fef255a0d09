import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@parley/shared/testing';
import {
  PROJECT_ROOT,
  endedSession,
  filledPath,
  routesOfApi,
  startParleySet,
  type CallExtras,
  type ParleySet,
} from '../set';

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, unknown> }>;
}
interface OpenApi {
  readonly servers: { url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
}

describe('The documents of the API', () => {
  let set: ParleySet;
  let document: OpenApi;
  beforeAll(async () => {
    set = await startParleySet();
    document = (await set.call<OpenApi & Record<string, unknown>>('GET', '/api/openapi.json')).body;
  });
  afterAll(() => set.stop());

  it('name the address of the set that serves them, under the name by which it was called', async () => {
    const port = set.portOf('session_api');
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const headers = { host: host.replace('localhost', 'LocalHost') };
      const openapi = await set.call('GET', '/api/openapi.json', undefined, { headers });
      expect(openapi.body['servers']).toEqual([{ url: `http://${host}` }]);
      const asyncapi = await set.call('GET', '/api/asyncapi.json', undefined, { headers });
      expect(asyncapi.body['servers']).toMatchObject({ local: { host, protocol: 'ws' } });
      const docs = await set.call('GET', '/api/docs', undefined, { headers });
      expect(docs.text).toContain(`ws://${host}/ws/session/{id}`);
      expect(docs.text).not.toContain('127.0.0.1:7355');
    }
  });

  it('have the status and the content type of whatever is answered, good or bad', async () => {
    const { id } = await endedSession(set, 1);
    const wrong: string[] = [];
    const check = async (operation: Operation, method: string, at: string, body?: unknown, extras: CallExtras = {}) => {
      const reply = await set.call(method, at, body, extras);
      const told = operation.responses[String(reply.status)];
      const type = String(reply.headers['content-type'] ?? '').replace(/;.*/, '');
      const isTold =
        told !== undefined && (type === '' ? told.content === undefined : Object.hasOwn(told.content ?? {}, type));
      if (!isTold) wrong.push(`${operation.operationId}: ${method} ${at} ${reply.status} ${type}`);
    };
    // What deletes comes last: the others need something to look at.
    const routes = routesOfApi().filter((one) => one.audience !== 'internal');
    const rank = (operation: string): number => (/^(delete|clear)/.test(operation) ? 1 : 0);
    for (const route of routes.sort((a, b) => rank(a.operation) - rank(b.operation))) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      if (operation === undefined) throw new Error(`${route.operation} is not documented`);
      const here = filledPath(route, { id: route.path.includes('scenarios') ? 'the_ask' : id });
      const nowhere = filledPath(route, { id: 'nobodynobodynobodynobody', pack_id: 'nothing', path: 'x' });
      await check(operation, route.method, nowhere);
      if (route.bodyKind !== 'none') {
        await check(operation, route.method, nowhere, {});
        await check(operation, route.method, nowhere, '{');
        await check(operation, route.method, nowhere, 'x', { headers: { 'content-type': 'text/plain' } });
      }
      await check(operation, route.method, nowhere, undefined, { headers: { origin: 'http://evil.example' } });
      await check(operation, 'PROPFIND', nowhere);
      await check(operation, route.method, here);
      if (route.method === 'GET') {
        await check(operation, route.method, `${here}?limit=x&turn=x&format=x&version=x`);
        await check(operation, route.method, `${here}?format=markdown`);
        if (route.hasEntityTag === true)
          await check(operation, route.method, here, undefined, { headers: { 'if-none-match': '*' } });
      } else if (route.bodyKind !== 'none')
        await check(operation, route.method, here, JSON.stringify({ text: 'x'.repeat(70_000) }));
    }
    expect(wrong).toEqual([]);
  });

  it('tell of the ways to write a path that are taken too', async () => {
    for (const alias of ['/api/settings/', '/API/Settings', '/api/packs/the_ask/'])
      expect([alias, (await set.call('GET', alias)).status]).toEqual([alias, 200]);
    for (const other of ['/api//settings', '/api/settings/x', '/api/settings.json'])
      expect([other, (await set.call('GET', other)).status]).toEqual([other, 404]);
    const { npc } = (await set.call<{ npc: { portrait_url: string } }>('GET', '/api/scenarios/the_ask')).body;
    const inFront = npc.portrait_url.replace('/assets/', '/assets/assets/');
    expect((await set.call('GET', inFront)).text).toBe((await set.call('GET', npc.portrait_url)).text);
    const { info } = document as unknown as { info: { description: string } };
    expect(info.description).toMatch(/Letters of any case and a slash at the end of a path/);
  });
});

describe('The check of the documents', () => {
  const SCHEMAS = path.join(PROJECT_ROOT, 'schemas');
  const check = (folder: string): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [path.join(PROJECT_ROOT, 'scripts', 'checks', 'check-documents.cjs'), folder], {
      encoding: 'utf8',
    });

  it('finds nothing in the generated documents, and what was put into copies of them', () => {
    const clean = check(SCHEMAS);
    expect([clean.status, clean.stderr]).toEqual([0, '']);
    const folder = temporaryFolder('documents');
    for (const name of ['openapi.json', 'gateway.openapi.json', 'asyncapi.json'])
      copyFileSync(path.join(SCHEMAS, name), path.join(folder.path, name));
    const spoil = (name: string, change: (text: string) => string): void => {
      const file = path.join(folder.path, name);
      const before = readFileSync(file, 'utf8');
      expect(change(before)).not.toBe(before);
      writeFileSync(file, change(before));
    };
    spoil('openapi.json', (text) => text.replace('"operationId": "getSettings"', '"operationId": "getHealth"'));
    spoil('gateway.openapi.json', (text) => text.replace('"security": [],', ''));
    spoil('asyncapi.json', (text) => text.replace('"action": "send"', '"action": "shout"'));
    const spoilt = check(folder.path);
    folder.remove();
    expect(spoilt.status).toBe(1);
    for (const found of [/openapi\.json:\d+ operation-operationId-unique/, /security-defined/, /asyncapi\.json:\d+ /])
      expect(spoilt.stderr).toMatch(found);
  }, 240_000);
});
