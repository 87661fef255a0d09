import { inPieces, waitUntil } from '@parley/shared/testing';
import { narrativeJson, playedSession, readyDebrief, workerSet, type WorkerSet } from '../testing/worker-set';

describe('debrief-worker as a process', () => {
  let set: WorkerSet;
  beforeEach(async () => {
    set = await workerSet();
  });
  afterEach(() => set.remove());

  const exit = (child: { once(event: 'exit', listener: (code: number | null, signal: string | null) => void): void }) =>
    new Promise<number | string | null>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));

  it('that is killed in the middle of a job leaves it to the next start, which finishes it exactly once', async () => {
    set.gateway.reply(() => ({ kind: 'hang', pieces: ['{'] }));
    const id = await playedSession(set);
    const killed = await set.startProcess();
    await waitUntil('the model call', () => set.gateway.requests.length === 1);
    const gone = exit(killed);
    killed.kill('SIGKILL');
    expect(await gone).toBe('SIGKILL');
    expect(await set.database.knex('jobs').first('state', 'attempts')).toEqual({ state: 'running', attempts: 1 });
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(narrativeJson()) }));
    await set.startProcess();
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: false });
    await waitUntil('the announcement', () => set.announced.length === 1);
    expect(await set.database.knex('debriefs').select('session_id')).toEqual([{ session_id: id }]);
    expect(await set.database.knex('jobs').first('state', 'attempts')).toEqual({ state: 'done', attempts: 2 });
  });

  it('that is killed again and again still ends in exactly one debrief for each session', async () => {
    const until = () => new Promise<void>((resolve) => setTimeout(resolve, 15));
    set.gateway.reply(() => ({ kind: 'hang', pieces: inPieces(narrativeJson()), until: until() }));
    const ids: string[] = [];
    for (let i = 0; i < 40; i += 1) ids.push(await playedSession(set));
    const ready = async () =>
      Number(
        (
          (await set.database.knex('sessions').where({ flow_state: 'DebriefReady' }).count({ count: '*' }).first()) as {
            count: number;
          }
        ).count,
      );
    for (let kills = 1; kills <= 6; kills += 1) {
      const child = await set.startProcess();
      const before = await ready();
      await waitUntil('some progress', async () => (await ready()) > Math.min(before + kills, ids.length - 1));
      const gone = exit(child);
      child.kill('SIGKILL');
      await gone;
    }
    await set.startProcess();
    for (const id of ids) await readyDebrief(set, id);
    const stored = (await set.database.knex('debriefs').pluck('session_id')) as string[];
    expect(stored.sort()).toEqual([...ids].sort());
  });

  it('stops cleanly on SIGTERM with exit code 0', async () => {
    const child = await set.startProcess();
    const gone = exit(child);
    child.kill('SIGTERM');
    expect(await gone).toBe(0);
  });
});
