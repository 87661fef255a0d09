import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWithModelServer, freePorts, MODEL_SERVER_PROGRAM, tinyModel, waitUntil } from '@parley/shared/testing';
import { isAlive, parentOf, ParleySet, say, startedSession, transcriptOf } from '../set';

const LINE = 'What limits you, and who decides about it?';
/** Three seconds on an idle machine; one with other work on it takes longer to start any process. */
const BACK_MS = 15_000;

describeWithModelServer('a model server that Parley runs, in the middle of a turn', () => {
  let set: ParleySet;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    set = await ParleySet.start({
      environment: {
        SIM_RUNTIME_ID: 'local_server',
        SIM_LOCAL_SERVER_BASE_URL: `http://127.0.0.1:${port}`,
        SIM_LOCAL_SERVER_CONTEXT_LENGTH: '16384',
        SIM_SIDECAR_COMMAND: `"${process.execPath}" "${MODEL_SERVER_PROGRAM}"`,
      },
    });
    const models = path.join(set.folder.path, 'models');
    mkdirSync(models, { recursive: true });
    writeFileSync(
      path.join(models, 'tiny.gguf'),
      tinyModel({ dimension: 256, layers: 4, heads: 4, feedForward: 704, context: 16384 }),
    );
    await set.ask('startSidecar', { body: { model_id: 'tiny.gguf' } });
    await runs();
  });
  afterAll(() => set.stop());

  const sidecar = () => set.ask('getSidecar', {});
  const runs = (): Promise<number> =>
    waitUntil('the model server to run', async () => {
      const { status, pid } = await sidecar();
      if (status === 'failed') throw new Error((await set.ask('getSidecarLog', {})).lines.join('\n'));
      return status === 'running' ? pid : null;
    });

  it.each(['the model server', 'its guard', 'the gateway'] as const)(
    'ends the turn with 503 when %s is killed, stores nothing, and is back without an orphan',
    async (victim) => {
      const { id } = await startedSession(set);
      const before = (await transcriptOf(set, id)).turns.length;
      const pid = await runs();
      const guard = parentOf(pid);
      const socket = await set.socket(id);
      const turn = say(set, id, LINE);
      await waitUntil('the turn to run', async () => {
        const text = await (await fetch(`${set.urlOf('runtime_gateway')}/metrics`)).text();
        return /parley_generation_slots\{state="running"\} [1-9]/.test(text) || socket.types().includes('npc.token');
      });
      if (victim === 'the gateway') await set.kill('runtime_gateway');
      else process.kill(victim === 'its guard' ? guard : pid, 'SIGKILL');
      const killed = performance.now();
      const { status } = await turn;
      expect(status).toBe(503);
      expect((await transcriptOf(set, id)).turns).toHaveLength(before);
      // As the supervisor does.
      if (victim === 'the gateway') await set.startProcess('runtime_gateway');
      const next = await waitUntil('another model server', async () => {
        const state = await sidecar();
        return state.status === 'running' && state.pid !== pid ? state.pid : null;
      });
      const backMs = performance.now() - killed;
      process.stdout.write(`back ${Math.round(backMs)} ms after ${victim} was killed\n`);
      await waitUntil('no orphan', () => !isAlive(pid) && !isAlive(guard));
      expect(isAlive(next)).toBe(true);
      expect(backMs).toBeLessThan(BACK_MS);
      expect((await say(set, id, LINE)).status).toBe(200);
    },
  );
});
