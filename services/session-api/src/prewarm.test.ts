import { ServiceError, type Session } from '@parley/shared/contracts';
import { scenarioFixture, waitUntil } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const SCENARIO = scenarioFixture().id;

describe('reading the prompt ahead', () => {
  let set: SessionApiSet;
  let release: () => void = () => undefined;
  beforeEach(async () => {
    set = await startSessionApiSet();
  });
  afterEach(async () => {
    release();
    await set.stop();
  });

  const started = async (): Promise<string> => {
    const { id } = (await set.call<Session>('POST', '/api/sessions', { scenario_id: SCENARIO })).body;
    await set.call('POST', `/api/sessions/${id}/start`);
    return id;
  };
  const say = (id: string): Promise<{ status: number }> =>
    set.call('POST', `/api/sessions/${id}/turn`, { text: 'Hello.' });
  const readSlowly = (): void =>
    set.gateway.readAhead(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );

  it('begins with the play', async () => {
    const id = await started();
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length === 1);
    await say(id);
    expect(set.gateway.prewarmed[0]?.messages).toEqual(set.gateway.requests[0]?.messages.slice(0, -1));
    expect(set.gateway.prewarmed).toHaveLength(1);
    expect(set.gateway.talks).toEqual({ requests: [id], prewarmed: [id] });
  });

  it('is waited for by the turn of the same session, and by no other', async () => {
    readSlowly();
    const first = await started();
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length === 1);
    const endFirst = release;
    set.gateway.readAhead(() => Promise.resolve());
    const second = await started();
    let isAnswered = false;
    const waiting = say(first).finally(() => (isAnswered = true));
    expect((await say(second)).status).toBe(200);
    expect(set.gateway.requests).toHaveLength(1);
    expect(isAnswered).toBe(false);
    endFirst();
    expect((await waiting).status).toBe(200);
    expect(set.gateway.requests).toHaveLength(2);
  });

  it('holds up neither the end of the play nor a turn when it fails', async () => {
    readSlowly();
    const id = await started();
    await waitUntil('the prompt to be read', () => set.gateway.prewarmed.length === 1);
    const waiting = say(id);
    await waitUntil('the turn to run', async () => (await set.call('POST', `/api/sessions/${id}/end`)).status === 200);
    expect((await waiting).status).toBe(409);
    expect(set.gateway.requests).toHaveLength(0);
    set.gateway.readAhead(() => Promise.reject(new ServiceError('RUNTIME_ERROR', 'The model server gave up.')));
    expect((await say(await started())).status).toBe(200);
  });
});
