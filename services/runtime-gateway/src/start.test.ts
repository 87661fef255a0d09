import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitUntil } from '@parley/shared/testing';
import { DebriefNarrative, ROUTES, RuntimeHealth, RuntimeInfo, RuntimeModels } from '@parley/shared/contracts';
import { readConfig } from './config';
import { capturedResponse } from '../testing/captured-response';
import { readChatLines } from '../testing/read-chat-lines';
import { startGateway, type RunningGateway } from '../testing/gateway-caller';
import {
  chunkOf,
  LAST_CHUNK,
  startScriptedUpstream,
  streamHead,
  type Script,
  type ScriptedUpstream,
} from './conformance/scripted-upstream';

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

async function started(environment: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await startGateway(environment);
  opened.push(gateway);
  return gateway;
}

async function startedTo(
  script: Script,
  environment: Record<string, string> = {},
): Promise<{ gateway: RunningGateway; upstream: ScriptedUpstream }> {
  const upstream = await startScriptedUpstream(script);
  opened.push(upstream);
  const gateway = await started({
    SIM_RUNTIME_ID: 'local_server',
    SIM_LOCAL_SERVER_BASE_URL: upstream.url,
    ...environment,
  });
  return { gateway, upstream };
}

const SSE = 'text/event-stream';
const delta = (content: string): string => `data: {"choices":[{"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;

describe('the gateway with the demo runtime', () => {
  it('says what it is', async () => {
    const { status, body } = await (await started()).get('/runtime');
    expect(status).toBe(200);
    expect(RuntimeInfo.parse(body)).toEqual({
      id: 'fake',
      display_name: expect.any(String) as string,
      capabilities: { streaming: true, json_schema: false, grammar: false, tool_calling: false, embeddings: false },
    });
  });

  it('is always READY with latency 0', async () => {
    const { body } = await (await started()).get('/runtime/health');
    expect(RuntimeHealth.parse(body)).toMatchObject({
      runtime_id: 'fake',
      status: 'READY',
      latency_ms: 0,
      message: null,
    });
  });

  it('has the models fake-small with 4096 and fake-large with 32768 tokens of context', async () => {
    const { body } = await (await started()).get('/runtime/models');
    expect(RuntimeModels.parse(body).models.map((model) => [model.id, model.context_length])).toEqual([
      ['fake-small', 4096],
      ['fake-large', 32768],
    ]);
  });

  it('streams plain text word by word, then exactly one final whose text is the tokens joined', async () => {
    const { status, contentType, items } = await (await started()).chat();
    expect(status).toBe(200);
    expect(contentType).toMatch(/^application\/x-ndjson/);
    const final = items.at(-1);
    const tokens = items.slice(0, -1).map((item) => (item.type === 'token' ? item.text : ''));
    expect(tokens.length).toBeGreaterThan(3);
    for (const token of tokens) expect(token.trim()).not.toMatch(/\s/);
    expect(final).toMatchObject({ type: 'final', text: tokens.join(''), model_id: 'fake-small', structured: null });
  });

  it('answers the same request the same, and in structured what the text says', async () => {
    const gateway = await started();
    const json_schema = { type: 'object', properties: { npc_utterance: { type: 'string' } } };
    const [one, two] = [await gateway.chat({ json_schema }), await gateway.chat({ json_schema })];
    expect(one.items).toEqual(two.items);
    const final = one.items.at(-1);
    if (final?.type !== 'final') throw new Error('no final');
    expect(final.structured).toEqual(JSON.parse(final.text));
    expect(Object.keys(final.structured ?? {})).toEqual([
      'npc_utterance',
      'npc_emotion',
      'state_delta',
      'event_flags',
      'rubric_observations',
      'safety',
      'session_control',
    ]);
  });

  it('answers a debrief narrative when the schema has replay_suggestions', async () => {
    const json_schema = { type: 'object', properties: { replay_suggestions: { type: 'array' } } };
    const final = (await (await started()).chat({ json_schema, model_id: 'fake-large' })).items.at(-1);
    if (final?.type !== 'final') throw new Error('no final');
    expect(final.model_id).toBe('fake-large');
    expect(DebriefNarrative.safeParse(final.structured).success).toBe(true);
  });

  it('takes its time between words when told to, and stops when the caller goes away', async () => {
    const gateway = await started({ SIM_FAKE_WORD_DELAY_MS: '60000', SIM_GATEWAY_SLOTS: '1' });
    const leaver = new AbortController();
    const first = gateway.openChat({}, leaver.signal);
    leaver.abort();
    await expect(first).rejects.toThrow();
    const quick = await started({ SIM_FAKE_WORD_DELAY_MS: '1' });
    expect((await quick.chat()).items.at(-1)?.type).toBe('final');
  });

  it.each([
    ['no messages', { messages: [] }],
    ['an unknown member', { messages: [{ role: 'user', content: 'x' }], top_k: 3 }],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['a schema that is a text', { messages: [{ role: 'user', content: 'x' }], json_schema: 'x' }],
  ])('refuses %s as VALIDATION_ERROR', async (_what, body) => {
    expect(await (await started()).send('POST', '/runtime/chat', body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  });

  it('takes requests up to 1 MiB and refuses more as PAYLOAD_TOO_LARGE', async () => {
    const gateway = await started();
    const content = 'x'.repeat(1_000_000);
    expect((await gateway.chat({ messages: [{ role: 'user', content }] })).status).toBe(200);
    const tooMuch = await gateway.send('POST', '/runtime/chat', {
      messages: [{ role: 'user', content: content + content }],
    });
    expect(tooMuch).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('serves 64 chats at once', async () => {
    const gateway = await started();
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => gateway.chat()));
    expect(outcomes.every((outcome) => outcome.items.at(-1)?.type === 'final')).toBe(true);
  });
});

/** Bytes that this process holds on to, after everything that is garbage has gone. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

describe('flow', () => {
  /** A busy machine may be late now and then; only one that is always late is too slow. */
  const TRIES = 8;

  it('cancels the generation within 100 ms when the caller goes away in mid-stream', async () => {
    const { gateway, upstream } = await startedTo((_call, line) => line.write(streamHead(SSE) + chunkOf(delta('a'))));
    const took: number[] = [];
    for (let at = 0; at < TRIES; at += 1) {
      const leaver = new AbortController();
      const answer = await gateway.openChat({}, leaver.signal);
      expect(answer.statusCode).toBe(200);
      const call = await waitUntil('the request to arrive', () => upstream.calls[at], { intervalMs: 1 });
      answer.body.on('error', () => undefined);
      const left = performance.now();
      leaver.abort();
      await waitUntil('the upstream to be closed', () => call.closed.aborted, { intervalMs: 1 });
      took.push(performance.now() - left);
    }
    expect(Math.min(...took)).toBeLessThan(100);
  });

  it('cancels the generation within 100 ms when the caller goes away before the first token', async () => {
    const { gateway, upstream } = await startedTo(() => undefined);
    const took: number[] = [];
    for (let at = 0; at < TRIES; at += 1) {
      const leaver = new AbortController();
      const answer = gateway.openChat({}, leaver.signal);
      const call = await waitUntil('the request to arrive', () => upstream.calls[at], { intervalMs: 1 });
      const left = performance.now();
      leaver.abort();
      await expect(answer).rejects.toThrow();
      await waitUntil('the upstream to be closed', () => call.closed.aborted, { intervalMs: 1 });
      took.push(performance.now() - left);
    }
    expect(Math.min(...took)).toBeLessThan(100);
  });

  it('frees the slot of a caller that went away, and leaves one that waits out of the queue', async () => {
    const { gateway, upstream } = await startedTo(
      async (call, line) => {
        await line.write(streamHead(SSE) + chunkOf(delta('a')));
        if (call.body.includes('"last"')) await line.write(chunkOf('data: [DONE]\n\n') + LAST_CHUNK);
      },
      { SIM_GATEWAY_SLOTS: '1', SIM_GATEWAY_QUEUE: '2' },
    );
    const [runner, waiter] = [new AbortController(), new AbortController()];
    const running = await gateway.openChat({}, runner.signal);
    running.body.on('error', () => undefined);
    const waiting = gateway.openChat({}, waiter.signal);
    const last = gateway.chat({ messages: [{ role: 'user', content: 'last' }] });
    await waitUntil('the queue to be full', async () => (await gateway.chat()).status === 503);
    waiter.abort();
    await expect(waiting).rejects.toThrow();
    runner.abort();
    expect((await last).items.at(-1)?.type).toBe('final');
    expect(upstream.calls).toHaveLength(2);
  });

  it('answers OVERLOADED with Retry-After beyond slots and queue', async () => {
    const { gateway } = await startedTo(() => undefined, { SIM_GATEWAY_SLOTS: '1', SIM_GATEWAY_QUEUE: '0' });
    const leaver = new AbortController();
    const running = gateway.openChat({}, leaver.signal);
    const refused = await waitUntil('a refusal', async () => {
      const outcome = await gateway.chat();
      return outcome.status === 503 ? outcome : null;
    });
    expect(refused.problem).toMatchObject({ code: 'OVERLOADED', retryable: true });
    leaver.abort();
    await expect(running).rejects.toThrow();
  });

  it('slows the runtime for a slow caller, keeps memory flat, and does not take its own pause for silence', async () => {
    const size = 100 * 1024 * 1024;
    const event = chunkOf(`${delta('word ')}:${'.'.repeat(16_000)}\n\n`);
    let sent = 0;
    let isFinished = false;
    const { gateway } = await startedTo(
      async (_call, line) => {
        await line.write(streamHead(SSE));
        while (sent < size) {
          await line.write(event);
          sent += event.length;
        }
        await line.write(chunkOf('data: [DONE]\n\n') + LAST_CHUNK);
        isFinished = true;
      },
      { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.3' },
    );
    const before = heldBytes();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'go' }] });
    socket.pause();
    socket.write(
      `POST /runtime/chat HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    // Comments are read through at once; only the answer's own lines can hold the stream up.
    await waitUntil('the stream to go through', () => isFinished);
    expect(heldBytes() - before).toBeLessThan(20 * 1024 * 1024);
    socket.resume();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).toContain('"type":"final"');
  });

  it('stops reading from the runtime while the caller does not read, for longer than the quiet time', async () => {
    const event = chunkOf(delta('x'.repeat(16_000)));
    let sent = 0;
    let lastSentAt = performance.now();
    let isEnough = false;
    const { gateway } = await startedTo(
      async (call, line) => {
        await line.write(streamHead(SSE));
        while (!isEnough && !call.closed.aborted && sent < 200 * 1024 * 1024) {
          await line.write(event);
          sent += event.length;
          lastSentAt = performance.now();
        }
        await line.write(chunkOf('data: [DONE]\n\n') + LAST_CHUNK);
      },
      { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.3' },
    );
    const answer = await gateway.openChat();
    await waitUntil('the runtime to be held up', () => performance.now() - lastSentAt > 600);
    expect(sent).toBeLessThan(50 * 1024 * 1024);
    isEnough = true;
    // The answer is cut at its longest, which is an error line; what matters is that the pause was no timeout.
    const items = readChatLines(await answer.body.text());
    expect(items.at(-1)).not.toMatchObject({ code: 'TURN_TIMEOUT' });
    expect(items.length).toBeGreaterThan(50);
  });
});

