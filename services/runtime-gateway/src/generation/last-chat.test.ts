import { RuntimeHealth } from '@parley/shared/contracts';
import { capturedResponse } from '../../testing/captured-response';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import {
  chunkOf,
  LAST_CHUNK,
  plainAnswer,
  startScriptedUpstream,
  streamHead,
  type ScriptedUpstream,
  type UpstreamCall,
} from '../conformance/scripted-upstream';

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

type Bytes = Buffer | string;

interface Set {
  readonly gateway: RunningGateway;
  readonly upstream: ScriptedUpstream;
  /** What chats are answered with from now on. */
  answerWith(bytes: Bytes): void;
  health(): Promise<RuntimeHealth>;
}

/** A gateway to a server whose probes are well, whatever it does with chats. */
async function set(
  runtime: 'local_server' | 'local_native',
  aside: (call: UpstreamCall) => Bytes | undefined,
  environment: (upstream: ScriptedUpstream) => Record<string, string>,
): Promise<Set> {
  let chat: Bytes = '';
  const upstream = await startScriptedUpstream(async (call, line) => {
    await line.write(aside(call) ?? chat);
    line.end();
  });
  opened.push(upstream);
  const gateway = await startGateway({ SIM_RUNTIME_ID: runtime, ...environment(upstream) });
  opened.push(gateway);
  return {
    gateway,
    upstream,
    answerWith: (bytes) => {
      chat = bytes;
    },
    health: async () => RuntimeHealth.parse((await gateway.get('/runtime/health')).body),
  };
}

const localServer = (path = ''): Promise<Set> =>
  set(
    'local_server',
    (call) =>
      ({ '/health': plainAnswer(200, '{"status":"ok"}'), '/v1/models': capturedResponse('llama-04-models.txt') })[
        call.path
      ] ??
      // As a server does that knows no such path.
      (call.path === '/v1/chat/completions' ? undefined : capturedResponse('llama-30-404.txt')),
    (upstream) => ({ SIM_LOCAL_SERVER_BASE_URL: `${upstream.url}${path}` }),
  );

const native = (): Promise<Set> =>
  set(
    'local_native',
    (call) =>
      ({
        '/': plainAnswer(200, 'Ollama is running', 'text/plain'),
        '/api/tags': plainAnswer(200, '{"models":[{"name":"small:1b","digest":"d"}]}'),
      })[call.path],
    (upstream) => ({ SIM_NATIVE_SERVER_BASE_URL: upstream.url }),
  );

const SPOKEN = capturedResponse('llama-10-stream-plain.txt');
const sse = (event: string): string => streamHead('text/event-stream') + chunkOf(event) + LAST_CHUNK;

