import type { Progress, Session, SessionExport, StartAnswer, TurnAnswer } from '@parley/shared/contracts';
import { inPieces, npcTurnJson, scenarioFixture, type ScriptedReply } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../testing/session-api-set';

const line = (says: string, otherwise = false) => ({
  after: null,
  signs: [],
  when: [],
  says,
  emotion: 'warm',
  otherwise,
});
const CONTENT = scenarioFixture({
  demo: [line('One.'), line('Two.', true), line('Three.', true)],
});

const asDemo: ScriptedReply = { kind: 'text', pieces: inPieces(npcTurnJson()), demo: true };
const asModel: ScriptedReply = { kind: 'text', pieces: inPieces(npcTurnJson()) };

describe('a talk with the demo voice', () => {
  let set: SessionApiSet;
  beforeAll(async () => {
    set = await startSessionApiSet({ content: CONTENT });
  });
  afterAll(() => set.stop());

  const started = async (): Promise<Session> => {
    const { body } = await set.call<Session>('POST', '/api/sessions', { scenario_id: CONTENT.id });
    return (await set.call<StartAnswer>('POST', `/api/sessions/${body.id}/start`)).body.session;
  };
  const say = async (id: string, text: string): Promise<TurnAnswer> =>
    (await set.call<TurnAnswer>('POST', `/api/sessions/${id}/turn`, { text })).body;
  const cues = (from: number) => set.gateway.requests.slice(from).map(({ cue }) => cue?.text ?? null);

  it('hands over one unused line of the author a turn, until none is left; a restart and a fork know which', async () => {
    set.gateway.reply(() => asDemo);
    const from = set.gateway.requests.length;
    const { id } = await started();
    await say(id, 'Hello.');
    await say(id, 'Is anybody there?');
    const forked = (await set.call<Session>('POST', `/api/sessions/${id}/fork`, { turn: 3 })).body;
    expect(forked.demo).toBe(true);
    await say(forked.id, 'From here again.');
    await set.restart();
    await say(id, 'And now?');
    await say(id, 'And after that?');
    expect(cues(from)).toEqual(['One.', 'Two.', 'Two.', 'Three.', null]);
    expect(set.gateway.requests[from]?.cue).toEqual({ text: 'One.', emotion: 'warm' });
  });

  it('is marked in the session, in both exports and in progress; the level is of talks with a model', async () => {
    set.gateway.reply(() => asDemo);
    const { id, demo } = await started();
    expect(demo).toBeUndefined();
    expect((await say(id, 'Hello.')).session.demo).toBe(true);
    const { body } = await set.call<SessionExport>('GET', `/api/sessions/${id}/export`);
    expect(body.session.demo).toBe(true);
    expect(body.events.find(({ kind }) => kind === 'npc_turn')?.payload).toMatchObject({ demo: { line: 0 } });
    const markdown = await (await fetch(`${set.url}/api/sessions/${id}/export?format=markdown`)).text();
    expect(markdown).toContain('- Demo: the character spoke prepared lines; no model was asked.');
    await set.call('POST', `/api/sessions/${id}/end`);
    const progress = (await set.call<Progress>('GET', '/api/progress')).body;
    expect(progress.scenarios[0]?.attempts.find(({ session_id }) => session_id === id)?.demo).toBe(true);
  });

  it('asks a model once more that only says again what was said, and takes what it says then', async () => {
    const again = npcTurnJson({ npc_utterance: 'Is there a machine that I could have until then?' });
    const better = npcTurnJson({ npc_utterance: 'Then bring me a loan machine on Monday morning.' });
    const { id } = await started();
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(again) }));
    await say(id, 'Hello.');
    const from = set.gateway.requests.length;
    set.gateway.reply((_request, count) => ({ kind: 'text', pieces: inPieces(count === from + 1 ? again : better) }));
    const turn = await say(id, 'The part comes two weeks late.');
    expect(turn.npc_turn.text).toBe('Then bring me a loan machine on Monday morning.');
    expect(turn.used_fallback).toBe(false);
    set.gateway.reply(() => ({ kind: 'text', pieces: inPieces(better) }));
    const stubborn = await say(id, 'And what then?');
    expect([stubborn.npc_turn.text, stubborn.used_fallback]).toEqual([turn.npc_turn.text, false]);
    expect(set.gateway.requests.length - from).toBe(4);
  });

  it('is no talk that a model played, which is handed the same cue and used none', async () => {
    set.gateway.reply(() => asModel);
    const from = set.gateway.requests.length;
    const { id } = await started();
    const first = await say(id, 'Hello.');
    await say(id, 'Go on.');
    expect(first.session.demo).toBeUndefined();
    expect(cues(from)).toEqual(['One.', 'One.']);
    const { body } = await set.call<SessionExport>('GET', `/api/sessions/${id}/export`);
    expect(JSON.stringify(body)).not.toContain('"demo"');
  });
});