describe('configuration', () => {
  it('has the defaults that docs/gateway/README.md names', () => {
    const config = readConfig({});
    expect(config.runtimes.fixed_id).toBeNull();
    expect(config.base.port).toBe(7360);
    expect(config.sidecar).toMatchObject({ command: null, port: 7356, host: '127.0.0.1' });
  });

  it.each([
    ['SIM_RUNTIME_ID', 'gpt', /fake, local_server, local_native/],
    ['SIM_GATEWAY_PORT', 'x', /whole number/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'nowhere', /http:/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'http://a:1,nowhere', /addresses separated by commas, .*http:/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'http://a:1,', /addresses separated by commas/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'http://a:1, http://b:1, http://me:key@A:1/v1/', /names http:..a:1 twice/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'http://me:50%@127.0.0.1:8080', /="…" cannot be used: a % .* as %25\.$/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'http://a:1, http://me:50%@127.0.0.1:8080', /="…" .* as %25\.$/],
    ['SIM_LOCAL_SERVER_BASE_URL', 'htp://me:s3cret@127.0.0.1:8080', /="…" cannot be used: .*http:/],
    ['SIM_LOCAL_SERVER_TEMPERATURE', 'hot', /number/],
    ['SIM_LOCAL_SERVER_CHAT_TIMEOUT', '0', /number/],
    ['SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED', 'maybe', /true or false/],
    ['SIM_LOCAL_SERVER_THREADS', '-1', /whole number/],
    ['SIM_NATIVE_SERVER_BASE_URL', 'ftp://x', /http:/],
    ['SIM_NATIVE_SERVER_BASE_URL', 'http://50%:me@127.0.0.1:11434', /="…" cannot be used: a % .* as %25\.$/],
    ['SIM_NATIVE_SERVER_KEEP_ALIVE', 'forever', /30m/],
    ['SIM_GATEWAY_SLOTS', '0', /whole number/],
  ])('refuses %s=%s in one line that says what is allowed', (variable, value, allowed) => {
    expect(() => readConfig({ [variable]: value })).toThrow(allowed);
    expect(() => readConfig({ [variable]: value })).toThrow(variable);
  });
});

