import { FoundPrograms, type FoundProgram } from '@parley/shared/contracts';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import {
  plainAnswer,
  startScriptedUpstream,
  type Script,
  type ScriptedUpstream,
} from '../conformance/scripted-upstream';
import { capturedResponse } from '../../testing/captured-response';
import { USUAL_PLACES, type Place } from './usual-places';

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

async function upstreamOf(script: Script): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(script);
  opened.push(upstream);
  return upstream;
}

async function gatewayWith(
  places: readonly Place[],
  environment: Record<string, string> = {},
): Promise<RunningGateway> {
  const gateway = await startGateway(environment, { places });
  opened.push(gateway);
  return gateway;
}

/** What is found where one program listens. */
async function found(
  product: Place['product'],
  script: Script,
  environment: Record<string, string> = {},
): Promise<{ programs: FoundProgram[]; upstream: ScriptedUpstream }> {
  const upstream = await upstreamOf(script);
  const gateway = await gatewayWith([{ product, base_url: upstream.url }], environment);
  const { body } = await gateway.get('/runtime/found');
  return { programs: FoundPrograms.parse(body).found, upstream };
}

/** Answers by path; what is not named is 404. */
const answering =
  (answers: Readonly<Record<string, string>>): Script =>
  (call, line) =>
    line.write(answers[call.path] ?? plainAnswer(404, '{}'));

const HEALTHY = plainAnswer(200, '{"status":"ok"}');
const listOf = (...ids: string[]): string => plainAnswer(200, JSON.stringify({ data: ids.map((id) => ({ id })) }));

