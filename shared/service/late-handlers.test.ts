import { ROUTES } from '@parley/shared/contracts';
import { silentLogger, startHttpService, type Handlers, type HttpService } from '@parley/shared/service';
import { temporaryFolder, testBaseConfig } from '@parley/shared/testing';
import { lateHandlers } from './late-handlers';

const { getDocs, getHealth } = ROUTES;

describe('handlers that are loaded late', () => {
  let service: HttpService | undefined;
  const folder = temporaryFolder('late');
  afterEach(() => service?.close());
  afterAll(() => folder.remove());

  const started = async (handlers: Handlers, routes = {}): Promise<HttpService> => {
    const config = testBaseConfig('session_api', { data_dir: folder.path });
    return (service = await startHttpService({ config, logger: silentLogger(), routes, handlers }));
  };
  const docs = async ({ url }: HttpService): Promise<string> => (await fetch(`${url}${getDocs.path}`)).text();

  it('are loaded by the first call, once', async () => {
    let loads = 0;
    const load = (): Promise<Handlers> => {
      loads += 1;
      return Promise.resolve({ getDocs: () => ({ content: Buffer.from('the page') }) });
    };
    const late = await started(lateHandlers({ getDocs }, load), { getDocs });
    expect(loads).toBe(0);
    expect(await Promise.all([docs(late), docs(late)])).toEqual(['the page', 'the page']);
    expect(await docs(late)).toBe('the page');
    expect(loads).toBe(1);
  });

  it('are loaded again when that failed', async () => {
    let loads = 0;
    const load = (): Promise<Handlers> => {
      loads += 1;
      return loads === 1
        ? Promise.reject(new Error('no more files may be opened'))
        : Promise.resolve({ getDocs: () => ({ content: Buffer.from('the page') }) });
    };
    const late = await started(lateHandlers({ getDocs }, load), { getDocs });
    expect(JSON.parse(await docs(late))).toMatchObject({ status: 500 });
    expect(await docs(late)).toBe('the page');
  });

  it('are no reason to forget their routes: a start with a handler and no route for it fails', async () => {
    const handlers = lateHandlers({ getDocs }, () => Promise.resolve({}));
    await expect(started(handlers, { getHealth })).rejects.toThrow(
      'session_api has a handler for getDocs, but was given no such route',
    );
  });
});
