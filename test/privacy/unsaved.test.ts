import { npcTurnJson, waitUntil } from '@parley/shared/testing';
import {
  debriefFor,
  placesWith,
  say,
  scriptedModelServer,
  sessionOf,
  startParleySet,
  startedSession,
  storedRows,
  transcriptOf,
  type ModelServer,
  type ParleySet,
} from '../set';

const CANARIES = {
  player: 'qzxplayerwaxwing',
  failed: 'qzxfailingturnosprey',
  utterance: 'qzxutterancesiskin',
  note: 'qzxnotewhinchat',
  reason: 'qzxreasonwigeon',
  narrative: 'qzxnarrativegadwall',
} as const;
const WORDS = Object.values(CANARIES);
const LATER = 'qzxlatersanderling';

/** A session that is not saved: nothing of its text, nor of what the model wrote about it, is on disk at any time. */
describe('a session whose transcript is not saved', () => {
  let set: ParleySet;
  let model: ModelServer;
  let id = '';
  const turn = npcTurnJson({
    npc_utterance: `Well, ${CANARIES.utterance}.`,
    state_delta: { pressure: 2 },
    rubric_observations: [{ dimension: 'evidence', delta: 4, note: `Saw ${CANARIES.note}.` }],
    safety: { action: 'redirect', reason: CANARIES.reason },
  });
  const narrative = JSON.stringify({
    summary: `You spoke of ${CANARIES.narrative}.`,
    strengths: [`You said ${CANARIES.narrative} early.`],
    improvements: [`Say ${CANARIES.narrative} once.`],
    replay_suggestions: [{ turn: 2, suggestion: `Begin with ${CANARIES.narrative}.` }],
  });

  beforeAll(async () => {
    model = await scriptedModelServer();
    model.answer((isDebrief) => ({ kind: 'says', text: isDebrief ? narrative : turn }));
    set = await startParleySet({
      environment: { SIM_LOG_LEVEL: 'trace', SIM_RUNTIME_ID: 'local_server', SIM_LOCAL_SERVER_BASE_URL: model.url },
    });
    await set.ask('patchSettings', { body: { save_transcripts: false, relationship_memory_enabled: true } });
    id = (await startedSession(set)).id;
  });
  afterAll(async () => {
    await set.stop();
    model.close();
  });

  const expectNothingStored = async (): Promise<void> => expect(await placesWith(set, WORDS)).toEqual([]);

  it('leaves nothing on disk during play, and answers its texts from memory', async () => {
    for (let at = 1; at <= 3; at += 1) {
      const key = { 'idempotency-key': `unsaved-key-${at}` };
      const { body } = await say(set, id, `I say ${CANARIES.player} ${at}.`, key);
      expect(body.npc_turn.text).toContain(CANARIES.utterance);
      expect((await say(set, id, `I say ${CANARIES.player} ${at}.`, key)).body).toEqual(body);
      await expectNothingStored();
    }
    model.answer(() => ({ kind: 'fails', status: 500, body: CANARIES.utterance }));
    await say(set, id, `I repeat ${CANARIES.failed}.`);
    model.answer(() => ({ kind: 'fails', status: 503, body: CANARIES.utterance }));
    expect((await say(set, id, `I repeat ${CANARIES.failed}.`)).status).toBe(503);
    model.answer((isDebrief) => ({ kind: 'says', text: isDebrief ? narrative : turn }));
    const { turns, transcript_saved } = await transcriptOf(set, id);
    expect([transcript_saved, turns[1]?.text]).toEqual([false, `I say ${CANARIES.player} 1.`]);
    const socket = await set.socket(id, { query: '?after_seq=0' });
    const replayed = await waitUntil('the replay', () => socket.messages.filter((one) => one.type === 'npc.final')[1]);
    expect(JSON.stringify(replayed)).toContain(CANARIES.utterance);
    expect((await set.ask('listSessions', { query: { q: CANARIES.player } })).sessions).toEqual([]);
    await expectNothingStored();
  });

  it('leaves nothing on disk after its end and its debrief, whose narrative is answered from memory', async () => {
    await set.call('POST', `/api/sessions/${id}/end`);
    await expectNothingStored();
    const debrief = await debriefFor(set, id);
    expect(debrief.summary).toContain(CANARIES.narrative);
    expect(await set.ask('getDebrief', { params: { id } })).toEqual(debrief);
    await expectNothingStored();
    const rows = JSON.stringify(await storedRows(set)).toLowerCase();
    expect(WORDS.filter((word) => rows.includes(word))).toEqual([]);
    const { recaps } = await set.ask('listRecaps', {});
    expect(recaps).toMatchObject([{ npc_id: 'dana', session_count: 1 }]);
    expect(WORDS.filter((word) => JSON.stringify(recaps).includes(word))).toEqual([]);
  });

  it('keeps variables, events and its ending over kill -9 of every process, and loses its text', async () => {
    const playing = await startedSession(set);
    await say(set, playing.id, `I say ${CANARIES.player}.`);
    const before = await sessionOf(set, playing.id);
    const ended = await sessionOf(set, id);
    for (const service of ['session_api', 'debrief_worker', 'runtime_gateway', 'pack_service'] as const)
      await set.kill(service, 'SIGKILL');
    await expectNothingStored();
    for (const service of ['pack_service', 'runtime_gateway', 'session_api', 'debrief_worker'] as const)
      await set.startProcess(service);
    expect(await sessionOf(set, playing.id)).toEqual(before);
    expect(await sessionOf(set, id)).toEqual(ended);
    const { turns } = await transcriptOf(set, playing.id);
    expect(turns.map((one) => [one.index, one.role, one.text])).toEqual([
      [1, 'npc', null],
      [2, 'player', null],
      [3, 'npc', null],
    ]);
    for (const line of ['I go on', "I'd like to go to 53,000"])
      expect((await say(set, playing.id, `${line}, ${CANARIES.player}.`)).status).toBe(200);
    await expectNothingStored();
    await set.call('POST', `/api/sessions/${playing.id}/end`);
    await set.kill('session_api', 'SIGKILL');
    await set.startProcess('session_api');
    const debrief = await debriefFor(set, playing.id);
    expect(debrief.overall_score).toBeGreaterThan(0); // judged when it was said, from words that are gone
    expect(debrief.dimensions.flatMap((one) => one.observations.map((seen) => seen.note))).toEqual([null, null, null]);
    const stored = await set.ask('getDebrief', { params: { id } });
    expect(JSON.stringify(stored)).not.toContain(CANARIES.narrative);
    await expectNothingStored();
  });

  it('stays unsaved when the setting is turned on, and a saved one is not', async () => {
    const unsaved = await startedSession(set);
    await set.ask('patchSettings', { body: { save_transcripts: true } });
    const saved = await startedSession(set);
    await say(set, unsaved.id, `I say ${CANARIES.player}.`);
    model.answer(() => ({ kind: 'says', text: npcTurnJson() }));
    await say(set, saved.id, `I say ${LATER}.`);
    expect([unsaved.transcript_saved, saved.transcript_saved]).toEqual([false, true]);
    await expectNothingStored();
    expect((await placesWith(set, [LATER])).length).toBeGreaterThan(0);
  });
});
