import { describeWithModelServer } from '@parley/shared/testing';
import type { RunningModelServer } from '@parley/shared/testing';
import { ASK, ask, eventsIn, modelFile, post, start } from '../testing/model-server-caller';

describeWithModelServer('a model that takes its time', () => {
  const LONG = [{ role: 'user', content: 'The tenant asks for more time and says so again. '.repeat(80) }];
  let file = '';
  beforeAll(() => {
    file = modelFile({ dimension: 512, layers: 6, heads: 8, feedForward: 1408, end: 0 });
  });

  /** Resolves when the first bytes of an answer are here. */
  const beginAnswer = async (server: RunningModelServer, body: object, signal?: AbortSignal): Promise<void> => {
    const sent = { ...body, stream: true, sse_ping_interval: 0.1 };
    const response = await post(server, sent, signal === undefined ? {} : { signal });
    const reader = response.body?.getReader();
    await reader?.read();
    void reader?.closed.catch(() => undefined);
  };

  it('frees the slot of a caller who leaves while the prompt is read, and keeps what was read', async () => {
    const server = await start({ file, args: ['-c', '4096', '-np', '1', '-t', '1'] });
    const leaver = new AbortController();
    // The first byte is a sign of life: the prompt is being read.
    await beginAnswer(server, { messages: LONG, max_tokens: 5 }, leaver.signal);
    leaver.abort();
    const { usage } = await ask(server, { messages: LONG, max_tokens: 0 });
    const { cached_tokens } = usage.prompt_tokens_details;
    expect(cached_tokens).toBeGreaterThan(0);
    expect(cached_tokens).toBeLessThan(usage.prompt_tokens - 128);
  });

  it('frees the slots of callers who leave while they are answered, and answers two at once', async () => {
    const server = await start({ file, args: ['-c', '8192', '-np', '2', '-t', '1'] });
    const leavers = [new AbortController(), new AbortController()];
    const endless = { messages: ASK.messages, max_tokens: 4000 };
    await Promise.all(leavers.map((one) => beginAnswer(server, endless, one.signal)));
    // Both slots answer endless chats: a third has to wait, and is told that it is not forgotten.
    const third = post(server, { ...ASK, max_tokens: 2, stream: true, sse_ping_interval: 0.1 });
    const response = await third;
    for (const one of leavers) one.abort();
    const text = await response.text();
    expect(text.startsWith(':')).toBe(true);
    expect(eventsIn(text).at(-1)).toBe('[DONE]');
  });

  it('ends when it is asked to, also in the middle of an answer', async () => {
    const server = await start({ file, args: ['-c', '8192', '-np', '2', '-t', '1'] });
    await beginAnswer(server, { messages: ASK.messages, max_tokens: 4000 });
    await server.stop();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});
