import { waitUntil } from '@parley/shared/testing';
import type { ChatItem, ServiceError } from '@parley/shared/contracts';
import { capturedBody, capturedResponse, randomPieces, singleBytes } from '../../../testing/captured-response';
import { CompletionStream } from './completion-stream';
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

const SCHEMA = { type: 'object', properties: { npc_utterance: { type: 'string', maxLength: 2000 } } };
const SSE = 'text/event-stream';

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

async function gatewayTo(
  script: Script,
  environment: Record<string, string> = {},
): Promise<{ gateway: RunningGateway; upstream: ScriptedUpstream }> {
  const upstream = await startScriptedUpstream(script);
  opened.push(upstream);
  const gateway = await startGateway({
    SIM_RUNTIME_ID: 'local_server',
    SIM_LOCAL_SERVER_BASE_URL: upstream.url,
    ...environment,
  });
  opened.push(gateway);
  return { gateway, upstream };
}

const delta = (content: string): string => `data: {"choices":[{"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;
const finish = (reason = 'stop'): string => `data: {"choices":[{"delta":{},"finish_reason":"${reason}"}]}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** What a server answers that does not stream. */
const wholeAnswer = (content: string | null, reason = 'stop'): string =>
  JSON.stringify({
    model: 'whole',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: reason }],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  });

/** Answers every chat with these bytes of a stream, each in a chunk of its own. */
const streaming =
  (pieces: readonly string[], contentType = SSE): Script =>
  async (_call, line) => {
    await line.write(streamHead(contentType));
    for (const piece of pieces) await line.write(chunkOf(piece));
    await line.write(LAST_CHUNK);
  };

const joined = (items: readonly ChatItem[]): string =>
  items.map((item) => (item.type === 'token' ? item.text : '')).join('');

function finalOf(outcome: ChatOutcome): Extract<ChatItem, { type: 'final' }> {
  const last = outcome.items.at(-1);
  if (last?.type !== 'final') throw new Error(`no final but ${JSON.stringify(last ?? outcome.problem)}`);
  expect(joined(outcome.items)).toBe(last.text);
  expect(outcome.items.filter((item) => item.type !== 'token')).toHaveLength(1);
  return last;
}

/** The text of a recorded stream, found without the code under test: all content deltas in order. */
function recordedText(name: string): string {
  const body = capturedBody(name).toString('utf8');
  if (body.startsWith('{'))
    return (JSON.parse(body) as { choices: [{ message: { content: string } }] }).choices[0].message.content;
  const events = capturedBody(name)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('data: {'));
  return events
    .map((line) => JSON.parse(line.slice('data: '.length)) as { choices?: { delta?: { content?: string | null } }[] })
    .map((chunk) => chunk.choices?.[0]?.delta?.content ?? '')
    .join('');
}

