import type { RouteShape } from '@parley/shared/contracts';
import { scriptedGateway, type ScriptedGateway } from '@parley/shared/testing';
import {
  allRoutes,
  asTurn,
  createSession,
  endedSession,
  filesUnder,
  filledPath,
  say,
  scriptTurns,
  startIsOver,
  startParleySet,
  startedSession,
  storedRows,
  type ParleySet,
} from '../set';

/** A page of somebody else's can make a browser send any GET: none may change anything. */
describe('GET never changes anything', () => {
  let gateway: ScriptedGateway;
  let set: ParleySet;
  beforeAll(async () => {
    gateway = await scriptedGateway();
    set = await startParleySet({ gatewayUrl: gateway.url });
  });
  afterAll(async () => {
    await set.stop();
    await gateway.service.close();
  });

  it('every GET of every process, for sessions in every state, leaves the database and the files as they are', async () => {
    scriptTurns(gateway, asTurn({ state_delta: { pressure: 3 } }));
    await set.ask('patchSettings', { body: { save_transcripts: false } });
    const unsaved = (await startedSession(set)).id;
    await say(set, unsaved, 'Hello.');
    await set.ask('patchSettings', { body: { save_transcripts: true } });
    const ready = (await endedSession(set, 2)).id;
    await set.ask('createDebrief', { params: { id: ready } });
    const playing = (await startedSession(set)).id;
    await say(set, playing, 'Hello.');
    const ids = [(await createSession(set)).id, unsaved, playing, (await endedSession(set, 1)).id, ready];
    // What session-api does by itself a moment after its start is no GET's doing.
    await startIsOver(set);
    const files = (): string[] => filesUnder(set.folder.path).filter((file) => !/\.log$|-wal$|-shm$/.test(file));
    const [rows, names] = [await storedRows(set), files()];
    const statuses: [string, number][] = [];
    const gets = allRoutes().filter((one) => one.method === 'GET' && one.service !== 'runtime_gateway');
    const crawl = async (route: RouteShape, id: string): Promise<void> => {
      const path = filledPath(route, { id });
      const service = route.via ?? route.service;
      for (const query of ['', '?q=hello&limit=5&after_seq=0&version=1&text=x&delete=true'])
        statuses.push([path, (await set.call('GET', path + query, undefined, { service })).status]);
      await set.call('HEAD', path, undefined, { service });
    };
    for (const route of gets) {
      const isOfSession = route.path.includes('/sessions/{id}');
      for (const id of isOfSession ? [...ids, 'nobodynobodynobodynobody'] : ['the_ask']) await crawl(route, id);
    }
    expect(statuses.filter(([, status]) => status >= 500 && status !== 503)).toEqual([]);
    expect(statuses.filter(([, status]) => status === 200).length).toBeGreaterThan(80);
    expect(await storedRows(set)).toEqual(rows);
    expect(files()).toEqual(names);
    expect((await set.ask('getTranscript', { params: { id: unsaved } })).turns[1]?.text).toBe('Hello.');
  });
});
