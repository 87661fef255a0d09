import type { RuntimeModels, Session } from '@parley/shared/contracts';
import { scenarioFixture, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const fixture = scenarioFixture();
/** Anchors that fit beside a talk into 8,192 tokens and not into the 4,096 of a model that nobody knows. */
const ANCHOR = 'Hides the delay behind other matters. '.repeat(130).trim();
const content = scenarioFixture({
  rubric: {
    ...fixture.rubric,
    dimensions: fixture.rubric.dimensions.map((one) => ({ ...one, scoring: { ...one.scoring, low: ANCHOR } })),
  },
});
const KNOWN: RuntimeModels = {
  models: [{ id: 'scripted', name: 'Scripted', context_length: 8192, size_bytes: null, loaded: true }],
};

describe('the first prompt after a start', () => {
  let set: SessionApiSet;
  let asked: number;
  let release: () => void;

  const begin = async (modelWaitMs?: number): Promise<void> => {
    set = await startSessionApiSet({ content, overrides: modelWaitMs === undefined ? {} : { modelWaitMs } });
    asked = 0;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    set.gateway.listModels(async () => {
      asked += 1;
      await until;
      return KNOWN;
    });
  };
  afterEach(async () => {
    release();
    await set.stop();
  });

  const started = async (): Promise<string> => {
    const { id } = (await set.call<Session>('POST', '/api/sessions', { scenario_id: content.id })).body;
    await set.call('POST', `/api/sessions/${id}/start`);
    return id;
  };
  const say = (id: string): Promise<{ status: number }> =>
    set.call('POST', `/api/sessions/${id}/turn`, { text: 'The part is two weeks late.' });
  const systems = (): string[] => set.gateway.requests.map(({ messages }) => messages[0]?.content ?? '');
  /** What the model server keeps in its cache: everything up to the summary. */
  const staticPart = (system: string): string => system.slice(0, system.indexOf('## 8 MEMORY_SUMMARY'));

  it('waits for the list of models and is fitted to what the runtime really has', async () => {
    await begin();
    const id = await started();
    const turn = say(id);
    await waitUntil('the models to be asked for', () => asked > 0);
    // Long enough for a prompt that does not wait to be on its way.
    await new Promise((resolve) => setTimeout(resolve, 150));
    release();
    expect((await turn).status).toBe(200);
    expect((await say(id)).status).toBe(200);
    const [first = '', second = ''] = systems();
    expect(first).toContain(ANCHOR);
    expect(staticPart(second)).toBe(staticPart(first));
  });

  it('does not wait for ever, and its static part stays the same when the list comes at last', async () => {
    await begin(50);
    const id = await started();
    expect((await say(id)).status).toBe(200);
    release();
    await waitUntil('the context to be known', async () => {
      const { body } = await set.call<{ context_length: number | null }>('GET', `/api/sessions/${id}/debug/prompt`);
      return body.context_length === 8192;
    });
    expect((await say(id)).status).toBe(200);
    const [first = '', second = ''] = systems();
    expect(first).not.toContain(ANCHOR);
    expect(staticPart(second)).toBe(staticPart(first));
    // A session that begins now has the room from its first prompt on.
    await say(await started());
    expect(systems().at(-1)).toContain(ANCHOR);
  });

  it('that is read beforehand while the player types is the one that is sent', async () => {
    await begin();
    const id = await started();
    const typing = set.call('POST', `/api/sessions/${id}/typing`);
    await waitUntil('the models to be asked for', () => asked > 0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    release();
    expect((await typing).status).toBe(204);
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length > 0);
    await say(id);
    expect(set.gateway.prewarmed[0]?.messages).toEqual(set.gateway.requests[0]?.messages.slice(0, -1));
    expect(systems()[0]).toContain(ANCHOR);
  });

  it('asks for the models once, however many sessions wait for it', async () => {
    await begin();
    const ids = [await started(), await started(), await started()];
    const turns = ids.map(say);
    await waitUntil('the models to be asked for', () => asked > 0);
    release();
    expect((await Promise.all(turns)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toBe(1);
  });
});
