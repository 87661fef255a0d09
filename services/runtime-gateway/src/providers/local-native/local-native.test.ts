import { waitUntil } from '@parley/shared/testing';
import { ModelInstall, type ChatItem } from '@parley/shared/contracts';
import { randomPieces, singleBytes } from '../../../testing/captured-response';
import { startGateway, type ChatOutcome, type RunningGateway } from '../../../testing/gateway-caller';
import {
  chunkOf,
  LAST_CHUNK,
  plainAnswer,
  startScriptedUpstream,
  streamHead,
  type Script,
  type ScriptedUpstream,
} from '../../conformance/scripted-upstream';

const NDJSON = 'application/x-ndjson';
const SCHEMA = { type: 'object', properties: { npc_utterance: { type: 'string' }, npc_emotion: { type: 'string' } } };
const MODEL = { name: 'small:1b', model: 'small:1b', size: 1000, digest: 'sha256:a', details: { format: 'gguf' } };
const OTHER = { name: 'other:latest', model: 'other:latest', size: 2000, digest: 'sha256:b' };
const CLOUD = {
  name: 'big:cloud',
  model: 'big:cloud',
  size: 300,
  digest: 'sha256:c',
  remote_host: 'https://elsewhere.example',
  remote_model: 'big',
};

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

const piece = (content: string): string =>
  `${JSON.stringify({ model: 'small:1b', created_at: '2026-08-01T10:00:00.123Z', message: { role: 'assistant', content }, done: false })}\n`;
