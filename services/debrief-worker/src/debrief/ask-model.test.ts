import { Debrief, ServiceError } from '@parley/shared/contracts';
import type { JobRow } from '@parley/shared/store';
import { inPieces, stubService } from '@parley/shared/testing';
import { AT, narrativeJson, playedSession, readyDebrief, workerSet, type WorkerSet } from '../../testing/worker-set';

let set: WorkerSet;
beforeEach(async () => {
  set = await workerSet();
  set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(narrativeJson()) }));
});
afterEach(() => set.remove());

const job = async (): Promise<JobRow> => (await set.database.knex('jobs').first()) as JobRow;

describe('when the model is of no help', () => {
  const refused = async (code: 'RUNTIME_UNAVAILABLE' | 'RUNTIME_ERROR'): Promise<Debrief> => {
    set.gateway.reply(() => ({ kind: 'refuse', code }));
    const id = await playedSession(set);
    await set.start();
    return readyDebrief(set, id);
  };

  it.each(['RUNTIME_UNAVAILABLE', 'RUNTIME_ERROR'] as const)(
    'writes the debrief from the scores after three calls that fail with %s',
    async (code) => {
      const debrief = Debrief.parse(await refused(code));
      expect(debrief).toMatchObject({ used_fallback: true, model_id: null });
      expect(debrief.summary.length).toBeGreaterThan(20);
      expect(set.gateway.requests).toHaveLength(3);
    },
  );

  it('writes it from the scores when the gateway cannot be reached at all', async () => {
    const id = await playedSession(set);
    await set.start({ peers: { runtime_gateway: 'http://127.0.0.1:1' } });
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
    expect((await job()).attempts).toBe(1);
  });

  it.each([
    ['prose', 'I would rather not.'],
    ['a narrative without a usable sentence', narrativeJson({ summary: 'You said "never in a million years".' })],
    ['nothing', ''],
  ])('writes it from the scores when all it gets is %s', async (_name, text) => {
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(text) }));
    const id = await playedSession(set);
    await set.start();
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
  });

  it('takes the second answer when the first was of no use', async () => {
    set.gateway.reply((_request, call) => ({
      kind: 'text',
      pieces: [call === 1 ? '{"summary": 7' : narrativeJson()],
    }));
    const id = await playedSession(set);
    await set.start();
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: false, model_id: 'scripted' });
    expect(set.gateway.requests).toHaveLength(2);
  });

  it('does not wait again for a model that stalled', async () => {
    set.gateway.reply(() => ({ kind: 'hang', pieces: ['{"summary"'] }));
    const id = await playedSession(set);
    await set.start({ config: { quiet_seconds: 0.2 } });
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
    expect(set.gateway.requests).toHaveLength(1);
  });

  it('waits for a runtime that is still loading', async () => {
    let calls = 0;
    const loading = await stubService('runtime_gateway', {
      getRuntimeHealth: () => ({
        body: {
          runtime_id: 'x',
          runtime_name: 'X',
          status: 'STARTING',
          model_id: null,
          latency_ms: null,
          message: null,
          checked_at: AT,
        },
      }),
      listRuntimeModels: () => ({ body: { models: [] } }),
      chat: () => {
        calls += 1;
        if (calls < 9) throw new ServiceError('RUNTIME_UNAVAILABLE', 'It is loading.');
        const item = {
          type: 'final',
          text: narrativeJson(),
          model_id: 'late',
          input_tokens: null,
          output_tokens: null,
          structured: null,
        };
        return { headers: { 'Content-Type': 'application/x-ndjson' }, content: `${JSON.stringify(item)}\n` };
      },
    });
    const id = await playedSession(set);
    await set.start({ peers: { runtime_gateway: loading.url } });
    expect(await readyDebrief(set, id)).toMatchObject({ model_id: 'late', used_fallback: false });
    await loading.close(0);
  });

  it('leaves the model out of a job that failed too often', async () => {
    const id = await playedSession(set);
    await set.database.knex('jobs').update({ attempts: 3 });
    await set.start();
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
    expect(set.gateway.requests).toEqual([]);
  });
});
