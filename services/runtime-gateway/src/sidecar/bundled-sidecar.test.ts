import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Sidecar } from '@parley/shared/contracts';
import { describeWithModelServer, freePorts, tinyModel, waitUntil } from '@parley/shared/testing';
import { startGateway, type RunningGateway } from '../../testing/gateway-caller';

describeWithModelServer('the model server that comes with Parley, as the sidecar', () => {
  const SCHEMA = {
    type: 'object',
    properties: {
      npc_utterance: { type: 'string', minLength: 1, maxLength: 60 },
      trust: { type: 'integer', minimum: -3, maximum: 3 },
    },
    required: ['npc_utterance', 'trust'],
    additionalProperties: false,
  };
  let gateway: RunningGateway;
  afterEach(() => gateway.stop());

  it('is found without a setting, loads an installed model and plays with it', async () => {
    const [port = 0] = await freePorts(1);
    gateway = await startGateway({
      SIM_RUNTIME_ID: 'local_server',
      SIM_LOCAL_SERVER_BASE_URL: `http://127.0.0.1:${port}`,
      SIM_LOCAL_SERVER_CONTEXT_LENGTH: '2048',
    });
    expect((await gateway.get('/runtime/model-server')).body).toMatchObject({
      installed: true,
      command_found: 'bundled',
    });
    mkdirSync(path.join(gateway.dataDir, 'models'));
    writeFileSync(path.join(gateway.dataDir, 'models', 'tiny.gguf'), tinyModel());
    await gateway.send('POST', '/runtime/sidecar/start', { model_id: 'tiny.gguf' });
    await waitUntil('the sidecar to run', async () => {
      const { status, last_exit } = Sidecar.parse((await gateway.get('/runtime/sidecar')).body);
      if (status === 'failed') throw new Error(last_exit?.message ?? 'failed');
      return status === 'running';
    });
    expect((await gateway.get('/runtime/models')).body).toMatchObject({
      models: [{ id: 'tiny.gguf', context_length: 2048, loaded: true }],
    });
    const { items } = await gateway.chat({ json_schema: SCHEMA });
    const last = items.at(-1);
    if (last?.type !== 'final') throw new Error(JSON.stringify(last));
    expect(typeof last.structured?.['npc_utterance']).toBe('string');
    expect(last.usage?.prompt_tokens_evaluated).toBeGreaterThan(0);
    const ahead = { messages: [{ role: 'user', content: 'The rent is late again and the heating is broken.' }] };
    expect((await gateway.send('POST', '/runtime/prewarm', ahead)).status).toBe(204);
    const again = (await gateway.chat(ahead as Parameters<RunningGateway['chat']>[0])).items.at(-1);
    expect(again?.type === 'final' && again.usage?.prompt_tokens_evaluated).toBe(1);
  });
});
