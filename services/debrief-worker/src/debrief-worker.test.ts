import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Debrief, PROBE_PATHS, ServiceError } from '@parley/shared/contracts';
import { callRoute } from '@parley/shared/client';
import { createLogger } from '@parley/shared/service';
import { deleteSession, findDebrief, findRecap, findSession, patchSettings, queueDepth, saveSelfRatings, transact, type JobRow } from '@parley/shared/store'; // prettier-ignore
import { inPieces, stubService, waitUntil } from '@parley/shared/testing';
import {
  AT,
  narrativeJson,
  playedSession,
  PLAYER_TEXTS,
  readyDebrief,
  workerSet,
  type WorkerSet,
} from './testing/worker-set';

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
  const queueEmpty = () => waitUntil('an empty queue', async () => (await queueDepth(set.database.knex)) === 0);

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
    expect(await findSession(set.database.knex, id)).toMatchObject({ overall_score: debrief.overall_score });
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
    for (const text of [...PLAYER_TEXTS, 'Says the news plainly.', 'k3j9x2']) expect(prompt).toContain(text);
  });

  it('begins at once when it is woken', async () => {
    const worker = await set.start({ policy: { poll: 60_000 } });
    const id = await playedSession(set);
    await callRoute(`http://127.0.0.1:${worker.port}`, 'wakeWorker', {});
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
    await saveSelfRatings(set.database.knex, id, { listening: 70 });
    await set.start();
    expect((await readyDebrief(set, id)).dimensions.map(({ self_rating }) => self_rating)).toEqual([null, 70]);
  });

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

  describe('a session whose transcript is not saved', () => {
    const memory = {
      turns: [
        { index: 2, text: PLAYER_TEXTS[0] as string },
        { index: 4, text: PLAYER_TEXTS[1] as string },
      ],
      notes: [{ turn: 2, dimension: 'clarity', note: 'quincunx plainly' }],
    };

    function everyByte(): string {
      return readdirSync(set.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('');
    }

    it("gets the model's narrative into memory only, and one from the scores on disk", async () => {
      set.gateway.reply(() => ({
        kind: 'text',
        pieces: inPieces(narrativeJson({ strengths: ['A zeugma well placed.'] })),
      }));
      const id = await playedSession(set, { saved: false });
      set.memories.set(id, memory);
      await set.start();
      const stored = Debrief.parse(await readyDebrief(set, id));
      expect(stored).toMatchObject({ used_fallback: true, model_id: null });
      expect(stored.summary).toMatch(/not kept/);
      expect(stored.dimensions.flatMap(({ observations }) => observations.map(({ note }) => note))).toEqual([
        null,
        null,
      ]);
      await waitUntil('the announcement', () => set.announced.length === 1);
      const answered = Debrief.parse(set.announced[0]?.private_debrief);
      expect(answered).toMatchObject({
        used_fallback: false,
        strengths: ['A zeugma well placed.'],
        overall_score: stored.overall_score,
      });
      expect(answered.dimensions[0]?.observations).toEqual([{ turn: 2, delta: 8, note: 'quincunx plainly' }]);
      const bytes = everyByte();
      for (const canary of ['zeugma', 'quincunx', 'lend you a machine', 'two weeks late'])
        expect(bytes).not.toContain(canary);
    });

    it('gets a debrief from the scores alone when the text is gone, which says so', async () => {
      const id = await playedSession(set, { saved: false });
      await set.start();
      expect((await readyDebrief(set, id)).summary).toMatch(/not kept/);
      await waitUntil('the announcement', () => set.announced.length === 1);
      expect(set.announced[0]?.private_debrief).toBeNull();
      expect(set.gateway.requests).toEqual([]);
    });

    it('gets it when session-api cannot be reached', async () => {
      const id = await playedSession(set, { saved: false });
      await set.start({ peers: { session_api: 'http://127.0.0.1:1' } });
      expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
    });
  });

  describe('relationship memory', () => {
    it('is written with the debrief when the setting is on', async () => {
      await patchSettings(set.database.knex, { relationship_memory_enabled: true });
      const first = await playedSession(set);
      await set.start();
      await readyDebrief(set, first);
      await readyDebrief(set, await playedSession(set));
      const recap = await findRecap(set.database.knex, set.content.npc.npc_id, set.content.pack_id);
      expect(recap).toMatchObject({ session_count: 2, last_outcome: 'success' });
      expect(JSON.stringify(recap)).not.toMatch(/two weeks late|lend you a machine/);
    });

    it('is not written when the setting is off', async () => {
      const id = await playedSession(set);
      await set.start();
      await readyDebrief(set, id);
      expect(await count('recaps')).toBe(0);
    });
  });

  describe('a job that has nothing to do', () => {
    it('is finished when the session has its debrief already', async () => {
      const id = await playedSession(set, { overrides: { flow_state: 'DebriefReady' } });
      await set.start();
      await queueEmpty();
      expect(await findDebrief(set.database.knex, id)).toBeNull();
      expect(set.announced).toEqual([]);
    });

    it('breaks off when the session is deleted meanwhile, and cancels the model', async () => {
      set.gateway.reply(() => ({ kind: 'hang', pieces: ['{'] }));
      const id = await playedSession(set);
      await set.start({ policy: { heartbeat: 20 } });
      await waitUntil('the model call', () => set.gateway.requests.length === 1);
      await transact(set.database, (transaction) => deleteSession(transaction, id));
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
      expect(await findSession(set.database.knex, id)).toMatchObject({ flow_state: 'DebriefGenerating' });
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
      expect(await findDebrief(set.database.knex, id)).toMatchObject({ used_fallback: false });
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