const done = (members: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ model: 'small:1b', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', total_duration: 9, prompt_eval_count: 26, eval_count: 7, ...members })}\n`;

interface Server {
  readonly tags?: unknown;
  readonly chat?: Script;
  readonly pull?: Script;
  readonly show?: (model: string) => unknown;
}

/** A server with Ollama's paths; a chat that is not scripted answers "Hi there.". */
function native({ tags = { models: [CLOUD, MODEL, OTHER] }, chat, pull, show }: Server = {}): Script {
  return (call, line) => {
    const json = (status: number, body: unknown): Promise<void> =>
      line.write(plainAnswer(status, JSON.stringify(body)));
    if (call.path === '/') return line.write(plainAnswer(200, 'Ollama is running', 'text/plain; charset=utf-8'));
    if (call.path === '/api/tags') return json(200, tags);
    if (call.path === '/api/ps') return json(200, { models: [OTHER] });
    if (call.path === '/api/show') return json(200, show?.((JSON.parse(call.body) as { model: string }).model) ?? {});
    if (call.path === '/api/delete')
      return call.body.includes('small')
        ? line.write(plainAnswer(200, ''))
        : json(404, { error: "model 'x' not found" });
    if (call.path === '/api/pull' && pull !== undefined) return pull(call, line);
    if (call.path === '/api/chat') return (chat ?? streaming([piece('Hi'), piece(' there.'), done()]))(call, line);
    return json(404, { error: 'not found' });
  };
}

const streaming =
  (pieces: readonly string[]): Script =>
  async (_call, line) => {
    await line.write(streamHead(NDJSON));
    for (const one of pieces) await line.write(chunkOf(one));
    await line.write(LAST_CHUNK);
  };

async function gatewayTo(
  script: Script,
  environment: Record<string, string> = {},
): Promise<{ gateway: RunningGateway; upstream: ScriptedUpstream }> {
  const upstream = await startScriptedUpstream(script);
  opened.push(upstream);
  const gateway = await startGateway({
    SIM_RUNTIME_ID: 'local_native',
    SIM_NATIVE_SERVER_BASE_URL: upstream.url,
    ...environment,
  });
  opened.push(gateway);
  return { gateway, upstream };
}

function finalOf(outcome: ChatOutcome): Extract<ChatItem, { type: 'final' }> {
  const last = outcome.items.at(-1);
  if (last?.type !== 'final') throw new Error(`no final but ${JSON.stringify(last ?? outcome.problem)}`);
  expect(outcome.items.map((item) => (item.type === 'token' ? item.text : '')).join('')).toBe(last.text);
  return last;
}

describe('local_native chats', () => {
  it('stream tokens and end in a final with counts, of the first model that is not in a cloud', async () => {
    const { gateway } = await gatewayTo(native());
    expect(finalOf(await gateway.chat())).toMatchObject({
      text: 'Hi there.',
      model_id: 'small:1b',
      input_tokens: 26,
      output_tokens: 7,
      structured: null,
      finish_reason: 'stop',
    });
  });

  it('send the schema as format, thinking off, and num_predict, num_ctx and keep_alive always', async () => {
    const { gateway, upstream } = await gatewayTo(native(), { SIM_NATIVE_SERVER_CONTEXT_LENGTH: '6000' });
    await gateway.chat({ json_schema: SCHEMA, max_tokens: 700, temperature: 0.4, model_id: 'other:latest' });
    const call = upstream.calls.find((one) => one.path === '/api/chat');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      model: 'other:latest',
      messages: [{ role: 'user', content: 'Hello, can we talk?' }],
      stream: true,
      format: SCHEMA,
      think: false,
      keep_alive: '30m',
      options: { num_predict: 700, num_ctx: 6000, temperature: 0.4 },
    });
    await gateway.chat();
    expect(JSON.parse(upstream.calls.at(-1)?.body ?? '')).not.toHaveProperty('format');
  });

  it.each([
    ['-1', -1],
    ['600', 600],
    ['1h30m', '1h30m'],
  ])('send SIM_NATIVE_SERVER_KEEP_ALIVE=%s in the form that the server takes', async (value, sent) => {
    const { gateway, upstream } = await gatewayTo(native(), { SIM_NATIVE_SERVER_KEEP_ALIVE: value });
    await gateway.chat();
    expect(JSON.parse(upstream.calls.at(-1)?.body ?? '')).toMatchObject({ keep_alive: sent });
  });

  it('take one JSON answer instead of a stream for the whole of it', async () => {
    const whole = done({ message: { role: 'assistant', content: 'Hi there.' } });
    const { gateway } = await gatewayTo(native({ chat: (_call, line) => line.write(plainAnswer(200, whole)) }));
    const final = finalOf(await gateway.chat());
    expect(final).toMatchObject({ text: 'Hi there.', finish_reason: 'stop', input_tokens: 26, output_tokens: 7 });
  });

  it('give the parsed answer in structured whatever the order of its members', async () => {
    const text = '{"npc_emotion":"warm","npc_utterance":"Hi."}';
    const { gateway } = await gatewayTo(
      native({ chat: streaming([piece(text.slice(0, 9)), piece(text.slice(9)), done()]) }),
    );
    expect(finalOf(await gateway.chat({ json_schema: SCHEMA })).structured).toEqual({
      npc_emotion: 'warm',
      npc_utterance: 'Hi.',
    });
  });

  it.each([['whole'], ['bytes'], ['cuts']])('read the same however the stream is cut: %s', async (way) => {
    const body = piece('Grüße 🌍') + '\r\n' + piece(' und "Zitat"\n') + done().trimEnd();
    const bytes = Buffer.from(streamHead(NDJSON) + chunkOf(body) + LAST_CHUNK);
    const cuts = { whole: [bytes], bytes: singleBytes(bytes), cuts: randomPieces(bytes, 7, 20) }[
      way as 'whole' | 'bytes' | 'cuts'
    ];
    const { gateway } = await gatewayTo(native({ chat: (_call, line) => line.writeAll(cuts) }));
    expect(finalOf(await gateway.chat()).text).toBe('Grüße 🌍 und "Zitat"\n');
  });

  it('leave thinking out of the text, sent apart or in tags', async () => {
    const thinking = `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '', thinking: 'hm' }, done: false })}\n`;
    const { gateway } = await gatewayTo(
      native({ chat: streaming([thinking, piece('<think>no</think>\n'), piece('Yes.'), done()]) }),
    );
    expect(finalOf(await gateway.chat()).text).toBe('Yes.');
  });

  it('say length when cut by it, and count what the server leaves out as nothing', async () => {
    const { gateway } = await gatewayTo(
      native({
        chat: streaming([
          piece('Hi'),
          done({ done_reason: 'length', prompt_eval_count: undefined, eval_count: undefined }),
        ]),
      }),
    );
    expect(finalOf(await gateway.chat())).toMatchObject({ finish_reason: 'length', input_tokens: 0, output_tokens: 0 });
  });

  it.each([
    [
      'an error object after the first token, at status 200 and without done',
      [piece('Hi'), '{"error":"an error was encountered"}\n'],
      'RUNTIME_ERROR',
    ],
    ['a line that does not parse', [piece('Hi'), '{"message":{\n', piece('x')], 'RUNTIME_ERROR'],
    ['an end without done', [piece('Hi')], 'RUNTIME_UNAVAILABLE'],
    ['an end in the middle of a line', [piece('Hi'), piece('x').slice(0, 30)], 'RUNTIME_UNAVAILABLE'],
    ['a line without end', [piece('Hi'), 'x'.repeat(1_100_000)], 'RUNTIME_ERROR'],
  ])('end in an error line on %s', async (_what, pieces, code) => {
    const { gateway } = await gatewayTo(native({ chat: streaming(pieces) }));
    const { items } = await gateway.chat();
    expect(items.at(-1)).toMatchObject({ type: 'error', code });
    expect(items.some((item) => item.type === 'final')).toBe(false);
  });

  it.each([
    ['404 for a model that is not there', 404, { error: "model 'small:1b' not found" }, 502, 'RUNTIME_ERROR', /pull/],
    ['400 for wrong use', 400, { error: 'invalid format' }, 502, 'RUNTIME_ERROR', /status 400/],
    [
      '500 for too little memory',
      500,
      { error: 'model requires more system memory (9 GiB) than is available' },
      502,
      'RUNTIME_ERROR',
      /smaller/,
    ],
    [
      '503 when its queue is full',
      503,
      { error: 'server busy, please try again.' },
      503,
      'RUNTIME_UNAVAILABLE',
      /busy/,
    ],
  ] as const)('%s is an HTTP error', async (_what, upstreamStatus, body, status, code, detail) => {
    const { gateway } = await gatewayTo(
      native({ chat: (_call, line) => line.write(plainAnswer(upstreamStatus, JSON.stringify(body))) }),
    );
    const outcome = await gateway.chat();
    expect(outcome).toMatchObject({ status, problem: { code } });
    expect(outcome.problem?.detail).toMatch(detail);
  });

  it.each(['load', 'unload'])('that only %s the model are an error, not an empty answer', async (reason) => {
    const { gateway } = await gatewayTo(native({ chat: streaming([done({ done_reason: reason })]) }));
    expect(await gateway.chat()).toMatchObject({ status: 502, problem: { code: 'RUNTIME_ERROR' } });
  });

  it('that are silent are TURN_TIMEOUT, before and after the first token', async () => {
    const options = { SIM_NATIVE_SERVER_CHAT_TIMEOUT: '0.2' };
    const before = await gatewayTo(native({ chat: (_call, line) => line.write(streamHead(NDJSON)) }), options);
    expect(await before.gateway.chat()).toMatchObject({ status: 504, problem: { code: 'TURN_TIMEOUT' } });
    const after = await gatewayTo(
      native({ chat: (_call, line) => line.write(streamHead(NDJSON) + chunkOf(piece('Hi'))) }),
      options,
    );
    expect((await after.gateway.chat()).items.at(-1)).toMatchObject({ type: 'error', code: 'TURN_TIMEOUT' });
  });

  it('with no models advise to pull one, unreachable to start the server', async () => {
    const { gateway, upstream } = await gatewayTo(native({ tags: { models: [CLOUD] } }));
    expect((await gateway.chat()).problem).toMatchObject({
      code: 'RUNTIME_ERROR',
      detail: expect.stringMatching(/pull/) as string,
    });
    await upstream.close();
    expect((await gateway.chat()).problem).toMatchObject({
      code: 'RUNTIME_UNAVAILABLE',
      detail: expect.stringMatching(/Start the server/) as string,
      details: { reason: 'model_server_unreachable', runtime_id: 'local_native' },
    });
  });

  it('never reach a model on another machine, by name or by surprise', async () => {
    const { gateway, upstream } = await gatewayTo(
      native({
        chat: streaming([
          `${JSON.stringify({ model: 'x', remote_host: 'https://elsewhere.example', message: { content: 'Hi' } })}\n`,
        ]),
      }),
    );
    expect(await gateway.chat({ model_id: 'big:cloud' })).toMatchObject({
      status: 502,
      problem: { code: 'RUNTIME_ERROR' },
    });
    expect(await gateway.chat({ model_id: 'huge-cloud' })).toMatchObject({ status: 502 });
    expect(upstream.calls.filter((call) => call.path === '/api/chat')).toHaveLength(0);
    expect((await gateway.chat()).problem?.detail).toMatch(/another machine/);
  });

  it('give their slot back at once when the caller goes away while the server is asked for its models', async () => {
    const upstream = await startScriptedUpstream(() => undefined);
    opened.push(upstream);
    const gateway = await startGateway({
      SIM_RUNTIME_ID: 'local_native',
      SIM_NATIVE_SERVER_BASE_URL: upstream.url,
      SIM_GATEWAY_SLOTS: '1',
    });
    opened.push(gateway);
    const leaver = new AbortController();
    const chat = gateway.openChat({}, leaver.signal).catch(() => 'left');
    await waitUntil('the question', () => upstream.calls.length === 1);
    leaver.abort();
    await chat;
    await waitUntil('its end', () => upstream.calls[0]?.closed.aborted, { timeoutMs: 1_000 });
  });

  it('are closed upstream when the caller goes away', async () => {
    const { gateway, upstream } = await gatewayTo(
      native({ chat: (_call, line) => line.write(streamHead(NDJSON) + chunkOf(piece('Hi'))) }),
    );
    const leaver = new AbortController();
    const answer = await gateway.openChat({}, leaver.signal);
    answer.body.on('error', () => undefined);
    const call = upstream.calls.find((one) => one.path === '/api/chat');
    leaver.abort();
    await waitUntil('the upstream to be closed', () => call?.closed.aborted, { intervalMs: 1 });
  });
});

