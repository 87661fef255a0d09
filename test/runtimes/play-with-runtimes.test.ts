import { spawn } from 'node:child_process';
import path from 'node:path';
import { freePorts, npcTurnJson, waitUntil } from '@parley/shared/testing';
import { NARRATIVE, ParleySet, PROJECT_ROOT, say, scriptedModelServer, startedSession, type ModelAnswer } from '../set';
import { nativeModelServer } from './native-model-server';

const SAID = 'I can look at 50,000 in January. What would you need from me until then?';
const TURN = npcTurnJson({ npc_utterance: SAID });

const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function setWith(options: Parameters<typeof ParleySet.start>[0]): Promise<ParleySet> {
  const set = await ParleySet.start(options);
  opened.push(() => set.stop());
  return set;
}

/** Plays a turn and the debrief and checks that both are the model's own. */
async function playsWith(set: ParleySet): Promise<void> {
  const { id } = await startedSession(set);
  const reply = await say(set, id, 'What limits you, and who decides about it?');
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ used_fallback: false, npc_turn: { text: SAID } });
  await set.ask('endSession', { params: { id } });
  const debrief = await set.ask('createDebrief', { params: { id } });
  expect(debrief).toMatchObject({ used_fallback: false, summary: NARRATIVE.summary });
}

const openAi = async (): ReturnType<typeof scriptedModelServer> => {
  const model = await scriptedModelServer();
  opened.push(() => model.close());
  model.answer((isDebrief): ModelAnswer => ({ kind: 'says', text: isDebrief ? JSON.stringify(NARRATIVE) : TURN }));
  return model;
};

describe('a play on real processes', () => {
  it('goes on a server with an OpenAI-style chat API', async () => {
    const model = await openAi();
    const set = await setWith({
      environment: { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url },
    });
    await playsWith(set);
    expect(await set.ask('getHealth', {})).toMatchObject({ runtime: { runtime_id: 'local_server', status: 'READY' } });
  });

  it('goes on a server with the native API, with its local model only', async () => {
    const model = await nativeModelServer((chat) =>
      JSON.stringify(chat).includes('replay_suggestions') ? JSON.stringify(NARRATIVE) : TURN,
    );
    opened.push(() => model.close());
    const set = await setWith({
      environment: { SIM_RUNTIME_ID: 'local_native', SIM_NATIVE_SERVER_BASE_URL: model.url },
    });
    await playsWith(set);
    expect(model.chats.map((chat) => chat['model'])).toEqual(['small:1b', 'small:1b']);
    expect(await set.ask('listModels', {})).toMatchObject({
      active_model_id: 'small:1b',
      models: [{ id: 'small:1b' }],
    });
  });

  it('goes through another gateway that SIM_GATEWAY_URL names', async () => {
    const model = await openAi();
    const [port = 0] = await freePorts(1);
    const example = path.join(PROJECT_ROOT, 'docs', 'gateway', 'example-gateway.cjs');
    const child = spawn(process.execPath, [example], {
      env: { PATH: process.env['PATH'], EXAMPLE_PORT: String(port), EXAMPLE_MODEL_SERVER: model.url },
      stdio: 'ignore',
    });
    opened.push(() => new Promise((resolve) => (child.once('exit', resolve), child.kill())));
    const gatewayUrl = `http://127.0.0.1:${port}`;
    await waitUntil('the example to listen', async () => (await fetch(`${gatewayUrl}/runtime`)).ok);
    await playsWith(await setWith({ gatewayUrl }));
  });

  it('goes on with what was chosen, over restarts of the gateway and of session-api, and nothing else plays', async () => {
    const model = await openAi();
    const set = await setWith({});
    expect(await set.ask('getRuntimeChoice', {})).toMatchObject({ runtime_id: 'fake', decided_by: 'default' });
    const { id } = await startedSession(set);
    await set.ask('putRuntimeChoice', { body: { runtime_id: 'local_server', base_url: model.url } });
    expect((await say(set, id, 'What limits you, and who decides about it?')).body).toMatchObject({
      npc_turn: { text: SAID },
    });
    for (const service of ['runtime_gateway', 'session_api'] as const) {
      await set.restart(service);
      expect(await set.ask('getRuntimeChoice', {})).toMatchObject({ runtime_id: 'local_server', decided_by: 'choice' });
      await playsWith(set);
    }
    await set.kill('runtime_gateway');
    expect(await set.ask('getHealth', {})).toMatchObject({
      runtime: { runtime_id: 'local_server', status: 'UNAVAILABLE' },
    });
    await set.startProcess('runtime_gateway');
    expect((await set.ask('tryRuntime', {})).text).toContain(SAID.slice(0, 20));
  });
});