describe('local_server replays recordings', () => {
  const recordings = [
    ['llama-10-stream-plain.txt', 'stop', 72, 16],
    ['llama-11-stream-plain-usage.txt', 'stop', 72, 16],
    ['llama-13-stream-npc-schema.txt', 'stop', 72, 442],
    ['llama-15-stream-length-truncated.txt', 'length', 72, 120],
    ['llama-16-stream-progress-timings.txt', 'length', 72, 4],
    ['llama-29c-context-fills-mid-generation.txt', 'length', null, null],
    ['llama-43-utf8-pieces.txt', 'stop', 31, 17],
    ['llama-50-think-stream.txt', 'length', 72, 60],
    ['llama-50b-think-prefilled.txt', 'stop', null, null],
    ['llama-51-think-schema.txt', 'stop', 72, null],
    ['llama-52-think-off-schema.txt', 'stop', null, null],
    ['llama-60-sse-ping.txt', 'length', 7013, 2],
    ['llama-61-sse-progress.txt', 'length', 7013, 2],
    ['llama-12-nonstream-plain.txt', 'stop', 72, 16],
  ] as const;

  it.each(recordings)('%s whole and in random cuts, with the same result', async (name, reason, input, output) => {
    const response = capturedResponse(name);
    let cuts: readonly Buffer[] = [response];
    const { gateway } = await gatewayTo(async (_call, line) => {
      await line.writeAll(cuts);
      line.end();
    });
    const whole = finalOf(await gateway.chat({ json_schema: SCHEMA }));
    expect(whole.text).toBe(recordedText(name));
    expect(whole.finish_reason).toBe(reason);
    if (input !== null) expect(whole.input_tokens).toBe(input);
    if (output !== null) expect(whole.output_tokens).toBe(output);
    for (const seed of [1, 2]) {
      cuts = randomPieces(response, seed, Math.ceil(response.length / 40));
      expect(finalOf(await gateway.chat({ json_schema: SCHEMA }))).toEqual(whole);
    }
  });

  it.each([
    'llama-10-stream-plain.txt',
    'llama-12-nonstream-plain.txt',
    'llama-43-utf8-pieces.txt',
    'llama-16-stream-progress-timings.txt',
  ])('%s byte by byte, with the same result', async (name) => {
    const response = capturedResponse(name);
    let cuts: readonly Buffer[] = [response];
    const { gateway } = await gatewayTo(async (_call, line) => {
      await line.writeAll(cuts);
      line.end();
    });
    const whole = finalOf(await gateway.chat());
    cuts = singleBytes(response);
    expect(finalOf(await gateway.chat())).toEqual(whole);
  });

  it('parses the answer that a schema shaped, and reports what of the prompt was cached', async () => {
    const { gateway } = await gatewayTo((_call, line) =>
      line.write(capturedResponse('llama-13-stream-npc-schema.txt')),
    );
    const final = finalOf(await gateway.chat({ json_schema: SCHEMA }));
    expect(Object.keys(final.structured ?? {})[0]).toBe('npc_utterance');
    expect(final.model_id).toBe('rig-tiny');
    expect(final.usage).toEqual({ prompt_tokens_cached: 71, prompt_tokens_evaluated: 1 });
  });

  it('leaves structured null when the text is cut by length or no schema was given', async () => {
    const { gateway } = await gatewayTo((call, line) =>
      line.write(
        capturedResponse(
          call.body.includes('response_format')
            ? 'llama-15-stream-length-truncated.txt'
            : 'llama-13-stream-npc-schema.txt',
        ),
      ),
    );
    expect(finalOf(await gateway.chat({ json_schema: SCHEMA })).structured).toBeNull();
    expect(finalOf(await gateway.chat()).structured).toBeNull();
  });

  it.each([
    ['llama-02-chat-while-loading.txt', 503, 'RUNTIME_UNAVAILABLE', /still loading/],
    ['llama-20-err-schema-bad-type.txt', 502, 'RUNTIME_ERROR', /form of the answer/],
    ['llama-22-err-schema-maxlength-2000.txt', 502, 'RUNTIME_ERROR', /form of the answer/],
    ['llama-26-err-invalid-json-body.txt', 502, 'RUNTIME_ERROR', /status 500, server_error/],
    ['llama-29-err-context-exceeded-stream.txt', 502, 'RUNTIME_ERROR', /10513 tokens .* 2048/],
    ['llama-36-cors-localhost-evil.txt', 502, 'RUNTIME_ERROR', /SIM_LOCAL_SERVER_API_KEY/],
  ] as const)('%s becomes %i %s before the first line', async (name, status, code, message) => {
    const { gateway } = await gatewayTo(async (_call, line) => {
      await line.write(capturedResponse(name));
      line.end();
    });
    const outcome = await gateway.chat();
    expect(outcome).toMatchObject({ status, problem: { code } });
    expect(outcome.problem?.detail).toMatch(message);
    expect(outcome.contentType).toContain('application/problem+json');
  });

  it('llama-45: an error event in the middle becomes an error line, never a success', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.write(capturedResponse('llama-45-error-mid-stream.txt')));
    const { status, items } = await gateway.chat({ json_schema: SCHEMA });
    expect(status).toBe(200);
    expect(items[0]?.type).toBe('token');
    expect(items.at(-1)).toMatchObject({ type: 'error', code: 'RUNTIME_ERROR' });
  });

  it('llama-42: a server that is killed in the middle becomes RUNTIME_UNAVAILABLE', async () => {
    const { gateway } = await gatewayTo(async (_call, line) => {
      const cut = capturedResponse('llama-13-stream-npc-schema.txt').subarray(0, 20_000);
      await line.write(cut);
      line.end();
    });
    expect((await gateway.chat()).items.at(-1)).toMatchObject({ type: 'error', code: 'RUNTIME_UNAVAILABLE' });
  });
});

