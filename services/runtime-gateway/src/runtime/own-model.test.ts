import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FoundPrograms, ModelInstall, ModelInstallAnswer, Sidecar, type Problem } from '@parley/shared/contracts';
import { freePorts, waitUntil } from '@parley/shared/testing';
import type { Sidecar as SidecarProcess } from '../sidecar/sidecar';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';
import { plainAnswer, startScriptedUpstream } from '../conformance/scripted-upstream';
import { smallGguf } from '../../testing/small-gguf';

const opened: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await (one.stop?.() ?? one.close?.());
});

async function started(...parameters: Parameters<typeof startGateway>): Promise<RunningGateway> {
  const gateway = await startGateway(...parameters);
  opened.push(gateway);
  return gateway;
}

describe('a model of one’s own while the demo voice plays', () => {
  const SERVER = path.join(__dirname, '..', '..', 'testing', 'scripted-model-server.cjs');

  it('is installed, started and tried on its address with its key, and then chosen', async () => {
    const [port = 0] = await freePorts(1);
    const base_url = `http://127.0.0.1:${port}`;
    const gateway = await started(
      { SIM_SIDECAR_COMMAND: `"${process.execPath}" "${SERVER}"`, SIM_LOCAL_SERVER_BASE_URL: base_url },
      { places: [{ product: 'llama_server', base_url }] },
    );
    const file = path.join(gateway.dataDir, 'mine.gguf');
    writeFileSync(file, smallGguf());
    const begun = await gateway.send('POST', '/runtime/models/install', { file });
    const { install } = ModelInstallAnswer.parse(begun.body);
    await waitUntil('the model to be installed', async () => {
      const { body } = await gateway.get(`/runtime/models/installs/${install.id}`);
      return ModelInstall.parse(body).status === 'installed';
    });
    expect((await gateway.get('/runtime')).body).toMatchObject({ id: 'fake' });
    await gateway.send('POST', '/runtime/sidecar/start', { model_id: install.model_id });
    await waitUntil(
      'it to run',
      async () => Sidecar.parse((await gateway.get('/runtime/sidecar')).body).status === 'running',
    );
    const { found } = FoundPrograms.parse((await gateway.get('/runtime/found')).body);
    expect(found).toMatchObject([{ product: 'llama_server', base_url, problem: null }]);
    await gateway.send('PUT', '/runtime/choice', { runtime_id: 'local_server' });
    expect((await gateway.chat()).items.at(-1)).toMatchObject({ type: 'final', text: 'All right.' });
  });

  it('is not installed where SIM_RUNTIME_ID decides that the demo voice plays', async () => {
    const gateway = await started({ SIM_RUNTIME_ID: 'fake' });
    const { status, body } = await gateway.send('POST', '/runtime/models/install', { file: '/nowhere.gguf' });
    expect([status, (body as Problem).code]).toEqual([409, 'NOT_SUPPORTED_BY_RUNTIME']);
  });

  it('keeps its key from every other address', async () => {
    const other = await startScriptedUpstream((_call, line) => line.write(plainAnswer(200, '{}')));
    opened.push(other);
    const gateway = await started(
      {},
      {
        sidecar: {
          serverKey: 'secret',
          sweep: () => undefined,
          resume: () => Promise.resolve(),
          close: () => Promise.resolve(),
        } as unknown as SidecarProcess,
      },
    );
    await gateway.send('PUT', '/runtime/choice', { runtime_id: 'local_server', base_url: other.url });
    await gateway.chat();
    await gateway.get('/runtime/models');
    expect(other.calls).toHaveLength(2);
    expect(other.calls.map((call) => call.headers['authorization'])).toEqual(other.calls.map(() => undefined));
  });
});
