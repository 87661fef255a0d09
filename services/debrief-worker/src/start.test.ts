import { Debrief, PROBE_PATHS, ServiceError, ROUTES } from '@parley/shared/contracts';
import { callRoute } from '@parley/shared/client';
import { createLogger } from '@parley/shared/service';
import {
  deleteSession,
  findDebrief,
  findSession,
  queueDepth,
  saveSelfRatings,
  type JobRow,
} from '@parley/shared/store';
import { inPieces, waitUntil } from '@parley/shared/testing';
import {
  narrativeJson,
  playedSession,
  PLAYER_TEXTS,
  readyDebrief,
  workerSet,
  type WorkerSet,
} from '../testing/worker-set';

describe('debrief-worker', () => {
  let set: WorkerSet;
  beforeEach(async () => {
    set = await workerSet();
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(narrativeJson()) }));
  });
  afterEach(() => set.remove());

  const job = async (): Promise<JobRow> => (await set.database.knex('jobs').first()) as JobRow;
  const count = async (table: string): Promise<number> =>
    Number(((await set.database.knex(table).count({ count: '*' }).first()) as { count: number }).count);
  const queueEmpty = () => waitUntil('an empty queue', async () => (await queueDepth(set.database)) === 0);

  it("stores computed scores with the model's narrative, DebriefReady and the end of the job, then announces it", async () => {
    const id = await playedSession(set);
    await set.start();
    const debrief = Debrief.parse(await readyDebrief(set, id));
    expect(debrief).toMatchObject({
      session_id: id,
      scenario_id: set.content.id,
      ending_type: 'success',
      used_fallback: false,
      model_id: 'scripted',
      summary: 'Ask what she needs before you offer something (turn 4).',
      improvements: ['Ask one question before the offer.'],
    });
    expect(debrief.dimensions.map(({ id: dimension, score, observed }) => [dimension, score, observed])).toEqual([
      ['clarity', 58, true],
      ['listening', 46, true],
    ]);
    expect(debrief.dimensions[0]?.observations).toEqual([{ turn: 2, delta: 8, note: 'said the news at once' }]);
    expect(debrief.turning_points.map(({ turn }) => turn)).toContain(3);
    expect(debrief.state_series.map(({ turn }) => turn)).toEqual([1, 3, 5]);
    expect(await findSession(set.database, id)).toMatchObject({ overall_score: debrief.overall_score });
    await waitUntil('the announcement', () => set.announced.length === 1);
    expect(set.announced).toEqual([{ id, private_debrief: null }]);
    expect(await job()).toMatchObject({ state: 'done', lease_owner: null, attempts: 1 });
  });

  it('asks for the narrative with the debrief schema, the transcript and the rubric', async () => {
    const id = await playedSession(set);
    await set.start();
    await readyDebrief(set, id);
    const request = set.gateway.requests[0];
    expect(Object.keys((request?.json_schema as { properties: object }).properties)).toEqual([
      'summary',
      'strengths',
      'improvements',
      'replay_suggestions',
    ]);
    const prompt = JSON.stringify(request?.messages);
    for (const text of [...PLAYER_TEXTS, 'Says the news plainly.', '<TEXT k3j9x>']) expect(prompt).toContain(text);
  });

  it('begins at once when it is woken', async () => {
    const worker = await set.start({ policy: { poll: 60_000 } });
    const id = await playedSession(set);
    await callRoute(`http://127.0.0.1:${worker.port}`, ROUTES.wakeWorker, {});
    await readyDebrief(set, id);
  });

  it('finds a job by itself when the wake got lost', async () => {
    await set.start();
    await readyDebrief(set, await playedSession(set));
  });

  it('writes several debriefs at a time, each once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => playedSession(set)));
    await set.start();
    for (const id of ids) await readyDebrief(set, id);
    await waitUntil('all announcements', () => set.announced.length === ids.length);
    expect(set.announced.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(await count('debriefs')).toBe(ids.length);
  });

  it("shows the player's own rating in the debrief", async () => {
    const id = await playedSession(set);
    await set.database.write((transaction) => saveSelfRatings(transaction, id, { listening: 70 }));
    await set.start();
    expect((await readyDebrief(set, id)).dimensions.map(({ self_rating }) => self_rating)).toEqual([null, 70]);
  });

  describe('a job that has nothing to do', () => {
    it('is finished when the session has its debrief already', async () => {
      const id = await playedSession(set, { overrides: { flow_state: 'DebriefReady' } });
      await set.start();
      await queueEmpty();
      expect(await findDebrief(set.database, id)).toBeNull();
      expect(set.announced).toEqual([]);
    });

    it('breaks off when the session is deleted meanwhile, and cancels the model', async () => {
      set.gateway.reply(() => ({ kind: 'hang', pieces: ['{'] }));
      const id = await playedSession(set);
      await set.start({ policy: { heartbeat: 20 } });
      await waitUntil('the model call', () => set.gateway.requests.length === 1);
      await set.database.write((transaction) => deleteSession(transaction, id));
      await waitUntil('the cancelled call', () => set.gateway.cancelled() === 1);
      expect(await count('debriefs')).toBe(0);
    });
  });

  describe('when the scenario cannot be had', () => {
    it('tries again until pack-service is back', async () => {
      let calls = 0;
      set.packs.answer = () => {
        calls += 1;
        if (calls < 8) throw new ServiceError('SERVICE_UNAVAILABLE', 'Away.', { details: { service: 'pack_service' } });
        return set.content;
      };
      const id = await playedSession(set);
      await set.start();
      expect(await readyDebrief(set, id)).toMatchObject({ overall_score: 54 });
      expect(await job()).toMatchObject({ state: 'done', last_error: null });
      expect((await job()).attempts).toBeGreaterThan(1);
    });

    it('makes a debrief from what the session itself tells when its pack was removed', async () => {
      set.packs.answer = () => {
        throw new ServiceError('SCENARIO_NOT_FOUND', 'No such scenario.');
      };
      set.gateway.reply(() => ({ kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }));
      const id = await playedSession(set);
      await set.start();
      const debrief = Debrief.parse(await readyDebrief(set, id));
      expect(debrief.dimensions.map(({ name, score }) => [name, score])).toEqual([
        ['Clarity', 58],
        ['Listening', 46],
      ]);
    });

    it('gives the job up after very many attempts, until the player asks again', async () => {
      set.packs.answer = () => {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'Away.', { details: { service: 'pack_service' } });
      };
      await playedSession(set);
      await set.start({ policy: { attemptsInAll: 2 } });
      await waitUntil('the job to be given up', async () => (await job()).state === 'failed');
      expect(await job()).toMatchObject({ last_error: 'SERVICE_UNAVAILABLE', attempts: 2 });
    });
  });

  describe('stopping', () => {
    it('gives back what it cannot finish, and the next start does it', async () => {
      set.gateway.reply(() => ({ kind: 'hang', pieces: ['{'] }));
      const id = await playedSession(set);
      const worker = await set.start();
      await waitUntil('the model call', () => set.gateway.requests.length === 1);
      await worker.stop();
      expect(await job()).toMatchObject({ state: 'queued', attempts: 0, lease_owner: null });
      expect(await findSession(set.database, id)).toMatchObject({ flow_state: 'DebriefGenerating' });
      set.gateway.reply(() => ({ kind: 'text', pieces: [narrativeJson()] }));
      await set.start();
      await readyDebrief(set, id);
      expect(await count('debriefs')).toBe(1);
    });

    it('lets a debrief that is nearly done be finished', async () => {
      let finish: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        finish = resolve;
      });
      set.gateway.reply(() => ({ kind: 'hang', pieces: [narrativeJson()], until }));
      const id = await playedSession(set);
      const worker = await set.start({ policy: { stopGrace: 20_000 } });
      await waitUntil('the model call', () => set.gateway.requests.length === 1);
      const stopped = worker.stop();
      finish();
      await stopped;
      expect(await findDebrief(set.database, id)).toMatchObject({ used_fallback: false });
    });
  });

  it('says in its metrics how jobs ended, and what waits', async () => {
    const worker = await set.start();
    await readyDebrief(set, await playedSession(set));
    await queueEmpty();
    const metrics = async () => (await fetch(`http://127.0.0.1:${worker.port}${PROBE_PATHS.metrics}`)).text();
    await waitUntil('the counted job', async () =>
      /parley_debrief_jobs_total\{outcome="model"[^}]*\} 1/.test(await metrics()),
    );
    expect(await metrics()).toMatch(/parley_debrief_jobs_waiting\{[^}]*\} 0/);
  });

  it('writes no conversation text and no model output into its log', async () => {
    const lines: string[] = [];
    const logger = createLogger('debrief_worker', 'trace', { write: (line: string) => void lines.push(line) });
    set.gateway.reply((_request, call) =>
      call === 1
        ? { kind: 'text', pieces: ['zeugma not json'] }
        : { kind: 'text', pieces: [narrativeJson({ summary: 'You said "zeugma of doom". Fine otherwise.' })] },
    );
    const id = await playedSession(set);
    await set.start({ logger });
    await readyDebrief(set, id);
    await waitUntil('the line of the job', () => lines.some((line) => line.includes('debrief job ended')));
    expect(lines.join('')).not.toMatch(/zeugma|two weeks late|lend you a machine|at once/);
    expect(lines.join('')).toContain(id);
  });
});