describe('local_server asks', () => {
  const ok = streaming([delta('Hi.'), finish(), DONE]);

  it('with a stream, the schema in response_format with strict false, thinking off and the cache on', async () => {
    const { gateway, upstream } = await gatewayTo(ok, {
      SIM_LOCAL_SERVER_MODEL_ID: 'mine',
      SIM_LOCAL_SERVER_TOP_P: '0.5',
      SIM_LOCAL_SERVER_TEMPERATURE: '0.3',
    });
    await gateway.chat({ json_schema: SCHEMA, max_tokens: 700 });
    const call = upstream.calls[0];
    expect(call).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(call?.headers['accept-encoding']).toBe('identity');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      messages: [{ role: 'user', content: 'Hello, can we talk?' }],
      model: 'mine',
      max_tokens: 700,
      temperature: 0.3,
      top_p: 0.5,
      stream: true,
      stream_options: { include_usage: true },
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          strict: false,
          schema: { type: 'object', properties: { npc_utterance: { type: 'string', maxLength: 1999 } } },
        },
      },
      repeat_penalty: 1.1,
      cache_prompt: true,
      n_cache_reuse: 64,
      return_progress: true,
      sse_ping_interval: 5,
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it('without a schema when SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED is false, and says so in its capabilities', async () => {
    const { gateway, upstream } = await gatewayTo(ok, { SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED: 'False' });
    await gateway.chat({ json_schema: SCHEMA, temperature: 0.2 });
    const body = JSON.parse(upstream.calls[0]?.body ?? '') as Record<string, unknown>;
    expect(body).not.toHaveProperty('response_format');
    expect(body).not.toHaveProperty('model');
    expect(body['temperature']).toBe(0.2);
    expect((await gateway.get('/runtime')).body).toMatchObject({
      id: 'local_server',
      capabilities: { json_schema: false },
    });
  });

  it('again without its extensions when a server refuses to know them, and remembers that', async () => {
    const { gateway, upstream } = await gatewayTo((call, line) =>
      call.body.includes('cache_prompt')
        ? line.write(plainAnswer(400, '{"error":{"message":"Unrecognized request argument: cache_prompt"}}'))
        : ok(call, line),
    );
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(upstream.calls).toHaveLength(3);
  });

  it('with less of a schema each time a server refuses it, then with none, and remembers what was taken', async () => {
    const refusal = (text: string): string => plainAnswer(400, JSON.stringify({ error: { message: text } }));
    const { gateway, upstream } = await gatewayTo((call, line) => {
      if (call.body.includes('"json_schema"')) return line.write(refusal('response_format.type must be text'));
      if (call.body.includes('"json_object"')) return line.write(refusal("'response_format' is not supported"));
      return ok(call, line);
    });
    expect(finalOf(await gateway.chat({ json_schema: SCHEMA })).text).toBe('Hi.');
    expect(finalOf(await gateway.chat({ json_schema: SCHEMA })).text).toBe('Hi.');
    expect(upstream.calls.map(({ body }) => /"type":"(json_\w+)"/.exec(body)?.[1] ?? null)).toEqual([
      'json_schema',
      'json_object',
      null,
      null,
    ]);
  });

  it('as any JSON object where a server knows only that', async () => {
    const { gateway, upstream } = await gatewayTo((call, line) =>
      call.body.includes('"json_schema"')
        ? line.write(plainAnswer(400, '{"error":{"message":"json_schema is not supported"}}'))
        : ok(call, line),
    );
    await gateway.chat({ json_schema: SCHEMA });
    await gateway.chat({ json_schema: SCHEMA });
    expect(upstream.calls.slice(1).every(({ body }) => body.includes('"json_object"'))).toBe(true);
    expect(upstream.calls).toHaveLength(3);
  });

  it('without stream_options where a server does not know them', async () => {
    const { gateway, upstream } = await gatewayTo((call, line) =>
      call.body.includes('stream_options')
        ? line.write(plainAnswer(422, '{"error":{"message":"Extra inputs are not permitted: stream_options"}}'))
        : ok(call, line),
    );
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(upstream.calls).toHaveLength(3);
    expect(upstream.calls.at(-1)?.body).toContain('cache_prompt');
  });

  it('in vain where the refusal names nothing that can be left out, once', async () => {
    const { gateway, upstream } = await gatewayTo((_call, line) =>
      line.write(plainAnswer(400, '{"error":{"message":"messages: roles must alternate"}}')),
    );
    expect((await gateway.chat({ json_schema: SCHEMA })).problem).toMatchObject({ code: 'RUNTIME_ERROR' });
    expect(upstream.calls).toHaveLength(1);
  });

  it('with the key that the user has set, on one connection that is kept', async () => {
    const { gateway, upstream } = await gatewayTo(ok, { SIM_LOCAL_SERVER_API_KEY: 'k-1' });
    for (let turn = 0; turn < 3; turn += 1) {
      await gateway.chat();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(upstream.calls.map((call) => call.headers['authorization'])).toEqual([
      'Bearer k-1',
      'Bearer k-1',
      'Bearer k-1',
    ]);
    expect(new Set(upstream.calls.map((call) => call.connection)).size).toBe(1);
  });

  it('with the name and password that stand in its address', async () => {
    const upstream = await startScriptedUpstream(ok);
    opened.push(upstream);
    const gateway = await startGateway({
      SIM_RUNTIME_ID: 'local_server',
      SIM_LOCAL_SERVER_BASE_URL: upstream.url.replace('//', '//me:se%20cret@'),
    });
    opened.push(gateway);
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(upstream.calls[0]?.headers['authorization']).toBe(`Basic ${Buffer.from('me:se cret').toString('base64')}`);
  });

  it('again on a new connection when a kept one was closed by the server at the same moment', async () => {
    const { gateway, upstream } = await gatewayTo((call, line) =>
      call.connection === 1 && upstreamCalls() > 1 ? line.end() : ok(call, line),
    );
    const upstreamCalls = (): number => upstream.calls.length;
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(finalOf(await gateway.chat()).text).toBe('Hi.');
    expect(upstream.calls.map((call) => call.connection)).toEqual([1, 1, 2]);
  });
});

describe('local_server reads what breaks naive readers', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['comments and pings between events', [':\n\n', delta('a'), ': ping\n\n', delta('b'), finish(), DONE], 'ab'],
    ['pings that are wrapped as data', ['data: : ping\n\n', delta('a'), finish(), DONE], 'a'],
    ['data without the space', [delta('a').replace('data: ', 'data:'), finish(), 'data:[DONE]\n\n'], 'a'],
    ['CR LF line ends', [delta('a').replaceAll('\n', '\r\n'), finish().replaceAll('\n', '\r\n'), DONE], 'a'],
    ['a line split across reads', [delta('ab').slice(0, 30), delta('ab').slice(30), finish(), DONE], 'ab'],
    ['two events in one read', [delta('a') + delta('b') + finish() + DONE], 'ab'],
    [
      'choices empty, null or absent',
      ['data: {"choices":[]}\n\ndata: {"choices":null}\n\ndata: {}\n\n', delta('a'), finish(), DONE],
      'a',
    ],
    [
      'content null or of another type',
      [
        'data: {"choices":[{"delta":{"content":null}}]}\n\ndata: {"choices":[{"delta":{"content":7}}]}\n\n',
        delta('a'),
        finish(),
        DONE,
      ],
      'a',
    ],
    [
      'a finish_reason of "" on every chunk',
      ['data: {"choices":[{"delta":{"content":"a"},"finish_reason":""}]}\n\n', delta('b'), finish(), DONE],
      'ab',
    ],
    [
      'reasoning deltas',
      ['data: {"choices":[{"delta":{"reasoning_content":"hm","reasoning":"hm"}}]}\n\n', delta('a'), finish(), DONE],
      'a',
    ],
    [
      'reasoning tags at the beginning, cut anywhere',
      [delta('<thi'), delta('nk>secret</th'), delta('ink>\n\n'), delta('a <think>'), finish(), DONE],
      'a <think>',
    ],
    [
      'tool call deltas',
      ['data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}\n\n', delta('a'), finish('tool_calls'), DONE],
      'a',
    ],
    ['[DONE] without a finish_reason', [delta('a'), DONE], 'a'],
    ['a finish_reason without [DONE]', [delta('a'), finish()], 'a'],
    ['a last event without its empty line', [delta('a'), finish().trimEnd()], 'a'],
    ['a very long single line', [delta('x'.repeat(300_000)), finish(), DONE], 'x'.repeat(300_000)],
    ['length with empty content', [finish('length'), DONE], ''],
    ['a byte order mark', [`\uFEFF${delta('a')}`, finish(), DONE], 'a'],
    ['letters of several bytes', [delta('Größe 東京 😀'), finish(), DONE], 'Größe 東京 😀'],
    ['one JSON answer instead of a stream', [wholeAnswer('a')], 'a'],
    ['one JSON answer over many lines', [`\r\n${JSON.stringify(JSON.parse(wholeAnswer('a')), null, 2)}\n`], 'a'],
    ['one JSON answer after a byte order mark', [`\uFEFF ${wholeAnswer('größer')}`], 'größer'],
    ['one JSON answer with thoughts', [wholeAnswer('<think>hm</think>a')], 'a'],
    ['one JSON answer without words', [wholeAnswer(null)], ''],
  ];

  it.each(cases)('%s', async (_what, pieces, text) => {
    const { gateway } = await gatewayTo(streaming(pieces));
    expect(finalOf(await gateway.chat()).text).toBe(text);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', SSE])(
    'one JSON answer called %s, as a token and the final, with its counts and its structure',
    async (contentType) => {
      const body = wholeAnswer('{"npc_utterance":"No."}', 'length');
      const { gateway } = await gatewayTo((_call, line) => line.write(plainAnswer(200, body, contentType)));
      const outcome = await gateway.chat({ json_schema: SCHEMA });
      expect(outcome.items.map((item) => item.type)).toEqual(['token', 'final']);
      expect(finalOf(outcome)).toEqual({
        type: 'final',
        text: '{"npc_utterance":"No."}',
        model_id: 'whole',
        input_tokens: 7,
        output_tokens: 3,
        structured: { npc_utterance: 'No.' },
        finish_reason: 'length',
        usage: { prompt_tokens_cached: null, prompt_tokens_evaluated: null },
      });
    },
  );

  it('one JSON answer after another on the same connection', async () => {
    const { gateway, upstream } = await gatewayTo((_call, line) => line.write(plainAnswer(200, wholeAnswer('a'))));
    for (let turn = 0; turn < 3; turn += 1) expect(finalOf(await gateway.chat()).text).toBe('a');
    expect(new Set(upstream.calls.map((call) => call.connection)).size).toBe(1);
  });

  /** Reads the bytes cut in two at each place (at some, where there are very many), with nothing but the reader. */
  function cutEverywhere(pieces: readonly string[], read: (parts: readonly Buffer[]) => void): void {
    const bytes = Buffer.from(pieces.join(''));
    const step = bytes.length > 4_000 ? Math.ceil(bytes.length / 20) : 1;
    for (let at = 0; at <= bytes.length; at += step) read([bytes.subarray(0, at), bytes.subarray(at)]);
    if (step === 1) read(singleBytes(bytes));
  }

  /** The text of a stream; the code of its failure, CUT when it ended too early. */
  function outcomeOf(parts: readonly Buffer[]): { text: string } | { code: string } {
    const stream = new CompletionStream();
    try {
      const text = [...parts.flatMap((part) => stream.feed(part)), ...stream.end()].join('');
      return stream.isComplete ? { text: text + stream.rest() } : { code: 'CUT' };
    } catch (error) {
      return { code: (error as ServiceError).code };
    }
  }

  it.each(cases)('%s, cut at every byte', (_what, pieces, text) => {
    cutEverywhere(pieces, (parts) => expect(outcomeOf(parts)).toEqual({ text }));
  });

  const failures: readonly (readonly [string, readonly string[], string])[] = [
    ['event: error with plain text', [delta('a'), 'event: error\ndata: out of luck\n\n'], 'RUNTIME_ERROR'],
    ['an error body without data:', [delta('a'), '{"error":{"code":500,"message":"boom"}}\n\n'], 'RUNTIME_ERROR'],
    ['an event that does not parse', [delta('a'), 'data: {"choices":[{]\n\n', delta('b')], 'RUNTIME_ERROR'],
    ['a line without end', [delta('a'), `data: ${'x'.repeat(1_100_000)}`], 'RUNTIME_ERROR'],
    ['an end with neither finish_reason nor [DONE]', [delta('a')], 'RUNTIME_UNAVAILABLE'],
    ['an end in the middle of an event', [delta('a'), delta('b').slice(0, 25)], 'RUNTIME_UNAVAILABLE'],
    ['a whole JSON answer after a token', [delta('a'), `\n${wholeAnswer('b')}\n\n`], 'RUNTIME_ERROR'],
  ];

  it.each(failures)('%s, cut at every byte', (_what, pieces, code) => {
    const expected = { code: code === 'RUNTIME_UNAVAILABLE' ? 'CUT' : code };
    cutEverywhere(pieces, (parts) => expect(outcomeOf(parts)).toEqual(expected));
  });

  it.each(failures)('%s is an error line and no success', async (_what, pieces, code) => {
    const { gateway } = await gatewayTo(streaming(pieces));
    const { items } = await gateway.chat();
    expect(items.at(-1)).toMatchObject({ type: 'error', code });
    expect(items.some((item) => item.type === 'final')).toBe(false);
  });

  it.each([
    ['a page', plainAnswer(200, '<html><body>Hello</body></html>', 'text/html'), 502, 'RUNTIME_ERROR'],
    [
      'a compressed stream',
      `HTTP/1.1 200 OK\r\nContent-Type: ${SSE}\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b..`,
      502,
      'RUNTIME_ERROR',
    ],
    ['bytes that are no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 502, 'RUNTIME_ERROR'],
    ['an empty stream', plainAnswer(200, '', SSE), 503, 'RUNTIME_UNAVAILABLE'],
    ['JSON that is no answer', plainAnswer(200, '{"hello":"there"}'), 502, 'RUNTIME_ERROR'],
    ['JSON without choices', plainAnswer(200, '{"choices":[]}'), 502, 'RUNTIME_ERROR'],
    ['JSON that does not parse', plainAnswer(200, '{"choices":[{'), 502, 'RUNTIME_ERROR'],
    ['JSON of another kind', plainAnswer(200, '["choices"]'), 502, 'RUNTIME_ERROR'],
    ['an error as JSON with status 200', plainAnswer(200, '{"error":{"message":"boom"}}'), 502, 'RUNTIME_ERROR'],
    ['JSON without end', plainAnswer(200, `{"a":"${'x'.repeat(5_000_000)}"}`), 502, 'RUNTIME_ERROR'],
    [
      'JSON that is cut off',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"choices":[{',
      503,
      'RUNTIME_UNAVAILABLE',
    ],
    [
      'a 404',
      plainAnswer(404, '{"error":{"message":"File Not Found","type":"not_found_error"}}'),
      502,
      'RUNTIME_ERROR',
    ],
    ['a 429 without a body', 'HTTP/1.1 429 Too Many\r\nContent-Length: 0\r\n\r\n', 502, 'RUNTIME_ERROR'],
    ['a 503 of another kind', plainAnswer(503, 'queue full', 'text/plain'), 503, 'RUNTIME_UNAVAILABLE'],
  ] as const)('%s is an HTTP error', async (_what, bytes, status, code) => {
    const { gateway } = await gatewayTo(async (_call, line) => {
      await line.write(bytes);
      line.end();
    });
    expect(await gateway.chat()).toMatchObject({ status, problem: { code } });
  });

  it('never passes on what an error message quotes', async () => {
    const { gateway } = await gatewayTo((_call, line) =>
      line.write(plainAnswer(500, '{"error":{"message":"parse error near: my secret words","type":"server_error"}}')),
    );
    expect(JSON.stringify(await gateway.chat())).not.toContain('secret');
  });
});

describe('local_server connections', () => {
  it('refused is RUNTIME_UNAVAILABLE with what to do next', async () => {
    const { gateway, upstream } = await gatewayTo(() => undefined);
    await upstream.close();
    const { status, problem } = await gateway.chat();
    expect(status).toBe(503);
    expect(problem).toMatchObject({ code: 'RUNTIME_UNAVAILABLE', retryable: true });
    expect(problem?.detail).toMatch(/Start it/);
    expect(problem?.details).toEqual({ reason: 'model_server_unreachable', runtime_id: 'local_server' });
  });

  it('closed before the first byte is RUNTIME_UNAVAILABLE', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.end());
    expect(await gateway.chat()).toMatchObject({ status: 503, problem: { code: 'RUNTIME_UNAVAILABLE' } });
  });

  it('reset in mid-stream is an error line of RUNTIME_UNAVAILABLE', async () => {
    const { gateway } = await gatewayTo(async (call, line) => {
      await line.write(streamHead(SSE) + chunkOf(delta('a')));
      await waitUntil('the token to be on its way', () => call.body.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      line.reset();
    });
    expect((await gateway.chat()).items.at(-1)).toMatchObject({ type: 'error', code: 'RUNTIME_UNAVAILABLE' });
  });

  it('silent from the start is TURN_TIMEOUT before the first line', async () => {
    const { gateway } = await gatewayTo(() => undefined, { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.2' });
    expect(await gateway.chat()).toMatchObject({ status: 504, problem: { code: 'TURN_TIMEOUT', retryable: true } });
  });

  it('headers and then silence is TURN_TIMEOUT before the first line, and closes the connection', async () => {
    const { gateway, upstream } = await gatewayTo((_call, line) => line.write(streamHead(SSE)), {
      SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.2',
    });
    expect(await gateway.chat()).toMatchObject({ status: 504, problem: { code: 'TURN_TIMEOUT' } });
    await waitUntil('the upstream to be closed', () => upstream.calls[0]?.closed.aborted);
  });

  it('silent after a token is an error line of TURN_TIMEOUT', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.write(streamHead(SSE) + chunkOf(delta('a'))), {
      SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.2',
    });
    expect((await gateway.chat()).items.map((item) => (item.type === 'error' ? item.code : item.type))).toEqual([
      'token',
      'TURN_TIMEOUT',
    ]);
  });

  it.each([
    ['comments', ':\n\n'],
    ['progress', 'data: {"choices":[{"delta":{"content":null}}],"prompt_progress":{"total":9,"processed":3}}\n\n'],
    ['reasoning', 'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\n'],
  ])('%s are signs of life: no timeout while they come', async (_what, sign) => {
    const { gateway } = await gatewayTo(
      async (_call, line) => {
        await line.write(streamHead(SSE));
        for (let at = 0; at < 12; at += 1) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          await line.write(chunkOf(sign));
        }
        await line.write(chunkOf(delta('a') + finish() + DONE) + LAST_CHUNK);
      },
      { SIM_LOCAL_SERVER_CHAT_TIMEOUT: '0.6' },
    );
    expect(finalOf(await gateway.chat()).text).toBe('a');
  });

  it('that hang after the finish_reason do not hold the answer back', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.write(streamHead(SSE) + chunkOf(delta('a') + finish())));
    expect(finalOf(await gateway.chat()).text).toBe('a');
  });
});

