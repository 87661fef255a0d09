import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ModelInstall } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { smallGguf } from '../../services/runtime-gateway/testing/small-gguf';
import { scriptedModelServer, startParleySet, type ModelServer, type ParleySet } from '../set';
import { HeldFileServer } from './held-file-server';

const MODEL = smallGguf({ size: 300_000 });
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a download of a model whose gateway is killed with SIGKILL', () => {
  let model: ModelServer;
  let server: HeldFileServer;
  let set: ParleySet;
  /** Every id that a list of models ever held. */
  let everListed: Set<string>;

  beforeEach(async () => {
    everListed = new Set();
    model = await scriptedModelServer();
    server = await HeldFileServer.start(MODEL);
    set = await startParleySet({
      environment: { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url },
    });
  });
  afterEach(async () => {
    await set.stop();
    await server.close();
    model.close();
  });

  const file = (): string => path.join(set.folder.path, 'models', 'tiny.gguf');
  const part = (): string => `${file()}.part`;
  const partSize = (): number => (existsSync(part()) ? statSync(part()).size : 0);
  const listed = async (): Promise<string[]> => {
    const { models } = await set.ask('listModels', {});
    for (const { id } of models) everListed.add(id);
    return models.map(({ id }) => id);
  };
  const begin = async (hash?: string): Promise<string> => {
    const body = { url: `${server.url}/tiny.gguf`, ...(hash === undefined ? {} : { sha256: hash }) };
    return (await set.ask('installModel', { body })).install.id;
  };
  const partHas = (bytes: number) => waitUntil(`${bytes} bytes in the part`, () => partSize() === bytes);
  const ended = (id: string): Promise<ModelInstall> =>
    waitUntil('the install to end', async () => {
      const one = await set.ask('getInstall', { params: { id } });
      return ['installed', 'failed', 'cancelled'].includes(one.status) ? one : null;
    });
  /** Kills the gateway and sees that what it had fetched is still there. */
  const kill = async (bytes: number): Promise<void> => {
    expect(await set.kill('runtime_gateway', 'SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    expect([partSize(), existsSync(file())]).toEqual([bytes, false]);
  };

  it('goes on from the bytes on disk each time, fetches none twice, and lists the model only when it is whole', async () => {
    server.holdAfter(100_000);
    const id = await begin(sha256(MODEL));
    await partHas(100_000);
    expect(await listed()).toEqual(['small']);
    await kill(100_000);

    server.holdAfter(200_000);
    await set.startProcess('runtime_gateway');
    await partHas(200_000);
    expect(await listed()).toEqual(['small']);
    expect(await set.ask('getInstall', { params: { id } })).toMatchObject({
      status: 'downloading',
      bytes_total: MODEL.length,
    });
    await kill(200_000);

    server.holdAfter(MODEL.length - 1);
    await set.startProcess('runtime_gateway');
    await partHas(MODEL.length - 1);
    expect(await listed()).toEqual(['small']);
    server.release();
    expect(await ended(id)).toMatchObject({
      status: 'installed',
      bytes_done: MODEL.length,
      bytes_total: MODEL.length,
    });

    expect(server.requests).toEqual([
      { range: null, ifRange: null },
      { range: 'bytes=100000-', ifRange: '"first"' },
      { range: 'bytes=200000-', ifRange: '"first"' },
    ]);
    expect(server.sent).toBe(MODEL.length);
    expect(sha256(readFileSync(file()))).toBe(sha256(MODEL));
    expect(existsSync(part())).toBe(false);
    expect(await listed()).toEqual(['small', 'tiny.gguf']);
    expect([...everListed]).toEqual(['small', 'tiny.gguf']);
  });

  it('begins anew when the file at the address was replaced meanwhile, instead of joining two files', async () => {
    const other = smallGguf({ name: 'Other', size: 310_000 });
    server.holdAfter(100_000);
    const id = await begin();
    await partHas(100_000);
    await kill(100_000);
    server.replace(other);
    server.release();
    await set.startProcess('runtime_gateway');
    expect((await ended(id)).status).toBe('installed');
    expect(server.requests.at(-1)).toEqual({ range: 'bytes=100000-', ifRange: '"first"' });
    expect(readFileSync(file()).equals(other)).toBe(true);
  });

  it('fetches nothing again when every byte was here and only the check was missing', async () => {
    server.announcesLength = false;
    server.holdAfter(MODEL.length);
    const id = await begin(sha256(MODEL));
    await partHas(MODEL.length);
    await kill(MODEL.length);
    await set.startProcess('runtime_gateway');
    expect(await ended(id)).toMatchObject({ status: 'installed', bytes_done: MODEL.length });
    expect(server.sent).toBe(MODEL.length);
    expect(readFileSync(file()).equals(MODEL)).toBe(true);
  });
});
