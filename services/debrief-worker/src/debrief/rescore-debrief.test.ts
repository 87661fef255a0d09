import { callRoute } from '@parley/shared/client';
import { ServiceError, ROUTES } from '@parley/shared/contracts';
import { findDebrief, findSession, updateDebrief } from '@parley/shared/store';
import { inPieces } from '@parley/shared/testing';
import { narrativeJson, playedSession, readyDebrief, workerSet, type WorkerSet } from '../../testing/worker-set';

describe('scoring a session again', () => {
  let set: WorkerSet;
  beforeEach(async () => {
    set = await workerSet();
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(narrativeJson()) }));
  });
  afterEach(() => set.remove());

  it('gives the same document when nothing has changed, however often it is done, and asks no model', async () => {
    const id = await playedSession(set);
    const worker = await set.start();
    const debrief = await readyDebrief(set, id);
    const asked = set.gateway.requests.length;
    const url = `http://127.0.0.1:${worker.port}`;
    for (let time = 0; time < 2; time += 1)
      expect(await callRoute(url, ROUTES.rescoreDebrief, { params: { id } })).toEqual(debrief);
    expect(await findDebrief(set.database, id)).toEqual(debrief);
    expect(set.gateway.requests.length).toBe(asked);
  });

  it('puts right what the stored scores had wrong, and keeps the narrative', async () => {
    const id = await playedSession(set);
    const worker = await set.start();
    const debrief = await readyDebrief(set, id);
    const wrong = { ...debrief, overall_score: 3, dimensions: [], turning_points: [] };
    await set.database.write((transaction) => updateDebrief(transaction, wrong));
    const again = await callRoute(`http://127.0.0.1:${worker.port}`, ROUTES.rescoreDebrief, { params: { id } });
    expect(again).toEqual(debrief);
    expect((await findSession(set.database, id))?.overall_score).toBe(debrief.overall_score);
  });

  it('leaves the debrief as it is when the pack with the rubric was removed', async () => {
    const id = await playedSession(set);
    const worker = await set.start();
    const debrief = await readyDebrief(set, id);
    set.packs.answer = () => {
      throw new ServiceError('SCENARIO_NOT_FOUND', 'No such scenario.');
    };
    const url = `http://127.0.0.1:${worker.port}`;
    expect(await callRoute(url, ROUTES.rescoreDebrief, { params: { id } })).toEqual(debrief);
    expect(await findDebrief(set.database, id)).toEqual(debrief);
  });

  it('says what is missing of a session without a debrief, and of one that is gone', async () => {
    const worker = await set.start();
    const url = `http://127.0.0.1:${worker.port}`;
    const params = { id: 'nobodynobodynobodynobody' };
    await expect(callRoute(url, ROUTES.rescoreDebrief, { params })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });
});
