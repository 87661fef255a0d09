import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  INTERNAL_KEY_HEADER,
  Problem,
  ROUTES,
  type PackDetail,
  type RouteShape,
  type Session,
} from '@parley/shared/contracts';
import { EXIT_CONFIGURATION } from '@parley/shared/service';
import { describeScaled, freePorts, temporaryFolder, waitUntil } from '@parley/shared/testing';
import { ZipFile } from 'yazl';
import { BUILT_IN_IDS, LONG_TALK, sampleFile, ServiceInstance, writeSamplePack } from '../set';
import { filledPath } from '../set/route-calls';
import { OneName } from './one-name';
import { KEY, ScaledSet } from './scaled-set';

jest.setTimeout(120_000);

const READS = (Object.values(ROUTES) as RouteShape[]).filter(
  ({ service, method, audience }) => service === 'pack_service' && method === 'GET' && audience !== 'local',
);

const folders = temporaryFolder('pack-readers');
const HEADERS = { [INTERNAL_KEY_HEADER]: KEY };
const instances: ServiceInstance[] = [];
const packService = (port: number, environment: Record<string, string>): ServiceInstance => {
  const one = new ServiceInstance({
    service: 'pack_service',
    port,
    environment: { NODE_ENV: 'test', SIM_INTERNAL_KEY: KEY, SIM_PACKS_PORT: String(port), ...environment },
    headers: HEADERS,
  });
  instances.push(one);
  return one;
};
afterAll(async () => {
  for (const one of instances) await one.stop('SIGKILL');
  folders.remove();
});

const folder = (name: string): string => path.join(folders.path, name);
const ask = (port: number, route: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${route}`, { ...init, headers: { ...init.headers, ...HEADERS } });
const isReady = async (port: number): Promise<boolean> =>
  ask(port, '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  );
const logOf = (dataDir: string): string =>
  readdirSync(path.join(dataDir, 'logs'))
    .map((name) => readFileSync(path.join(dataDir, 'logs', name), 'utf8'))
    .join('');

describeScaled('a pack-service that only reads', (servers) => {
  it('is refused on SQLite by one line', async () => {
    const one = packService(0, {
      SIM_DATA_DIR: folder('on-sqlite'),
      SIM_PACKS_WRITER_URL: 'http://127.0.0.1:7359',
      SIM_PACKS_DIR: folder('packs'),
    });
    await expect(one.start()).rejects.toThrow('at its start');
    expect(one.process.end()).toEqual({ code: EXIT_CONFIGURATION, signal: null });
    expect(one.process.output()).toMatch(/^pack_service: SIM_PACKS_WRITER_URL=.* it needs PostgreSQL as well[^\n]*\n$/);
  });

  it('waits for the first start of the one that writes, and says so in its log', async () => {
    const [readerPort = 0, writerPort = 0] = await freePorts(2);
    const shared = { SIM_DATABASE_URL: await servers().postgres.createDatabase() };
    const reader = packService(readerPort, {
      ...shared,
      SIM_DATA_DIR: folder('early'),
      SIM_PACKS_WRITER_URL: `http://127.0.0.1:${writerPort}`,
      SIM_PACKS_DIR: path.join(folder('writer'), 'packs'),
    });
    const reading = reader.start();
    await waitUntil('it to wait', () => logOf(folder('early')).includes('no packs yet'));
    expect(await isReady(readerPort)).toBe(false);
    await packService(writerPort, { ...shared, SIM_DATA_DIR: folder('writer') }).start();
    await reading;
    const { packs } = (await (await ask(readerPort, '/api/packs')).json()) as { packs: { pack_id: string }[] };
    expect(packs.map(({ pack_id }) => pack_id).sort()).toEqual(BUILT_IN_IDS);
  });
});