describe('local_server health and models', () => {
  it.each([
    ['200 is READY', plainAnswer(200, '{"status":"ok"}'), 'READY'],
    ['503 is STARTING', plainAnswer(503, '{"error":{"message":"Loading model","code":503}}'), 'STARTING'],
    ['500 is ERROR', plainAnswer(500, '{}'), 'ERROR'],
    ['no HTTP is ERROR', 'hello\r\n\r\n', 'ERROR'],
  ])('%s', async (_what, bytes, status) => {
    const { gateway } = await gatewayTo(async (call, line) => {
      await line.write(call.path === '/health' ? bytes : capturedResponse('llama-04-models.txt'));
      line.end();
    });
    const { status: httpStatus, body } = await gateway.get('/runtime/health');
    expect(httpStatus).toBe(200);
    expect(body).toMatchObject({ runtime_id: 'local_server', status, latency_ms: expect.any(Number) as number });
    expect((body as { message: string | null }).message === null).toBe(status === 'READY');
    if (status === 'READY') expect(body).toMatchObject({ model_id: 'rig-tiny' });
  });

  it('connection failure is UNAVAILABLE, in the health answer and as 503 of the list', async () => {
    const { gateway, upstream } = await gatewayTo(() => undefined);
    await upstream.close();
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'UNAVAILABLE', latency_ms: null });
    expect(await gateway.get('/runtime/models')).toMatchObject({ status: 503, body: { code: 'RUNTIME_UNAVAILABLE' } });
  });

  it('a server without /health is READY when it lists models', async () => {
    const { gateway } = await gatewayTo((call, line) =>
      line.write(call.path === '/health' ? plainAnswer(404, '{}') : plainAnswer(200, '{"data":[{"id":"m"}]}')),
    );
    expect((await gateway.get('/runtime/health')).body).toMatchObject({ status: 'READY', model_id: 'm' });
  });

  it('lists the models of llama-04 with context and size', async () => {
    const { gateway } = await gatewayTo((_call, line) => line.write(capturedResponse('llama-04-models.txt')));
    expect((await gateway.get('/runtime/models')).body).toEqual({
      models: [{ id: 'rig-tiny', name: 'rig-tiny', context_length: 2048, size_bytes: 470528, loaded: true }],
    });
  });

  it('gives the list up after its own timeout', async () => {
    const { gateway } = await gatewayTo(() => undefined, { SIM_LOCAL_SERVER_TIMEOUT: '0.2' });
    expect((await gateway.get('/runtime/models')).status).toBe(504);
  });
});
