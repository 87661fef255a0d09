import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '@parley/shared/contracts';
import { PeerSilentError, callRoute, timeLimitOf, wasSilent, withinTime } from '@parley/shared/client';

describe('the time limit of a call between processes', () => {
  let server: Server;
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(async () => {
    server = createServer((request, response) => {
      // Half of an answer, or none at all.
      if (request.url?.startsWith('/runtime/models') === true) response.writeHead(200).write('{"models":');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  it('is ten seconds for reads, and a multiple of what is configured for what takes longer', () => {
    expect(timeLimitOf(ROUTES.listScenarios)).toBe(10_000);
    expect(timeLimitOf(ROUTES.importPack)).toBe(120_000);
    expect(timeLimitOf(ROUTES.importPack, 500)).toBe(6_000);
  });

  it.each(['getRuntimeHealth', 'listRuntimeModels'] as const)(
    'ends %s of a peer that gives no answer, or half of one, also beside a signal of the caller',
    async (operation) => {
      const call = callRoute(url(), ROUTES[operation], {}, { timeoutMs: 50, signal: new AbortController().signal });
      const error: unknown = await call.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { service: 'runtime_gateway' } });
      expect(wasSilent(error)).toBe(true);
    },
  );

  it('leaves the reason to a caller that gives up before it', async () => {
    const abort = new AbortController();
    const work = withinTime(60_000, abort.signal, (signal) => sleep(60_000, undefined, { signal }));
    abort.abort(new Error('the player left'));
    await expect(work).rejects.toMatchObject({
      cause: expect.objectContaining({ message: 'the player left' }) as Error,
    });
    await expect(withinTime(1, AbortSignal.abort(new Error('long gone')), () => sleep(1))).rejects.toThrow('long gone');
  });

  it('is not over for what is done in time', async () => {
    let given: AbortSignal | undefined;
    const work = withinTime(20, undefined, (signal) => {
      given = signal;
      return Promise.resolve('done');
    });
    expect(await work).toBe('done');
    await sleep(60);
    expect(given?.aborted).toBe(false);
    await expect(withinTime(1, undefined, (signal) => sleep(60_000, undefined, { signal }))).rejects.toMatchObject({
      cause: expect.any(PeerSilentError) as PeerSilentError,
    });
  });
});
