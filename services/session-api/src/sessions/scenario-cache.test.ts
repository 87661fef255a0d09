import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scenarioFixture } from '@parley/shared/testing';
import { ScenarioCache } from './scenario-cache';

const content = scenarioFixture();

/** A pack-service that answers when it is told to, and counts how often it is asked. */
async function slowPackService(): Promise<{ url: string; asked: string[]; answer: () => void; server: Server }> {
  const asked: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    void answered.then(() => {
      const isKnown = request.url?.includes(encodeURIComponent(content.id)) === true;
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isKnown ? { content } : { code: 'SCENARIO_NOT_FOUND', detail: 'There is none.' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answer, server };
}

describe('scenarios of this process', () => {
  let service: Awaited<ReturnType<typeof slowPackService>>;
  let cache: ScenarioCache;
  beforeEach(async () => {
    service = await slowPackService();
    cache = new ScenarioCache(service.url, 10_000);
  });
  afterEach(() => new Promise((resolve) => service.server.close(resolve)));

  it('are fetched once, however many want one at the same time', async () => {
    const wanted = Array.from({ length: 100 }, () => cache.version(content.id, content.version, content.language));
    const ahead = cache.prefetch(content.id, content.version, content.language);
    expect(cache.known(content.id, content.version, content.language)).toBeUndefined();
    service.answer();
    const [first, ...others] = await Promise.all(wanted);
    await ahead;
    expect(first?.content.title).toBe(content.title);
    expect(others.every((one) => one === first)).toBe(true);
    expect(cache.known(content.id, content.version, content.language)).toBe(first);
    expect(service.asked).toHaveLength(1);
    // The version that plays now may have changed, so that is asked for; it is the same scenario all the same.
    expect(await cache.current(content.id, undefined, 'r')).toBe(first);
    expect(service.asked).toHaveLength(2);
  });

  it('are asked for again after they could not be had', async () => {
    service.answer();
    await expect(cache.version('gone', 1, 'en')).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
    await expect(cache.version('gone', 1, 'en')).rejects.toMatchObject({ code: 'SCENARIO_NOT_FOUND' });
    expect(service.asked).toHaveLength(2);
    await expect(cache.prefetch('gone', 1, 'en')).resolves.toBeUndefined();
  });
});