describe('health after a chat that was refused for its set-up', () => {
  it.each<[string, Bytes, RegExp]>([
    ['another key', capturedResponse('llama-36-cors-localhost-evil.txt'), /set SIM_LOCAL_SERVER_API_KEY/],
    ['403', plainAnswer(403, '{"error":"forbidden"}'), /set SIM_LOCAL_SERVER_API_KEY/],
    ['a path that it does not have', capturedResponse('llama-30-404.txt'), /check that SIM_LOCAL_SERVER_BASE_URL/],
    ['a model that it does not have', plainAnswer(404, '{"error":{"message":"The model `x` does not exist."}}'), /set SIM_LOCAL_SERVER_MODEL_ID/],
    ['a prompt beyond its context', capturedResponse('llama-29-err-context-exceeded-stream.txt'), /10513 tokens .* 2048; set SIM_LOCAL_SERVER_CONTEXT_LENGTH/],
    ['a prompt beyond its context, asked without a stream', capturedResponse('llama-29b-err-context-exceeded.txt'), /set SIM_LOCAL_SERVER_CONTEXT_LENGTH/],
    ['a prompt beyond its context, in the words of another server', plainAnswer(400, '{"error":{"message":"This model\'s maximum context length is 4096 tokens.","code":"context_length_exceeded"}}'), /more tokens than .*set SIM_LOCAL_SERVER_CONTEXT_LENGTH/],
    ['a schema of a bad type', capturedResponse('llama-20-err-schema-bad-type.txt'), /SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED/],
    ['a schema with a bound that it refuses', capturedResponse('llama-22-err-schema-maxlength-2000.txt'), /SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED/],
    ['a schema with a bad pattern', capturedResponse('llama-23-err-schema-bad-pattern.txt'), /SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED/],
    ['a schema, in the middle of the stream', sse('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"error":{"code":500,"message":"failed to parse grammar","type":"server_error"}}\n\n'), /SIM_LOCAL_SERVER_JSON_SCHEMA_ENABLED/],
  ])('(%s) is ERROR with what to do, until a chat succeeds', async (_what, refusal, message) => {
    const { gateway, answerWith, health } = await localServer();
    expect(await health()).toMatchObject({ status: 'READY', message: null });
    answerWith(refusal);
    await gateway.chat();
    expect(await health()).toMatchObject({ status: 'ERROR', message: expect.stringMatching(message) as string, model_id: 'rig-tiny' });
    // Another failure says nothing about the set-up.
    answerWith(plainAnswer(500, '{"error":{"message":"boom"}}'));
    await gateway.chat();
    expect((await health()).status).toBe('ERROR');
    answerWith(SPOKEN);
    expect((await gateway.chat()).items.at(-1)).toMatchObject({ type: 'final' });
    expect(await health()).toMatchObject({ status: 'READY', message: null });
  }); // prettier-ignore

  it.each<[string, Bytes]>([
    ['an error of its own', plainAnswer(500, '{"error":{"message":"boom"}}')],
    ['a queue that is full', plainAnswer(503, '{"error":"busy"}')],
    ['too many requests', plainAnswer(429, '{"error":"slow down"}')],
    ['a connection that broke', sse('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')],
  ])('(%s) is no matter of health', async (_what, failure) => {
    const { gateway, answerWith, health } = await localServer();
    answerWith(failure);
    await gateway.chat();
    expect((await health()).status).toBe('READY');
  });

  it('is what the probe says when that is worse', async () => {
    const { gateway, upstream, answerWith, health } = await localServer();
    answerWith(capturedResponse('llama-30-404.txt'));
    await gateway.chat();
    await upstream.close();
    expect((await health()).status).toBe('UNAVAILABLE');
  });

  it.each<[string, Bytes, RegExp]>([
    ['a model that it does not have', plainAnswer(404, '{"error":"model \'small:1b\' not found"}'), /pull it/],
    ['401', plainAnswer(401, '{"error":"unauthorized"}'), /asks for a key/],
    ['another path', plainAnswer(404, 'page not found', 'text/plain'), /SIM_NATIVE_SERVER_BASE_URL/],
    [
      'a prompt beyond its context',
      plainAnswer(400, '{"error":"input exceeds the available context size"}'),
      /SIM_NATIVE_SERVER_CONTEXT_LENGTH/,
    ],
    ['a form that it refuses', plainAnswer(400, '{"error":"invalid JSON schema in format"}'), /form of the answer/],
    ['too little memory', plainAnswer(500, '{"error":"model requires more system memory"}'), /choose a smaller one/],
  ])('(%s, local_native) is ERROR with what to do, until a chat succeeds', async (_what, refusal, message) => {
    const { gateway, answerWith, health } = await native();
    answerWith(refusal);
    await gateway.chat();
    expect(await health()).toMatchObject({ status: 'ERROR', message: expect.stringMatching(message) as string });
    answerWith(plainAnswer(200, '{"message":{"content":"Hi."},"done":true}\n', 'application/x-ndjson'));
    await gateway.chat();
    expect((await health()).status).toBe('READY');
  });
});

describe('an address that ends in /v1', () => {
  it.each(['/v1', '/v1/'])('%s is the server all the same: chats, models and health are found', async (path) => {
    const { gateway, upstream, answerWith, health } = await localServer(path);
    answerWith(SPOKEN);
    expect((await gateway.chat()).items.at(-1)).toMatchObject({ type: 'final' });
    expect(await health()).toMatchObject({ status: 'READY', model_id: 'rig-tiny' });
    expect((await gateway.get('/runtime/models')).status).toBe(200);
    expect(new Set(upstream.calls.map((call) => call.path))).toEqual(
      new Set(['/v1/chat/completions', '/health', '/v1/models']),
    );
  });

  it('/openai/v1 keeps what is before it', async () => {
    const { gateway, upstream } = await localServer('/openai/v1');
    await gateway.chat();
    expect(upstream.calls.map((call) => call.path)).toEqual(['/openai/v1/chat/completions']);
  });
});