describeScaled('a set with a pack-service that only reads', (servers) => {
  let name: OneName;
  let set: ScaledSet;
  let reader: ServiceInstance;
  const [WRITER, READER] = [0, 1] as const;
  const ports = (): number[] => [set.set.portOf('pack_service'), reader.port];
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    name = await OneName.make();
    set = await ScaledSet.start(servers(), { environment: { ...name.environment, SIM_PACKS_URL: name.url } });
    reader = packService(port, {
      SIM_DATABASE_URL: set.databaseUrl,
      SIM_DATA_DIR: folder('reader'),
      SIM_PACKS_WRITER_URL: set.set.urlOf('pack_service'),
      SIM_PACKS_DIR: path.join(set.set.folder.path, 'packs'),
    });
    await reader.start();
    await name.listen(ports());
  });
  afterAll(async () => {
    await set.stop();
    name.close();
  });

  /** What both answer, which is the same. */
  const both = async (route: string): Promise<{ status: number; text: string }> => {
    const answers = await Promise.all(
      ports().map(async (port) => {
        const answer = await ask(port, route, { headers: { 'x-request-id': 'the-same-call' } });
        return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    return answers[0] ?? { status: 0, text: '' };
  };
  const changes: Readonly<Record<string, string>> = {
    'manifest.yaml': sampleFile('manifest.yaml').replace('version: 1.2.3', 'version: 1.3.0'),
    'scenarios/talk.yaml': sampleFile('scenarios/talk.yaml').replace('title: A long talk', 'title: A longer talk'),
  };
  const upload = async (files: Readonly<Record<string, string>>, query = ''): Promise<Response> => {
    const root = writeSamplePack(folder('sample'), files);
    const zip = new ZipFile();
    for (const file of readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
      const place = path.join(file.parentPath, file.name);
      zip.addFile(place, path.relative(root, place));
    }
    zip.end();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await buffer(zip.outputStream))]), 'pack.zip');
    return ask(reader.port, `/api/packs/import${query}`, { method: 'POST', body: form });
  };

  it('answers every read alike, whichever is asked', async () => {
    for (const route of READS) {
      const answer = await both(filledPath(route, { id: 'the_ask' }));
      expect([route.operation, answer.status]).toEqual([route.operation, 200]);
    }
    const { assets } = JSON.parse((await both('/api/packs/the_ask')).text) as PackDetail;
    for (const { url } of assets) expect((await both(url)).status).toBe(200);
  });

  it('shows at once what was imported, replaced and taken out through the reader, and what is left after a clear', async () => {
    const { status } = await upload({ 'assets/note.txt': 'In the folder of the one that writes.' });
    expect(status).toBe(201);
    await both('/api/packs');
    expect(await both(`/api/packs/${LONG_TALK}/assets/note.txt`)).toMatchObject({
      status: 200,
      text: 'In the folder of the one that writes.',
    });
    expect(JSON.parse((await both(`/api/scenarios/${LONG_TALK}`)).text)).toMatchObject({ title: 'A long talk' });
    const session = await set.ask<Session>('POST', '/api/sessions', { scenario_id: LONG_TALK });
    await set.ask('POST', `/api/sessions/${session.id}/start`);

    expect((await upload(changes, '?replace=true')).status).toBe(201);
    expect(JSON.parse((await both(`/api/scenarios/${LONG_TALK}`)).text)).toMatchObject({ title: 'A longer talk' });
    const version = (number: number) => both(`/internal/scenarios/${LONG_TALK}/content?version=${number}`);
    expect([(await version(1)).status, (await version(2)).status]).toEqual([200, 200]);

    const remove = (): Promise<Response> => ask(reader.port, `/api/packs/${LONG_TALK}`, { method: 'DELETE' });
    expect(((await (await remove()).json()) as Problem).code).toBe('PACK_IN_USE');
    await set.ask('POST', `/api/sessions/${session.id}/end`);
    expect((await remove()).status).toBe(204);
    expect((await both(`/api/scenarios/${LONG_TALK}`)).status).toBe(404);
    // The ended session began with the first version, nobody with the second.
    expect([(await version(1)).status, (await version(2)).status]).toEqual([200, 404]);
    await set.ask('POST', '/api/privacy/clear', {});
    for (const route of ['/api/scenarios', '/api/packs', '/internal/scenarios/the_ask/content']) await both(route);
  });

  it('loses no call when either dies while people play', async () => {
    let isOver = false;
    const refused: string[] = [];
    let calls = 0;
    const play = async (at: number): Promise<void> => {
      for (let turn = at; !isOver; turn += 1) {
        const scenario_id = BUILT_IN_IDS[turn % BUILT_IN_IDS.length] ?? '';
        for (const [method, route, body] of [
          ['GET', `/api/scenarios/${scenario_id}`],
          // Asks each time which version plays.
          ['POST', '/api/sessions', { scenario_id }],
          ['GET', '/api/scenarios'],
        ] as const) {
          const reply = await set.call(method, route, body);
          calls += 1;
          if (reply.status >= 400) refused.push(`${method} ${route}: ${reply.text}`);
        }
      }
    };
    const goOn = async (): Promise<void> => {
      const before = calls;
      await waitUntil('people to play on', () => calls > before + 30);
    };
    const players = [0, 1, 2, 3].map(play);
    // Whoever is left over has all connections when its own turn comes.
    for (const at of [READER, WRITER, READER, WRITER]) {
      await goOn();
      name.refuse(at);
      await (at === WRITER ? set.set.kill('pack_service') : reader.kill());
      await goOn();
      await (at === WRITER ? set.set.startProcess('pack_service') : reader.start());
      await name.listenAgain(at);
    }
    isOver = true;
    await Promise.all(players);
    expect(refused).toEqual([]);
  });

  it('plays a talk that was never played while the one that writes is away, and says what cannot be done', async () => {
    name.refuse(WRITER);
    await set.set.kill('pack_service', 'SIGTERM');
    // Neither has anything in its memory.
    for (const at of [0, 1]) {
      await set.kill(at, 'SIGTERM');
      await set.restart(at);
    }
    const id = await set.started();
    expect((await set.say(id, 'I would like to talk about my pay.')).status).toBe(200);
    await set.ask('POST', `/api/sessions/${id}/end`);
    await set.ask('POST', `/api/sessions/${id}/debrief`);
    const problem = Problem.parse((await set.call('DELETE', '/api/packs/the_ask')).body);
    expect(problem).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringContaining('Talks can be played, but packs cannot be changed') as string,
      details: { service: 'pack_service' },
    });
    await set.set.startProcess('pack_service');
    await name.listenAgain(WRITER);
    expect((await upload({})).status).toBe(201);
    await both('/api/packs');
  });
});
