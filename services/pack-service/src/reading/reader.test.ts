import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathOf } from '@parley/shared/client';
import { Problem, ROUTES, StartError, type RouteShape } from '@parley/shared/contracts';
import { silentLogger, type Logger } from '@parley/shared/service';
import { openDatabase } from '@parley/shared/store';
import {
  freePorts,
  temporaryFolder,
  testBaseConfig,
  waitUntil,
  minimalPack,
  PNG,
  replaced,
} from '@parley/shared/testing';
import { packServiceFixture, type Answer } from '../../testing/pack-service-fixture';
import { zipOfPack } from '../../testing/zip-bytes';
import { startPackService } from '../start';

const OWN = (Object.values(ROUTES) as RouteShape[]).filter((route) => route.service === 'pack_service');
/** What is asked for while people play; everything else changes packs, or is about what only the writer has. */
const isRead = ({ method, audience }: RouteShape): boolean => method === 'GET' && audience !== 'local';
const PARAMS = { id: 'sample.pack.talk', pack_id: 'sample.pack', draft_id: 'draft', path: 'kim.png' };

describe('a pack-service that only reads', () => {
  const set = packServiceFixture();
  const own = temporaryFolder('pack-reader');
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => own.remove());

  /** A reader of the fixture's tables and packs. @returns its address */
  const startReader = async (
    writerUrl: string,
    port = 0,
    logger: Logger = silentLogger(),
    packs = path.join(set.data(), 'packs'),
  ): Promise<string> => {
    const running = await startPackService(
      {
        base: testBaseConfig('pack_service', {
          data_dir: own.path,
          database_url: path.join(set.data(), 'parley.sqlite'),
          port,
        }),
        built_in_packs_dir: set.builtIn(),
        schemas_dir: own.path,
        reader: { writer_url: writerUrl, packs_dir: packs },
      },
      logger,
    );
    stops.push(() => running.stop());
    return running.url;
  };
  const call = async (url: string, method: string, route: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(`${url}${route}`, { method, ...init });
    const text = await answer.text();
    const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, headers: answer.headers, body: isJson ? (JSON.parse(text) as Answer['body']) : {} };
  };
  const json = (body: unknown): RequestInit => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const both = async (reader: string, route: string): Promise<Answer['body']> => {
    const init = { headers: { 'x-request-id': 'the-same-call' } };
    const [one, other] = [await set.call('GET', route, init), await call(reader, 'GET', route, init)];
    expect([other.status, other.body]).toEqual([one.status, one.body]);
    return other.body;
  };

  it('answers every read without the writer, and says of everything else that it is away', async () => {
    await set.start();
    await set.json('/api/packs/import', { path: set.source(minimalPack({ 'assets/kim.png': PNG })) });
    const reader = await startReader(set.url());
    await set.stop();
    expect(OWN.filter(isRead).map(({ operation }) => operation)).toContain('getPackAsset');
    for (const route of OWN) {
      const sends = route.bodyKind === 'json' || route.bodyKind === 'json_or_multipart';
      const answer = await call(reader, route.method, pathOf(route, PARAMS), sends ? json({}) : {});
      if (isRead(route)) expect([route.operation, answer.status]).toEqual([route.operation, 200]);
      else
        expect([route.operation, Problem.parse(answer.body)]).toMatchObject([
          route.operation,
          {
            code: 'SERVICE_UNAVAILABLE',
            detail: expect.stringContaining('packs cannot be changed') as string,
            retryable: true,
            details: { service: 'pack_service' },
          },
        ]);
    }
  });

  it('passes an upload on, and shows at once what the writer has installed, replaced and taken out', async () => {
    await set.start();
    set.source(minimalPack({ 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', 'first') }), 'built-in/first');
    await set.restart();
    const reader = await startReader(set.url());
    await both(reader, '/api/scenarios');
    const upload = async (files: ReturnType<typeof minimalPack>, query = ''): Promise<number> => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(zipOfPack(files))]), 'pack.zip');
      return (await call(reader, 'POST', `/api/packs/import${query}`, { body: form })).status;
    };
    expect(await upload(minimalPack({ 'assets/kim.png': PNG }))).toBe(201);
    expect(set.installed()).toEqual(['sample.pack']);
    const installed = await both(reader, '/api/scenarios');
    expect(installed['scenarios']).toHaveLength(2);
    await both(reader, '/api/packs');
    await both(reader, '/api/packs/sample.pack');
    const before = await both(reader, '/internal/scenarios/sample.pack.talk/content');
    const picture = await fetch(`${reader}/api/packs/sample.pack/assets/kim.png`);
    expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);

    const changed = replaced('scenarios/talk.yaml', 'title: A talk', 'title: A long talk');
    expect(await upload(minimalPack({ 'scenarios/talk.yaml': changed }), '?replace=any')).toBe(201);
    const after = await both(reader, '/internal/scenarios/sample.pack.talk/content');
    expect([before, after]).toMatchObject([
      { content: { title: 'A talk', version: 1 } },
      { content: { title: 'A long talk', version: 2 } },
    ]);
    expect(await both(reader, '/internal/scenarios/sample.pack.talk/content?version=1')).toEqual(before);

    set.useVersions([{ scenario_id: 'sample.pack.talk', version: 2 }]);
    expect((await call(reader, 'DELETE', '/api/packs/sample.pack')).status).toBe(204);
    expect(await both(reader, '/api/scenarios/sample.pack.talk')).toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
    // Both have had it in memory: one session began with the second version, none with the first.
    expect(await both(reader, '/internal/scenarios/sample.pack.talk/content?version=2')).toEqual(after);
    expect(await both(reader, '/internal/scenarios/sample.pack.talk/content?version=1')).toMatchObject({
      code: 'SCENARIO_NOT_FOUND',
    });
  });

  it('waits for a writer that has never run, and then has all of its packs', async () => {
    for (const name of ['first', 'second'])
      set.source(minimalPack({ 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', name) }), `built-in/${name}`);
    const [port = 0] = await freePorts(1);
    const logger = silentLogger();
    const warned = jest.spyOn(logger, 'warn');
    const starting = startReader('http://127.0.0.1:1', port, logger);
    await waitUntil('it to say that it waits', () => warned.mock.calls.length > 0);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('no packs yet'));
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
    await set.start();
    const reader = await starting;
    const { scenarios } = (await call(reader, 'GET', '/api/scenarios')).body as { scenarios: { id: string }[] };
    expect(scenarios.map(({ id }) => id).sort()).toEqual(['first.talk', 'second.talk']);
  });

  it('sees all packs of a starting writer at once', async () => {
    await set.start();
    for (const name of ['first', 'second'])
      set.source(minimalPack({ 'manifest.yaml': replaced('manifest.yaml', 'sample.pack', name) }), `built-in/${name}`);
    const database = await openDatabase({ dataDir: set.data(), url: null });
    await database.knex.raw(`create trigger no_second before insert on scenarios when new.id = 'second.talk'
      begin select raise(abort, 'not this one'); end`);
    // No Error of this test's: the driver keeps the class of the test that loaded it first.
    await expect(set.restart()).rejects.toMatchObject({ message: expect.stringContaining('not this one') as string });
    expect(await database.knex('packs').select('pack_id')).toEqual([]);
    await database.close();
  });

  it('passes on that the writer is still at work', async () => {
    await set.start();
    await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    const writer = createServer((request, response) => {
      request.resume().once('end', () => {
        response.writeProcessing();
        response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => writer.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => writer.close(() => resolve())));
    const reader = await startReader(`http://127.0.0.1:${(writer.address() as AddressInfo).port}`);
    const interim: number[] = [];
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } };
      const request = httpRequest(`${reader}/api/packs/import`, options, (answer: IncomingMessage) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on('information', ({ statusCode }) => interim.push(statusCode)).on('error', reject);
      request.end('{"path":"/a"}');
    });
    expect([interim, status]).toEqual([[102], 201]);
    writer.closeAllConnections();
  });

  it("does not start where the writer's packs are not, as with a disk that is not mounted", async () => {
    set.source(minimalPack(), 'built-in/sample');
    await set.start();
    const nowhere = path.join(own.path, 'nowhere');
    await expect(startReader(set.url(), 0, silentLogger(), nowhere)).rejects.toThrow(
      new StartError(
        `The folder ${nowhere}, which SIM_PACKS_DIR names, cannot be read: mount it there, or name the folder packs in the data folder of the pack-service that writes.`,
      ),
    );
  });

  it('asks no other reader', async () => {
    await set.start();
    await set.json('/api/packs/import', { path: set.source(minimalPack()) });
    const other = await startReader(set.url());
    const reader = await startReader(other);
    expect(await call(reader, 'DELETE', '/api/packs/sample.pack')).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('SIM_PACKS_WRITER_URL leads to') as string },
    });
    expect(set.installed()).toEqual(['sample.pack']);
  });
});