describe('local_native health and models', () => {
  it('is READY with a model, DEGRADED without, UNAVAILABLE when it cannot be reached', async () => {
    const ready = await gatewayTo(native());
    expect((await ready.gateway.get('/runtime/health')).body).toMatchObject({
      runtime_id: 'local_native',
      status: 'READY',
      model_id: 'small:1b',
      message: null,
    });
    const degraded = await gatewayTo(native({ tags: { models: null } }));
    expect((await degraded.gateway.get('/runtime/health')).body).toMatchObject({
      status: 'DEGRADED',
      model_id: null,
      message: expect.stringMatching(/pull/) as string,
    });
    await degraded.upstream.close();
    expect((await degraded.gateway.get('/runtime/health')).body).toMatchObject({
      status: 'UNAVAILABLE',
      latency_ms: null,
      message: expect.stringMatching(/Start the server/) as string,
    });
    expect(await degraded.gateway.get('/runtime/models')).toMatchObject({
      status: 503,
      body: { code: 'RUNTIME_UNAVAILABLE' },
    });
  });

  it('is ERROR when something else answers at its address', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.write(plainAnswer(200, '<html></html>', 'text/html')));
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'ERROR' });
  });

  it('lists local models only, with what is loaded and the context that calls ask for or less', async () => {
    const show = (model: string): unknown => ({
      model_info: { 'qwen3.context_length': model === 'small:1b' ? 2048 : 40960 },
    });
    const { gateway, upstream } = await gatewayTo(native({ show }));
    expect((await gateway.get('/runtime/models')).body).toEqual({
      models: [
        { id: 'small:1b', name: 'small:1b', context_length: 2048, size_bytes: 1000, loaded: false },
        { id: 'other:latest', name: 'other', context_length: 8192, size_bytes: 2000, loaded: true },
      ],
    });
    await gateway.get('/runtime/models');
    expect(upstream.calls.filter((call) => call.path === '/api/show')).toHaveLength(2);
  });
});

