import { appendEvents, listAnswers, replaceAnswer, findSession, supersedeEvents } from '@parley/shared/store';
import { playedSession, readyDebrief, workerSet, type WorkerSet } from '../../testing/worker-set';

describe('a debrief of a talk in which an answer was put aside', () => {
  let set: WorkerSet;
  beforeEach(async () => {
    set = await workerSet();
  });
  afterEach(() => set.remove());

  it('is made from the answer that stands alone', async () => {
    const id = await playedSession(set);
    const { database } = set;
    const session = await findSession(database, id);
    const [first] = await listAnswers(database, id, 5);
    if (session === null || first === undefined) throw new Error('the session was played');
    const at = '2026-03-04T05:06:09.000Z';
    const observations = [{ dimension: 'listening', delta: 5, note: 'asked what stands still' }];
    const turn = { ...first.turn, text: 'Which machine?', observations, variant: 2, variants: 2 };
    const state_vars = { ...session.state_vars, trust: 91 };
    await set.database.write(async (transaction) => {
      await replaceAnswer(transaction, session, first, { ...first, turn });
      await supersedeEvents(transaction, id, 5);
      const said = { emotion: 'curious', state_delta: { trust: 23 }, event_flags: [], used_fallback: false };
      await appendEvents(
        transaction,
        id,
        [
          { kind: 'npc_turn', turn_index: 5, payload: said },
          { kind: 'state_delta', turn_index: 5, payload: { delta: { trust: 23 }, state_vars } },
        ],
        at,
        2,
      );
    });
    await set.start();
    const debrief = await readyDebrief(set, id);
    const listening = debrief.dimensions.find((one) => one.id === 'listening');
    expect(listening?.observations).toEqual([{ turn: 4, delta: 5, note: 'asked what stands still' }]);
    expect(debrief.state_series.filter(({ turn: index }) => index === 5)).toEqual([{ turn: 5, state_vars }]);
    expect(debrief.state_series.map(({ turn: index }) => index)).toEqual([1, 3, 5]);
  });
});
