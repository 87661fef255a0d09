import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Debrief, ServiceError } from '@parley/shared/contracts';
import { findRecap, patchSettings } from '@parley/shared/store';
import { inPieces, waitUntil } from '@parley/shared/testing';
import {
  narrativeJson,
  PLAYER_TEXTS,
  playedSession,
  readyDebrief,
  workerSet,
  type WorkerSet,
} from '../../testing/worker-set';

let set: WorkerSet;
beforeEach(async () => {
  set = await workerSet();
  set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(narrativeJson()) }));
});
afterEach(() => set.remove());

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
    expect(stored.dimensions.flatMap(({ observations }) => observations.map(({ note }) => note))).toEqual([null, null]);
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

  it('waits for its text while that lies in a Redis that is away', async () => {
    const id = await playedSession(set, { saved: false });
    let asked = 0;
    jest.spyOn(set.memories, 'get').mockImplementation(() => {
      asked += 1;
      if (asked > 8) return memory;
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Redis does not answer.', { details: { service: 'redis' } });
    });
    await set.start();
    await readyDebrief(set, id);
    await waitUntil('the announcement', () => set.announced.length === 1);
    expect(Debrief.parse(set.announced[0]?.private_debrief)).toMatchObject({ used_fallback: false });
    expect(asked).toBeGreaterThan(8);
  });

  it('gets it when session-api cannot be reached', async () => {
    const id = await playedSession(set, { saved: false });
    await set.start({ peers: { session_api: 'http://127.0.0.1:1' } });
    expect(await readyDebrief(set, id)).toMatchObject({ used_fallback: true });
  });
});

describe('relationship memory', () => {
  it('is written with the debrief when the setting is on', async () => {
    await set.database.write((transaction) => patchSettings(transaction, { relationship_memory_enabled: true }));
    const first = await playedSession(set);
    await set.start();
    await readyDebrief(set, first);
    await readyDebrief(set, await playedSession(set));
    const recap = await findRecap(set.database, set.content.npc.npc_id, set.content.pack_id);
    expect(recap).toMatchObject({ session_count: 2, last_outcome: 'success' });
    expect(JSON.stringify(recap)).not.toMatch(/two weeks late|lend you a machine/);
  });

  it('is not written when the setting is off', async () => {
    const id = await playedSession(set);
    await set.start();
    await readyDebrief(set, id);
    expect((await set.database.knex('recaps').select('npc_id')).length).toBe(0);
  });
});
