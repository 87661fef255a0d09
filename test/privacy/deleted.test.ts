import { npcTurnJson, waitUntil } from '@parley/shared/testing';
import {
  debriefFor,
  placesWith,
  say,
  scriptedModelServer,
  startParleySet,
  startedSession,
  storedRows,
  type ModelServer,
  type ParleySet,
} from '../set';

/** Words for one session: what the player, the character, the notes and the narrative hold. */
const wordsOf = (bird: string): string[] => [
  `qzxplayer${bird}`,
  `qzxutterance${bird}`,
  `qzxnote${bird}`,
  `qzxnarrative${bird}`,
];

describe('text that the player deletes', () => {
  let set: ParleySet;
  let model: ModelServer;
  beforeAll(async () => {
    model = await scriptedModelServer();
    set = await startParleySet({
      environment: { SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url },
    });
  });
  afterAll(async () => {
    await set.stop();
    model.close();
  });

  /** Plays a session with its words in every place; long texts, so that they spill over several pages. */
  async function playWith(bird: string, turns = 6): Promise<string> {
    const [player = '', utterance = '', note = '', narrative = ''] = wordsOf(bird);
    model.answer((isDebrief) => ({
      kind: 'says',
      text: isDebrief
        ? JSON.stringify({
            summary: `You spoke of ${narrative}.`,
            strengths: [],
            improvements: [],
            replay_suggestions: [],
          })
        : npcTurnJson({
            npc_utterance: `${utterance} `.repeat(30).trim(),
            rubric_observations: [{ dimension: 'evidence', delta: 2, note }],
          }),
    }));
    const { id } = await startedSession(set);
    for (let turn = 1; turn <= turns; turn += 1)
      expect(
        (await say(set, id, `${player} ${turn} `.repeat(40).trim(), { 'idempotency-key': `key-${bird}-${turn}` }))
          .status,
      ).toBe(200);
    await set.call('POST', `/api/sessions/${id}/end`);
    expect((await debriefFor(set, id)).summary).toContain(narrative);
    return id;
  }

  it('is gone from every byte of the data folder and every row after DELETE, while that of other sessions stays', async () => {
    const gone = await playWith('waxwing');
    const fork = await set.ask('forkSession', { params: { id: gone }, body: { turn: 3 } });
    const kept = await playWith('siskin');
    expect((await placesWith(set, wordsOf('waxwing'))).length).toBeGreaterThanOrEqual(4);
    for (const id of [gone, fork.id]) expect((await set.call('DELETE', `/api/sessions/${id}`)).status).toBe(204);
    // Another process may hold the database's log for a moment; then the next checkpoint overwrites.
    await waitUntil(
      'the bytes to be overwritten',
      async () => (await placesWith(set, wordsOf('waxwing'))).length === 0,
    );
    expect((await placesWith(set, wordsOf('siskin'))).length).toBeGreaterThanOrEqual(4);
    expect((await set.ask('listSessions', { query: { q: 'qzxplayerwaxwing' } })).sessions).toEqual([]);
    expect((await set.ask('listSessions', { query: { q: 'qzxplayersiskin' } })).sessions.map((one) => one.id)).toEqual([
      kept,
    ]);
  });

  it('is gone from every byte of the data folder and every row after POST /api/privacy/clear, at once', async () => {
    await set.ask('patchSettings', { body: { relationship_memory_enabled: true } });
    const birds = ['pipit', 'osprey', 'wigeon'];
    for (const bird of birds) await playWith(bird, 3);
    expect((await set.ask('listRecaps', {})).recaps).toHaveLength(1);
    const words = [...birds, 'siskin'].flatMap(wordsOf);
    for (const word of words) expect([word, (await placesWith(set, [word])).length > 0]).toEqual([word, true]);
    const { body } = await set.call<{ deleted: object }>('POST', '/api/privacy/clear', {});
    expect(body.deleted).toMatchObject({ sessions: 4, debriefs: 4, recaps: 1 });
    expect(await placesWith(set, words)).toEqual([]);
    const rows = JSON.stringify(await storedRows(set));
    expect(words.filter((word) => rows.includes(word))).toEqual([]);
    expect((await set.ask('getSettings', {})).settings.relationship_memory_enabled).toBe(true);
    expect((await set.call('GET', '/api/packs/the_ask')).status).toBe(200);
  });

  it('is gone after a clear during a running turn, whose caller is told', async () => {
    model.answer(() => ({ kind: 'streams', lines: [] }));
    const { id } = await startedSession(set);
    const turns = Array.from({ length: 5 }, () => say(set, id, 'qzxrunningdunlin.'));
    const cleared = await set.call('POST', '/api/privacy/clear', {});
    expect(cleared.status).toBe(200);
    for (const { status } of await Promise.all(turns)) expect([200, 404, 409, 503]).toContain(status);
    const again = await set.call('POST', '/api/privacy/clear', {});
    expect(again.body).toMatchObject({ deleted: { turns: 0, sessions: 0 } });
    expect(await placesWith(set, ['qzxrunningdunlin'])).toEqual([]);
  });
});
