import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { temporaryFolder, waitUntil, type TemporaryFolder } from '@parley/shared/testing';
import { ModelInstall, ModelInstallList, type RuntimeModels } from '@parley/shared/contracts';
import { silentLogger } from '@parley/shared/service';
import type { GatewayContext } from '../context';
import type { Provider } from '../providers/provider';
import { systemLookup } from './checked-lookup';
import { freeBytesOf, RESERVE_BYTES } from './free-space';
import { ModelFiles } from './model-files';
import { ModelInstalls } from './model-installs';
import { smallGguf } from '../../testing/small-gguf';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';

const MODEL = smallGguf({ size: 300_000 });
const SHA256 = createHash('sha256').update(MODEL).digest('hex');

let folder: TemporaryFolder;
const opened: (() => Promise<unknown> | void)[] = [];

beforeEach(() => {
  folder = temporaryFolder('models');
});

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  folder.remove();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function fileServer(answer: Answer): Promise<{ url: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges };
}

/** Serves the model, with ranges, under one version. */
const serveModel: Answer = (request, response) => {
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, {
    etag: '"v1"',
    'content-length': MODEL.length - from,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${MODEL.length - 1}/${MODEL.length}` } : {}),
  });
  response.end(MODEL.subarray(from));
};

async function gateway(
  environment: Record<string, string> = {},
  overrides: Partial<GatewayContext> = {},
): Promise<RunningGateway> {
  const own = { SIM_RUNTIME_ID: 'local_server', SIM_DATA_DIR: folder.path, ...environment };
  const running = await startGateway(own, overrides);
  opened.push(() => running.stop());
  return running;
}

async function install(running: RunningGateway, body: unknown): Promise<ModelInstall> {
  const answer = await running.send('POST', '/runtime/models/install', body);
  expect(answer.status).toBe(202);
  return ModelInstall.parse((answer.body as { install: unknown }).install);
}

const ended = (running: RunningGateway, id: string): Promise<ModelInstall> =>
  waitUntil('the install to end', async () => {
    const one = ModelInstall.parse((await running.get(`/runtime/models/installs/${id}`)).body);
    return ['installed', 'failed', 'cancelled'].includes(one.status) ? one : null;
  });

const progressOf = async (running: RunningGateway, id: string): Promise<number> =>
  ModelInstall.parse((await running.get(`/runtime/models/installs/${id}`)).body).bytes_done;

const modelsFolder = (): string => path.join(folder.path, 'models');
const installedFiles = (): string[] => readdirSync(modelsFolder()).filter((name) => !name.startsWith('installs.json'));

describe('installing a GGUF by address', () => {
  it('fetches, verifies and lists it, and deletes it on request', async () => {
    const { url } = await fileServer(serveModel);
    const running = await gateway();
    const begun = await install(running, { url: `${url}/some/tiny-q4.gguf`, sha256: SHA256.toUpperCase() });
    expect(begun).toMatchObject({ model_id: 'tiny-q4.gguf', status: 'queued' });
    expect(await ended(running, begun.id)).toMatchObject({
      status: 'installed',
      bytes_done: MODEL.length,
      bytes_total: MODEL.length,
    });
    expect(installedFiles()).toEqual(['tiny-q4.gguf']);
    expect(readFileSync(path.join(modelsFolder(), 'tiny-q4.gguf')).equals(MODEL)).toBe(true);
    expect(ModelInstallList.parse((await running.get('/runtime/models/installs')).body).installs).toHaveLength(1);
    expect((await running.send('DELETE', '/runtime/models/tiny-q4.gguf')).status).toBe(204);
    expect(installedFiles()).toEqual([]);
    expect(await running.send('DELETE', '/runtime/models/tiny-q4.gguf')).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
  });

  it('fetches nothing when the very file is here, and another one of that name anew', async () => {
    const { url, ranges } = await fileServer(serveModel);
    const running = await gateway();
    const body = { url: `${url}/a.gguf`, sha256: SHA256 };
    expect(await ended(running, (await install(running, body)).id)).toMatchObject({ status: 'installed' });
    expect(await ended(running, (await install(running, body)).id)).toMatchObject({
      status: 'installed',
      bytes_done: MODEL.length,
      bytes_total: MODEL.length,
    });
    expect(ranges).toHaveLength(1);
    writeFileSync(path.join(modelsFolder(), 'a.gguf'), smallGguf({ name: 'Other' }));
    expect(await ended(running, (await install(running, body)).id)).toMatchObject({ status: 'installed' });
    expect(ranges).toEqual([undefined, undefined]);
    expect(readFileSync(path.join(modelsFolder(), 'a.gguf')).equals(MODEL)).toBe(true);
    expect(installedFiles()).toEqual(['a.gguf']);
  });

  it('is listed while no server runs, so that one can be started with it', async () => {
    const running = await gateway({ SIM_LOCAL_SERVER_BASE_URL: 'http://127.0.0.1:9' });
    expect((await running.get('/runtime/models')).status).toBe(503);
    await ended(running, (await install(running, { file: writeModel('own.gguf') })).id);
    expect((await running.get('/runtime/models')).body).toMatchObject({ models: [{ id: 'own.gguf', loaded: false }] });
  });

  it('is beside the server in the list of models, as not loaded', async () => {
    const { url } = await fileServer((_request, response) => response.end('{"data":[{"id":"/models/served.gguf"}]}'));
    const running = await gateway({ SIM_LOCAL_SERVER_BASE_URL: url });
    await waitUntil('the folder', async () => (await install(running, { file: writeModel('own.gguf') })) && true);
    await waitUntil('the file', () => existsSync(path.join(modelsFolder(), 'own.gguf')));
    const { models } = (await running.get('/runtime/models')).body as RuntimeModels;
    expect(models.map((model) => [model.id, model.loaded])).toEqual([
      ['/models/served.gguf', true],
      ['own.gguf', false],
    ]);
    expect(models[1]).toMatchObject({ name: 'Tiny Q4_K_M', context_length: 8192, size_bytes: MODEL.length });
  });

  it('refuses a file whose hash differs and leaves nothing of it', async () => {
    const { url } = await fileServer(serveModel);
    const running = await gateway();
    const { id } = await install(running, { url: `${url}/a.gguf`, sha256: 'a'.repeat(64) });
    expect(await ended(running, id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/SHA-256/) as string,
    });
    expect(installedFiles()).toEqual([]);
  });

  it('fails with what to do and gives the room back when the disk fills up meanwhile, whoever fills it', async () => {
    const { url } = await fileServer((_request, response) => {
      response.write(MODEL);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 1)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const partFile = (): string => path.join(modelsFolder(), 'a.gguf.part');
    const written = (): number => (existsSync(partFile()) ? statSync(partFile()).size : 0);
    const freeBytes = (): Promise<number> => Promise.resolve(RESERVE_BYTES + 20_000_000 - written());
    const running = await gateway({}, { freeBytes });
    const { id } = await install(running, { url: `${url}/a.gguf` });
    expect(await ended(running, id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/disk is nearly full.*free some space, then install it again/) as string,
    });
    await waitUntil('the part to be gone', () => !existsSync(partFile()));
    expect(installedFiles()).toEqual([]);
  });

  it('refuses what is no GGUF file', async () => {
    const { url } = await fileServer((_request, response) => response.end('<html>Please log in</html>'));
    const running = await gateway();
    const { id } = await install(running, { url: `${url}/a.gguf` });
    expect(await ended(running, id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/no GGUF file/) as string,
    });
    expect(installedFiles()).toEqual([]);
  });

  it('continues with Range where a lost connection stopped', async () => {
    let held: ServerResponse | null = null;
    const { url, ranges } = await fileServer((request, response) => {
      if (held !== null) return serveModel(request, response);
      held = response;
      response.writeHead(200, { etag: '"v1"', 'content-length': MODEL.length });
      response.write(MODEL.subarray(0, 100_000));
    });
    const running = await gateway();
    const first = await install(running, { url: `${url}/a.gguf` });
    await waitUntil('some bytes', async () => (await progressOf(running, first.id)) > 0);
    (held as ServerResponse | null)?.destroy();
    expect((await ended(running, first.id)).status).toBe('failed');
    const second = await install(running, { url: `${url}/a.gguf`, sha256: SHA256 });
    expect((await ended(running, second.id)).status).toBe('installed');
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
    expect(readFileSync(path.join(modelsFolder(), 'a.gguf')).equals(MODEL)).toBe(true);
  });

  it('goes on by itself after a restart of the gateway, and never lists the part', async () => {
    let isHeldUp = true;
    const { url, ranges } = await fileServer((request, response) => {
      if (!isHeldUp) return serveModel(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': MODEL.length });
      response.write(MODEL.subarray(0, 100_000));
    });
    const first = await gateway();
    const { id } = await install(first, { url: `${url}/a.gguf` });
    await waitUntil('some bytes', async () => (await progressOf(first, id)) > 0);
    expect(installedFiles()).toEqual(['a.gguf.part']);
    await opened.pop()?.();
    isHeldUp = false;
    const second = await gateway();
    expect((await ended(second, id)).status).toBe('installed');
    expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
    expect(readFileSync(path.join(modelsFolder(), 'a.gguf')).equals(MODEL)).toBe(true);
  });

  it('never joins what two addresses of one file name have left', async () => {
    const models: Record<string, Buffer> = {
      '/a/m.gguf': Buffer.from(MODEL),
      '/b/m.gguf': Buffer.from(MODEL).fill(9, 1000),
    };
    let isCutOff = true;
    const { url } = await fileServer((request, response) => {
      const { url: name = '', headers } = request;
      const model = models[name] ?? MODEL;
      const etag = `"${name}"`;
      const isOfThis = headers['if-range'] === undefined || headers['if-range'] === etag;
      const from = isOfThis ? Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
      response.writeHead(from > 0 ? 206 : 200, {
        etag,
        'content-length': model.length - from,
        ...(from > 0 ? { 'content-range': `bytes ${from}-${model.length - 1}/${model.length}` } : {}),
      });
      if (!isCutOff) return void response.end(model.subarray(from));
      response.write(model.subarray(from, from + 100_000), () => setTimeout(() => response.destroy(), 50));
    });
    const running = await gateway();
    const statusOf = async (name: string): Promise<string> =>
      (await ended(running, (await install(running, { url: url + name })).id)).status;
    expect(await statusOf('/a/m.gguf')).toBe('failed');
    expect(await statusOf('/b/m.gguf')).toBe('failed');
    isCutOff = false;
    expect(await statusOf('/a/m.gguf')).toBe('installed');
    expect(readFileSync(path.join(modelsFolder(), 'm.gguf')).equals(MODEL)).toBe(true);
  });

  it('leaves nothing of a failed install that is forgotten', async () => {
    const { url } = await fileServer((_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': MODEL.length });
      response.write(MODEL.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
    });
    const running = await gateway();
    const older = await install(running, { url: `${url}/a.gguf` });
    expect((await ended(running, older.id)).status).toBe('failed');
    const { id } = await install(running, { url: `${url}/a.gguf` });
    expect((await ended(running, id)).status).toBe('failed');
    expect((await running.send('DELETE', `/runtime/models/installs/${older.id}`)).status).toBe(204);
    expect(installedFiles()).toEqual(['a.gguf.part']);
    expect((await running.send('DELETE', `/runtime/models/installs/${id}`)).status).toBe(204);
    expect(installedFiles()).toEqual([]);
  });

  it('is cancelled on request, and its part removed', async () => {
    const { url } = await fileServer((_request, response) => {
      response.writeHead(200, { 'content-length': MODEL.length });
      response.write(MODEL.subarray(0, 1000));
    });
    const running = await gateway();
    const { id } = await install(running, { url: `${url}/a.gguf` });
    await waitUntil('some bytes', async () => (await progressOf(running, id)) > 0);
    expect(await running.send('POST', '/runtime/models/install', { url: `${url}/b/a.gguf` })).toMatchObject({
      status: 409,
      body: { code: 'MODEL_BUSY' },
    });
    expect(await running.send('DELETE', '/runtime/models/a.gguf')).toMatchObject({
      status: 409,
      body: { code: 'MODEL_BUSY' },
    });
    expect((await running.send('DELETE', `/runtime/models/installs/${id}`)).status).toBe(204);
    expect((await ended(running, id)).status).toBe('cancelled');
    expect(installedFiles()).toEqual([]);
    expect((await running.send('DELETE', `/runtime/models/installs/${id}`)).status).toBe(204);
    expect((await running.get(`/runtime/models/installs/${id}`)).status).toBe(404);
  });

  it('follows redirects, but not to http elsewhere and not round in circles', async () => {
    const { url } = await fileServer((request, response) => {
      if (request.url === '/a.gguf') response.writeHead(302, { location: '/real.gguf' }).end();
      else if (request.url === '/out.gguf') response.writeHead(302, { location: 'http://models.example/x.gguf' }).end();
      else if (request.url === '/round.gguf') response.writeHead(302, { location: '/round.gguf' }).end();
      else serveModel(request, response);
    });
    const running = await gateway();
    expect((await ended(running, (await install(running, { url: `${url}/a.gguf` })).id)).status).toBe('installed');
    expect(await ended(running, (await install(running, { url: `${url}/out.gguf` })).id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/https/) as string,
    });
    expect(await ended(running, (await install(running, { url: `${url}/round.gguf` })).id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/redirects/) as string,
    });
  });

  it.each([
    [
      'a server that sends more than it announced',
      (response: ServerResponse) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/10' });
        response.end(MODEL);
      },
      /more than/,
    ],
    ['a server that has no such file', (response: ServerResponse) => response.writeHead(404).end(), /status 404/],
    [
      'a disk that is too small',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '900000000000000' });
        response.write('GGUF');
      },
      /free some space/,
    ],
  ] as const)('fails clearly with %s', async (_what, answer, message) => {
    const { url } = await fileServer((_request, response) => void answer(response));
    const running = await gateway();
    expect(await ended(running, (await install(running, { url: `${url}/a.gguf` })).id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(message) as string,
    });
  });
});

function writeModel(name: string): string {
  const file = path.join(folder.path, name);
  writeFileSync(file, MODEL);
  return file;
}

/** Installs without a gateway around them. */
function bareInstalls(newId: () => string = randomUUID): ModelInstalls {
  const provider = { uses_model_files: true } as unknown as Provider;
  const installs = new ModelInstalls({
    files: new ModelFiles(modelsFolder()),
    runtime: { provider, takesModelFiles: true, use: (work) => work(provider) },
    logger: silentLogger(),
    newId,
    lookup: systemLookup,
    freeBytes: freeBytesOf,
  });
  opened.push(() => installs.close());
  return installs;
}

describe('installing from a file', () => {
  it('copies it into the models folder', async () => {
    const running = await gateway();
    const { id } = await install(running, { file: writeModel('My Model (v2).gguf') });
    expect((await ended(running, id)).model_id).toBe('My-Model-v2-.gguf');
    expect(readFileSync(path.join(modelsFolder(), 'My-Model-v2-.gguf')).equals(MODEL)).toBe(true);
  });

  it('is cancelled at once, also in the middle of a large file, and nothing of it stays', async () => {
    const large = writeModel('large.gguf');
    truncateSync(large, 2_000_000_000);
    const running = await gateway();
    const { id } = await install(running, { file: large });
    await waitUntil('some bytes', async () => (await progressOf(running, id)) > 0);
    const begun = performance.now();
    expect((await running.send('DELETE', `/runtime/models/installs/${id}`)).status).toBe(204);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(await ended(running, id)).toMatchObject({ status: 'cancelled', message: null });
    expect(installedFiles()).toEqual([]);
  });

  it('fails clearly when the disk is too small, before anything is written', async () => {
    const huge = writeModel('huge.gguf');
    const { bavail, bsize } = statfsSync(folder.path);
    truncateSync(huge, bavail * bsize);
    const running = await gateway();
    expect(await ended(running, (await install(running, { file: huge })).id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/free some space/) as string,
    });
    expect(installedFiles()).toEqual([]);
  });

  it('fails with what to do and leaves nothing when the disk fills up in the middle of it', async () => {
    const large = writeModel('large.gguf');
    truncateSync(large, 200_000_000);
    let looks = 0;
    // Room for all of it at first, then somebody else takes it.
    const freeBytes = (): Promise<number> => Promise.resolve((looks += 1) > 3 ? 1_000 : RESERVE_BYTES + 300_000_000);
    const running = await gateway({}, { freeBytes });
    expect(await ended(running, (await install(running, { file: large })).id)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/disk is nearly full.*free some space, then install it again/) as string,
    });
    await waitUntil('the part to be gone', () => installedFiles().length === 0);
  });

  it('refuses the same model twice at the same moment', async () => {
    const file = writeModel('twice.gguf');
    const installs = bareInstalls();
    const outcomes = await Promise.allSettled([installs.begin({ file }), installs.begin({ file })]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is cancelled, too, while it is just beginning', async () => {
    const file = writeModel('begun.gguf');
    let cancelled: Promise<void> | undefined;
    const installs = bareInstalls(() => {
      // As soon as it is listed.
      queueMicrotask(() => (cancelled = installs.cancel('begun')));
      return 'begun';
    });
    await installs.begin({ file });
    await cancelled;
    await installs.close();
    expect(installs.list()).toMatchObject([{ status: 'cancelled' }]);
    expect(installedFiles()).toEqual([]);
  });

  it('fails, and can be forgotten, when the list that was kept names what can be no file', async () => {
    const record = {
      install: {
        id: randomUUID(),
        model_id: 'a..gguf',
        status: 'queued',
        bytes_done: 0,
        bytes_total: null,
        message: null,
      },
      source: { kind: 'file', path: writeModel('a.gguf') },
    };
    mkdirSync(modelsFolder(), { recursive: true });
    writeFileSync(path.join(modelsFolder(), 'installs.json'), JSON.stringify([record]));
    const running = await gateway();
    expect((await ended(running, record.install.id)).status).toBe('failed');
    await waitUntil('it to be forgotten', async () => {
      const { status } = await running.send('DELETE', `/runtime/models/installs/${record.install.id}`);
      return status === 404;
    });
  });

  it('answers the repeat under an Idempotency-Key as the first, and refuses another file under it', async () => {
    const running = await gateway();
    const source = path.join(folder.path, 'mine.gguf');
    writeFileSync(source, MODEL);
    const begin = (file: string, key = 'install-0001') =>
      running.send('POST', '/runtime/models/install', { file }, { 'idempotency-key': key });
    const [first, joined] = await Promise.all([begin(source), begin(source)]);
    expect([first.status, joined.body]).toEqual([202, first.body]);
    const { id } = (first.body as { install: ModelInstall }).install;
    await ended(running, id);
    expect(await begin(source)).toEqual(first);
    expect((await begin(`${source}.other`)).body).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await begin(source, 'short')).status).toBe(400);
    const { installs } = ModelInstallList.parse((await running.get('/runtime/models/installs')).body);
    expect(installs.map((one) => one.id)).toEqual([id]);
  });

  it('refuses a path where there is no file, or none that is a model', async () => {
    const running = await gateway();
    const none = await running.send('POST', '/runtime/models/install', { file: '/nowhere/at/all.gguf' });
    expect(none).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    const text = path.join(folder.path, 'text.gguf');
    writeFileSync(text, 'just text');
    expect(await running.send('POST', '/runtime/models/install', { file: text })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/no GGUF/) as string },
    });
  });
});