describe('local_native installs', () => {
  const progress = (object: unknown): string => chunkOf(`${JSON.stringify(object)}\n`);

  const followed = (gateway: RunningGateway, id: string): Promise<ModelInstall> =>
    waitUntil('the install to end', async () => {
      const one = ModelInstall.parse((await gateway.get(`/runtime/models/installs/${id}`)).body);
      return ['installed', 'failed', 'cancelled'].includes(one.status) ? one : null;
    });

  async function pulled(gateway: RunningGateway, name: string): Promise<string> {
    const { status, body } = await gateway.send('POST', '/runtime/models/install', { pull: name });
    expect(status).toBe(202);
    return (body as { install: { id: string } }).install.id;
  }

  it('pull by name and add up the progress of the layers by digest', async () => {
    const { gateway, upstream } = await gatewayTo(
      native({
        pull: async (_call, line) => {
          await line.write(streamHead(NDJSON) + progress({ status: 'pulling manifest' }));
          for (const completed of [10, 60, 100])
            await line.write(progress({ status: 'pulling aa', digest: 'sha256:aa', total: 100, completed }));
          await line.write(progress({ status: 'pulling bb', digest: 'sha256:bb', total: 50, completed: 50 }));
          await line.write(progress({ status: 'pulling aa', digest: 'sha256:aa', total: 100 }));
          await line.write(
            progress({ status: 'verifying sha256 digest' }) + progress({ status: 'success' }) + LAST_CHUNK,
          );
        },
      }),
    );
    const id = await pulled(gateway, 'qwen3:4b');
    expect(await followed(gateway, id)).toMatchObject({
      status: 'installed',
      model_id: 'qwen3:4b',
      bytes_done: 150,
      bytes_total: 150,
    });
    const call = upstream.calls.find((one) => one.path === '/api/pull');
    expect(JSON.parse(call?.body ?? '')).toEqual({ model: 'qwen3:4b', stream: true });
  });

  it.each([
    ['an error object in the stream', progress({ error: 'pull model manifest: file does not exist' }), /no model nope/],
    ['an end without success', progress({ status: 'pulling manifest' }), /was lost/],
  ])('fail clearly on %s', async (_what, bytes, message) => {
    const { gateway } = await gatewayTo(
      native({ pull: (_call, line) => line.write(streamHead(NDJSON) + bytes + LAST_CHUNK) }),
    );
    const install = await followed(gateway, await pulled(gateway, 'nope'));
    expect(install).toMatchObject({ status: 'failed', message: expect.stringMatching(message) as string });
  });

  it('are cancelled by closing the pull, which the server can take up again', async () => {
    const { gateway, upstream } = await gatewayTo(
      native({
        pull: (_call, line) =>
          line.write(streamHead(NDJSON) + progress({ status: 'x', digest: 'sha256:aa', total: 100, completed: 10 })),
      }),
    );
    const id = await pulled(gateway, 'qwen3:4b');
    const call = await waitUntil('the pull', () => upstream.calls.find((one) => one.path === '/api/pull'));
    expect((await gateway.send('DELETE', `/runtime/models/installs/${id}`)).status).toBe(204);
    await waitUntil('the pull to be closed', () => call.closed.aborted);
    expect((await followed(gateway, id)).status).toBe('cancelled');
  });

  it('can be deleted again, and a model that is not there is MODEL_NOT_FOUND', async () => {
    const { gateway, upstream } = await gatewayTo(native());
    expect((await gateway.send('DELETE', '/runtime/models/small%3A1b')).status).toBe(204);
    expect(JSON.parse(upstream.calls.at(-1)?.body ?? '')).toEqual({ model: 'small:1b' });
    expect(await gateway.send('DELETE', '/runtime/models/none')).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
  });
});
