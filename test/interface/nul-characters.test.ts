import type { RouteShape } from '@parley/shared/contracts';
import { routesOfApi, startedSession, startParleySet, type ParleySet } from '../set';

const NUL = '\0';

/** SQLite keeps a NUL in a text and PostgreSQL refuses it: what a caller sees must not depend on that. */
describe('a NUL that a caller sends', () => {
  let set: ParleySet;
  beforeAll(async () => {
    set = await startParleySet();
  });
  afterAll(() => set.stop());

  it('in a path is answered as any other name that nothing has', async () => {
    const answers: [string, number][] = [];
    for (const route of routesOfApi() as RouteShape[]) {
      if (!/\{(id|pack_id|npc_id|path)\}/.test(route.path)) continue;
      const path = route.path.replace(/\{\w+\}/g, 'a%00b');
      const { status } = await set.call(route.method, path, route.bodyKind === 'json' ? {} : undefined);
      answers.push([`${route.method} ${path}`, status]);
    }
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
  });

  it('in a query or a body is refused or finds nothing', async () => {
    const { id } = await startedSession(set);
    const asked: [string, string, unknown?][] = [
      ['GET', '/api/sessions?q=a%00b'],
      ['GET', '/api/sessions?scenario_id=a%00b'],
      ['GET', '/api/sessions?cursor=a%00b'],
      ['GET', '/api/progress?scenario_id=a%00b'],
      ['GET', `/api/sessions/${id}/events?kind=a%00b`],
      ['POST', '/api/sessions', { scenario_id: `a${NUL}b` }],
      ['POST', '/api/sessions', { scenario_id: 'the_ask', language: `a${NUL}b` }],
      ['POST', '/api/sessions', { scenario_id: 'the_ask', focus_dimension: `a${NUL}b` }],
      ['POST', `/api/sessions/${id}/turn`, { text: `a${NUL}b` }],
      ['PUT', `/api/sessions/${id}/self-rating`, { ratings: { [`a${NUL}b`]: 3 } }],
      ['POST', `/api/sessions/${id}/fork`, { turn: 1, note: `a${NUL}b` }],
      ['PATCH', '/api/settings', { [`a${NUL}b`]: true }],
      ['POST', '/api/packs/import', { path: `/a${NUL}b` }],
      ['POST', '/api/packs/validate', { path: `/a${NUL}b` }],
    ];
    for (const [method, path, body] of asked) {
      const { status } = await set.call(method, path, body);
      expect([method, path, body, status < 500]).toEqual([method, path, body, true]);
    }
  });
});