describe('looking for model servers', () => {
  it('looks at the usual ports of this machine', () => {
    expect(USUAL_PLACES.map(({ base_url }) => base_url)).toEqual([
      'http://127.0.0.1:11434',
      'http://127.0.0.1:7356',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:1234',
    ]);
  });

  it('asks nothing unless it is told to look', async () => {
    const upstream = await upstreamOf(answering({ '/api/tags': plainAnswer(200, '{"models":[]}') }));
    const gateway = await gatewayWith([{ product: 'ollama', base_url: upstream.url }]);
    for (const path of ['/runtime', '/runtime/health', '/runtime/models', '/runtime/choice']) await gateway.get(path);
    expect(upstream.calls).toEqual([]);
    await gateway.get('/runtime/found');
    expect(upstream.calls.map((call) => call.path)).toEqual(['/api/tags']);
  });

  it('finds Ollama with its models, without those in the cloud', async () => {
    const tags = { models: [{ name: 'qwen3:4b' }, { name: 'huge:cloud', remote_host: 'https://models.example' }] };
    const { programs, upstream } = await found(
      'ollama',
      answering({ '/api/tags': plainAnswer(200, JSON.stringify(tags)) }),
    );
    expect(programs).toEqual([
      { product: 'ollama', runtime_id: 'local_native', base_url: upstream.url, models: ['qwen3:4b'], problem: null },
    ]);
  });

  it('says of an Ollama with nothing but cloud models that it has none on this machine', async () => {
    const tags = { models: [{ name: 'huge:cloud', remote_host: 'https://models.example' }] };
    const { programs } = await found('ollama', answering({ '/api/tags': plainAnswer(200, JSON.stringify(tags)) }));
    expect(programs).toMatchObject([
      { models: [], problem: expect.stringContaining('no model on this machine') as string },
    ]);
  });

  it('finds a llama-server by what a real one has answered', async () => {
    const { programs } = await found('llama_server', (call, line) =>
      line.write(
        call.path === '/health' ? HEALTHY : plainAnswer(200, '{"data":[{"id":"/m/tiny.gguf","owned_by":"llamacpp"}]}'),
      ),
    );
    expect(programs).toMatchObject([
      { product: 'llama_server', runtime_id: 'local_server', models: ['/m/tiny.gguf'], problem: null },
    ]);
  });

  it('says that a llama-server is still loading', async () => {
    const loading = plainAnswer(503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}');
    const { programs } = await found('llama_server', (_call, line) => line.write(loading));
    expect(programs).toMatchObject([
      { product: 'llama_server', models: [], problem: expect.stringContaining('loading') as string },
    ]);
  });

  it('says that a llama-server asks for a key, and uses the one that is set', async () => {
    const script: Script = (call, line) =>
      line.write(
        call.path === '/health'
          ? HEALTHY
          : call.headers['authorization'] === 'Bearer secret'
            ? listOf('tiny.gguf')
            : plainAnswer(401, '{"error":{"message":"Invalid API Key"}}'),
      );
    const { programs } = await found('llama_server', script);
    expect(programs).toMatchObject([{ models: [], problem: expect.stringContaining('asks for a key') as string }]);
    const again = await found('llama_server', script, { SIM_LOCAL_SERVER_API_KEY: 'secret' });
    expect(again.programs).toMatchObject([{ models: ['tiny.gguf'], problem: null }]);
  });

  it('finds LM Studio, without its embedding models, and says when it has none loaded', async () => {
    const strange = plainAnswer(200, '{"error":"Unexpected endpoint or method. (GET /health)"}');
    const models = ['qwen3-4b', 'text-embedding-nomic-embed-text-v1.5'];
    const { programs } = await found('lm_studio', answering({ '/health': strange, '/v1/models': listOf(...models) }));
    expect(programs).toMatchObject([
      { product: 'lm_studio', runtime_id: 'local_server', models: ['qwen3-4b'], problem: null },
    ]);
    const empty = await found('lm_studio', answering({ '/health': strange, '/v1/models': listOf() }));
    expect(empty.programs).toMatchObject([
      { models: [], problem: expect.stringContaining('no model loaded') as string },
    ]);
  });

  it('calls a model server that it does not know by no name', async () => {
    const { programs } = await found('llama_server', answering({ '/v1/models': listOf('some-model') }));
    expect(programs).toMatchObject([{ product: 'other', models: ['some-model'] }]);
  });

  it.each<[string, Place['product'], Script]>([
    ['a page', 'llama_server', (_call, line) => line.write(plainAnswer(200, '<html>', 'text/html'))],
    ['something that asks for a password', 'llama_server', (_call, line) => line.write(plainAnswer(401, '{}'))],
    ['something that is no HTTP', 'ollama', (_call, line) => line.write('220 mail ready\r\n')],
    [
      'an endless answer',
      'ollama',
      async (call, line) => {
        await line.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n');
        while (!call.closed.aborted) await line.write(Buffer.alloc(64 * 1024, 32));
      },
    ],
    ['silence', 'lm_studio', () => undefined],
  ])('does not take %s for a model server', async (_what, product, script) => {
    expect((await found(product, script)).programs).toEqual([]);
  });

  it('follows no redirect', async () => {
    const elsewhere = await upstreamOf(answering({ '/api/tags': plainAnswer(200, '{"models":[{"name":"a"}]}') }));
    const { programs } = await found('ollama', (_call, line) =>
      line.write(`HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}/api/tags\r\nContent-Length: 0\r\n\r\n`),
    );
    expect([programs, elsewhere.calls]).toEqual([[], []]);
  });

  it('finds all that is there, side by side, in the order of the places', async () => {
    const ollama = await upstreamOf(answering({ '/api/tags': plainAnswer(200, '{"models":[{"name":"a"}]}') }));
    const silent = await upstreamOf(() => undefined);
    const llama = await upstreamOf(answering({ '/health': HEALTHY, '/v1/models': listOf('b') }));
    const gateway = await gatewayWith([
      { product: 'ollama', base_url: ollama.url },
      { product: 'llama_server', base_url: silent.url },
      { product: 'llama_server', base_url: llama.url },
      { product: 'lm_studio', base_url: 'http://127.0.0.1:1' },
    ]);
    const { found: programs } = FoundPrograms.parse((await gateway.get('/runtime/found')).body);
    expect(programs.map(({ base_url }) => base_url)).toEqual([ollama.url, llama.url]);
  });

  it('reads the recorded answers of a real llama.cpp server', async () => {
    const { programs } = await found('llama_server', (call, line) =>
      line.write(call.path === '/health' ? HEALTHY : capturedResponse('llama-04-models.txt')),
    );
    expect(programs).toHaveLength(1);
  });
});
