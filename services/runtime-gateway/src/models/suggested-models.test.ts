import { ModelInstall, SuggestedModels } from '@parley/shared/contracts';
import { waitUntil } from '@parley/shared/testing';
import { startGateway } from '../../testing/gateway-caller';
import { refusalOf } from './address-rules';
import { fileNameOf } from './install-source';
import { SUGGESTED_MODELS } from './suggested-models';

const GGUF_FILES = SUGGESTED_MODELS.flatMap(({ gguf, size_gb }) => (gguf === null ? [] : [{ ...gguf, size_gb }]));

describe('suggested models', () => {
  it('match their contract and suit machines with 4, 8 and 16 GB', () => {
    expect(SuggestedModels.safeParse({ models: SUGGESTED_MODELS }).success).toBe(true);
    expect([...new Set(SUGGESTED_MODELS.map((model) => model.memory_gb))]).toEqual([4, 8, 16]);
  });

  it('fit into their machine beside everything else, are openly licensed and differ', () => {
    for (const model of SUGGESTED_MODELS) {
      expect(model.size_gb).toBeLessThanOrEqual(model.memory_gb * 0.6);
      expect(['Apache-2.0', 'MIT']).toContain(model.license);
    }
    expect(new Set(SUGGESTED_MODELS.map((model) => model.pull)).size).toBe(SUGGESTED_MODELS.length);
    expect(new Set(GGUF_FILES.map(({ url }) => url)).size).toBe(GGUF_FILES.length);
  });

  it('have a GGUF file for each size of machine', () => {
    const withFile = SUGGESTED_MODELS.filter(({ gguf }) => gguf !== null);
    expect(withFile.map(({ memory_gb }) => memory_gb)).toEqual([4, 8, 16]);
  });

  it.each(GGUF_FILES)('name $file at one commit of its makers, over https, with its checksum and size', (gguf) => {
    const url = new URL(gguf.url);
    expect([url.protocol, url.host, url.search]).toEqual(['https:', 'huggingface.co', '']);
    expect(url.pathname).toMatch(new RegExp(`^/${gguf.repository}/resolve/[0-9a-f]{40}/${gguf.file}$`));
    expect(refusalOf(url, url)).toBeNull();
    expect(fileNameOf(url.pathname)).toBe(gguf.file);
    expect(gguf.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(Number((gguf.size_bytes / 1e9).toFixed(1))).toBe(gguf.size_gb);
  });

  it('are not asked for anywhere by being listed; installing one asks for its host', async () => {
    const asked: string[] = [];
    const gateway = await startGateway(
      { SIM_RUNTIME_ID: 'local_server' },
      {
        lookup: (host) => {
          asked.push(host);
          return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
        },
      },
    );
    const { models } = SuggestedModels.parse((await gateway.get('/runtime/models/suggested')).body);
    expect(models).toEqual(SUGGESTED_MODELS);
    expect(asked).toEqual([]);
    const { url = '', sha256 = '', file = '' } = { ...models[0]?.gguf };
    const begun = await gateway.send('POST', '/runtime/models/install', { url, sha256 });
    const { id, model_id } = ModelInstall.parse((begun.body as { install: unknown }).install);
    expect(model_id).toBe(file);
    await waitUntil('the install to end', async () => {
      const { status } = ModelInstall.parse((await gateway.get(`/runtime/models/installs/${id}`)).body);
      return status === 'failed';
    });
    expect(asked).toEqual(['huggingface.co']);
    await gateway.stop();
  });
});