describe('the settings of a pool', () => {
  const SEVERAL = { SIM_LOCAL_SERVER_BASE_URL: 'http://a:7356, http://b:7356' };

  it.each([
    ['SIM_SIDECAR_COMMAND', 'llama-server'],
    ['SIM_SIDECAR_PARALLEL', '4'],
    ['SIM_SIDECAR_START_TIMEOUT', '60'],
  ])('refuse %s beside several addresses in one line', (variable, value) => {
    const line = `${variable}="${value}" cannot be used: SIM_LOCAL_SERVER_BASE_URL names several model servers`;
    expect(() => readConfig({ ...SEVERAL, [variable]: value })).toThrow(line);
  });

  it('are taken without them, with SIM_RUNTIME_ID and without', () => {
    expect(readConfig(SEVERAL).sidecar.is_pool).toBe(true);
    expect(readConfig({ ...SEVERAL, SIM_RUNTIME_ID: 'local_server' }).runtimes.byId.local_server.base_url).toBeNull();
    expect(readConfig({ SIM_LOCAL_SERVER_BASE_URL: 'http://a:1/v1/' }).sidecar).toMatchObject({
      is_pool: false,
      base_url: 'http://a:1',
    });
  });
});

describe('the route table', () => {
  it('is answered by the gateway with nothing missing', async () => {
    const gateway = await started();
    const own = Object.values(ROUTES).filter((route) => route.service === 'runtime_gateway');
    expect(own.length).toBeGreaterThanOrEqual(14);
    for (const route of own) {
      const path = ('ownerPath' in route ? route.ownerPath : route.path).replace('{id}', 'nothing');
      const { body } = await gateway.send(route.method, path, route.method === 'POST' ? {} : undefined);
      const { detail = '' } = (body ?? {}) as { detail?: string };
      expect(`${path} ${detail}`).not.toMatch(/does not answer this call|nothing at this path/);
    }
  });
});

