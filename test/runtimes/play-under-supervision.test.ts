import { ROUTES } from '@parley/shared/contracts';
import { callRoute } from '@parley/shared/client';
import { npcTurnJson } from '@parley/shared/testing';
import { NARRATIVE, scriptedModelServer, SupervisedSet } from '../set';
import { nativeModelServer } from './native-model-server';

/** Starts and stops real processes under PM2, perhaps on a busy machine. */
jest.setTimeout(180_000);

const SAID = 'I can look at 50,000 in January. What would you need from me until then?';
const TURN = npcTurnJson({ npc_utterance: SAID });

/** Plays three turns and the debrief over HTTP and checks that both are the model's own. */
async function plays(url: string): Promise<void> {
  const { id } = await callRoute(url, ROUTES.createSession, { body: { scenario_id: 'kitchen_rota' } });
  await callRoute(url, ROUTES.startSession, { params: { id } });
  // The model words a debrief from three lines on.
  for (const text of ['Can we talk about the kitchen?', 'It is about the pot.', 'Good night, then.']) {
    const turn = await callRoute(url, ROUTES.takeTurn, { params: { id }, body: { text } });
    expect(turn).toMatchObject({ used_fallback: false, npc_turn: { text: SAID } });
  }
  await callRoute(url, ROUTES.endSession, { params: { id } });
  const debrief = await callRoute(url, ROUTES.createDebrief, { params: { id } }, { timeoutMs: 60_000 });
  expect(debrief).toMatchObject({ used_fallback: false, summary: NARRATIVE.summary });
}

describe('a play under PM2, as npm start runs it', () => {
  let set: SupervisedSet;
  beforeEach(async () => {
    set = await SupervisedSet.forNewSet();
  });
  afterEach(() => set.end());

  it('goes on a llama.cpp-like server', async () => {
    const model = await scriptedModelServer();
    model.answer((isDebrief) => ({ kind: 'says', text: isDebrief ? JSON.stringify(NARRATIVE) : TURN }));
    set.settings = { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url };
    const started = await set.start();
    expect([started.code, started.stdout]).toEqual([0, expect.stringContaining('Parley is ready')]);
    await plays(set.url);
    await model.close();
  });

  it('goes on an Ollama-like server', async () => {
    const model = await nativeModelServer((chat) =>
      JSON.stringify(chat).includes('replay_suggestions') ? JSON.stringify(NARRATIVE) : TURN,
    );
    set.settings = { SIM_RUNTIME_ID: 'local_native', SIM_NATIVE_SERVER_BASE_URL: model.url };
    expect((await set.start()).code).toBe(0);
    await plays(set.url);
    await model.close();
  });
});
