import type { Health, Session } from '@parley/shared/contracts';
import { scenarioFixture, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const SCENARIO = scenarioFixture().id;

describe('a talk that the context of the model has no room for', () => {
  let set: SessionApiSet;
  let contextLength: number | null = 1024;
  beforeEach(async () => {
    set = await startSessionApiSet();
    set.gateway.listModels(() => ({
      models: [{ id: 'scripted', name: 'Scripted', context_length: contextLength, size_bytes: null, loaded: true }],
    }));
  });
  afterEach(() => set.stop());

  const runtime = async (): Promise<Health['runtime']> => (await set.call<Health>('GET', '/api/health')).body.runtime;
  const created = async (): Promise<string> =>
    (await set.call<Session>('POST', '/api/sessions', { scenario_id: SCENARIO })).body.id;

  it('is said by health as soon as its session is made, before anything is sent to the model', async () => {
    contextLength = 1024;
    expect(await runtime()).toMatchObject({ status: 'READY', message: null });
    await created();
    const { status, message } = await runtime();
    expect(status).toBe('ERROR');
    expect(message).toMatch(
      /^This talk needs a context of about [\d,]+ tokens and the model has 1,024; choose another model, or start it with a larger context\.$/,
    );
    expect((await set.call<Health>('GET', '/api/health')).body.status).toBe('degraded');
    expect([...set.gateway.requests, ...set.gateway.prewarmed]).toEqual([]);
  });

  it.each([null, 32_768])('is none where the context holds %p tokens', async (length) => {
    contextLength = length;
    const id = await created();
    await set.call('POST', `/api/sessions/${id}/start`);
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length === 1);
    expect(await runtime()).toMatchObject({ status: 'READY', message: null });
  });

  it('is none any more when the model server was started again with a larger context', async () => {
    contextLength = 1024;
    await created();
    expect((await runtime()).status).toBe('ERROR');
    set.gateway.health('STARTING');
    await waitUntil('the start to be noticed', async () => (await runtime()).status === 'STARTING');
    contextLength = 32_768;
    set.gateway.health('READY');
    await waitUntil('the new context to be known', async () => (await runtime()).status === 'READY', {
      timeoutMs: 15_000,
    });
  });

  it('is known again when it is opened after a restart, and is no more once a model has answered to its end', async () => {
    contextLength = 1024;
    const id = await created();
    await set.restart();
    expect((await runtime()).status).toBe('READY');
    await set.call('POST', `/api/sessions/${id}/start`);
    expect((await runtime()).status).toBe('ERROR');
    expect((await set.call('POST', `/api/sessions/${id}/turn`, { text: 'The part is late.' })).status).toBe(200);
    expect((await runtime()).status).toBe('READY');
  });
});