describe('reading ahead', () => {
  const done = chunkOf('data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n') + LAST_CHUNK;
  const body = { messages: [{ role: 'user', content: 'Once upon a time' }] };

  it('asks the server to read the prompt and to generate nothing', async () => {
    const { gateway, upstream } = await startedTo((_call, line) => line.write(streamHead(SSE) + done));
    expect((await gateway.send('POST', '/runtime/prewarm', body)).status).toBe(204);
    expect(JSON.parse(upstream.calls[0]?.body ?? '')).toMatchObject({ max_tokens: 0, cache_prompt: true });
  });

  it('takes no slot that a turn waits for, and is refused by runtimes that cannot', async () => {
    const { gateway } = await startedTo(() => undefined, { SIM_GATEWAY_SLOTS: '1' });
    const leaver = new AbortController();
    const running = gateway.openChat({}, leaver.signal);
    const refused = await waitUntil('a refusal', async () => {
      const short = AbortSignal.timeout(200);
      const answer = await fetch(`${gateway.url}/runtime/prewarm`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: short,
      });
      return answer.status === 503 ? ((await answer.json()) as { code: string }) : null;
    });
    expect(refused.code).toBe('OVERLOADED');
    leaver.abort();
    await expect(running).rejects.toThrow();
    expect(await (await started()).send('POST', '/runtime/prewarm', body)).toMatchObject({
      status: 409,
      body: { code: 'NOT_SUPPORTED_BY_RUNTIME' },
    });
  });
});

describe('metrics', () => {
  it('count chats by how they ended, and tokens that the cache saved', async () => {
    const { gateway } = await startedTo((_call, line) =>
      line.write(capturedResponse('llama-11-stream-plain-usage.txt')),
    );
    await gateway.chat();
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).toMatch(/parley_generation_tokens_total\{kind="prompt_cached",service="runtime_gateway"\} 71/);
    expect(text).toMatch(/parley_generations_total\{outcome="final",service="runtime_gateway"\} 1/);
    expect(text).toMatch(/parley_generation_slots\{state="running",service="runtime_gateway"\} 0/);
  });
});
