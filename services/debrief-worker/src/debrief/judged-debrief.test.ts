import { Debrief, ROUTES } from '@parley/shared/contracts';
import { callRoute } from '@parley/shared/client';
import type { RunningService } from '@parley/shared/service';
import { inPieces, judgedScenario } from '@parley/shared/testing';
import { appendEvents, findDebrief } from '@parley/shared/store';
import { AT, narrativeJson, playedSession, readyDebrief, workerSet, type WorkerSet } from '../../testing/worker-set';

const TEXTS = [
  'I am asking for 53,000, because I do two jobs.',
  'I am sorry for the bad timing, that is a hard week for you.',
] as const;
const answer = (met: boolean, quote: string | null) =>
  JSON.stringify({ answers: [{ check: 'warm', met, turn: 4, quote }] });

let set: WorkerSet;
beforeEach(async () => {
  set = await workerSet(judgedScenario());
});
afterEach(() => set.remove());

/** What the model says as the second reader, and as the writer of the letter. */
const model = (opinions: readonly string[], letter = narrativeJson()): void => {
  let reads = 0;
  set.gateway.reply((request) => {
    const judges = JSON.stringify(request.json_schema).includes('"answers"');
    const text = judges ? (opinions[reads % opinions.length] ?? '') : letter;
    if (judges) reads += 1;
    return { kind: 'text', pieces: inPieces(text) };
  });
};
const played = (saved = true) => playedSession(set, { saved, texts: TEXTS });
const verdict = (debrief: Debrief, id: string) =>
  debrief.dimensions.flatMap(({ checks = [], faults = [] }) => [...checks, ...faults]).find((one) => one.id === id);

const rescored = (worker: RunningService, id: string): Promise<Debrief> =>
  callRoute(`http://127.0.0.1:${worker.port}`, ROUTES.rescoreDebrief, { params: { id } });

describe('a debrief of a rubric with checks', () => {
  it('scores what was said, with the words that prove each point', async () => {
    model([answer(true, 'that is a hard week for you')]);
    const id = await played();
    await set.start();
    const debrief = Debrief.parse(await readyDebrief(set, id));
    expect(debrief).toMatchObject({ judged: true, overall_score: 80 });
    expect(debrief.dimensions.map(({ score }) => score)).toEqual([100, 40]);
    const figure = verdict(debrief, 'figure');
    expect(figure).toMatchObject({ verdict: 'met', by: 'signs', turn: 2, line: 1 });
    expect(TEXTS[0]?.slice(figure?.evidence?.start, figure?.evidence?.end)).toContain('53,000');
    expect(verdict(debrief, 'warm')).toMatchObject({
      verdict: 'met',
      by: 'model',
      quote: 'that is a hard week for you',
    });
    expect(debrief.provenance).toMatchObject({
      judge_model: 'scripted',
      reads: 1,
      spread: { clarity: 0, listening: 0 },
    });
    expect(debrief.never).toEqual([{ check: 'asks', text: 'Does asks', first_chance_line: 1 }]);
    expect(debrief.say_instead?.[0]).toMatchObject({
      check: 'asks',
      better: 'What would you need to say yes?',
      adapted: false,
    });
  });

  it.each([
    ['a quotation that nobody said', answer(true, 'you are the best boss ever')],
    ['a yes without a quotation', answer(true, null)],
    ['a no', answer(false, null)],
  ])('gives no point for %s', async (_what, opinion) => {
    model([opinion]);
    const id = await played();
    await set.start();
    expect(verdict(await readyDebrief(set, id), 'warm')).toMatchObject({ verdict: 'missed', by: 'model', quote: null });
  });

  it('does not judge what only a model could tell when it fails, and still scores the rest', async () => {
    set.gateway.reply(() => ({ kind: 'refuse', code: 'RUNTIME_UNAVAILABLE' }));
    const id = await played();
    await set.start();
    const debrief = await readyDebrief(set, id);
    expect(verdict(debrief, 'warm')).toMatchObject({ verdict: 'not_judged', by: null });
    expect(debrief).toMatchObject({ used_fallback: true, judged: true, provenance: { judge_model: null, reads: 0 } });
  });

  it('takes what two of three readings say, and tells how far they were apart', async () => {
    const yes = answer(true, 'that is a hard week for you');
    model([yes, answer(false, null), yes]);
    const id = await played();
    await set.start({ config: { judge_reads: 3 } });
    const debrief = await readyDebrief(set, id);
    expect(verdict(debrief, 'warm')?.verdict).toBe('met');
    expect(debrief.provenance).toMatchObject({ reads: 3, spread: { listening: 40 } });
  });

  it('asks at temperature 0, and never the demo voice', async () => {
    model([answer(false, null)]);
    const id = await played();
    await set.start();
    await readyDebrief(set, id);
    const judging = set.gateway.requests.filter(({ json_schema: schema }) =>
      JSON.stringify(schema).includes('"answers"'),
    );
    expect(judging.map(({ temperature }) => temperature)).toEqual([0]);
  });

  it('writes the letter of a demo talk without a model, and calls that no failure', async () => {
    model([answer(true, 'that is a hard week for you')]);
    const asked = set.gateway.requests.length;
    const id = await played();
    await set.database
      .knex('sessions')
      .where({ id })
      .update({ engine_state: JSON.stringify({ demo_voice: true }) });
    await set.start();
    const debrief = await readyDebrief(set, id);
    expect(set.gateway.requests).toHaveLength(asked);
    expect(debrief).toMatchObject({ used_fallback: false, model_id: null, judged: true });
    expect(debrief.provenance).toMatchObject({ judge_model: null, reads: 0 });
    expect(debrief.summary).not.toBe('');
  });

  it('stores none of the words of a session that is not saved', async () => {
    model([answer(true, 'that is a hard week for you')]);
    const id = await played(false);
    await set.start();
    const stored = JSON.stringify(await readyDebrief(set, id));
    for (const words of ['53,000, because', 'hard week', 'two jobs']) expect(stored).not.toContain(words);
    expect(Debrief.parse(JSON.parse(stored))).toMatchObject({ judged: true, overall_score: 73 });
    expect(verdict(JSON.parse(stored) as Debrief, 'figure')).toMatchObject({ verdict: 'met', evidence: null });
  });

  it('is the same when it is scored again, without another question to the model', async () => {
    model([answer(true, 'that is a hard week for you')]);
    const id = await played();
    const worker = await set.start();
    const before = await readyDebrief(set, id);
    const asked = set.gateway.requests.length;
    const after = await rescored(worker, id);
    expect(after.dimensions).toEqual(before.dimensions);
    expect(after.rescored).toEqual({ score_before: 80, comparable: true, note: null });
    expect(set.gateway.requests).toHaveLength(asked);
  });

  it('says when a score of before cannot be compared', async () => {
    model([answer(false, null)]);
    const id = await played();
    const worker = await set.start();
    const stored = await readyDebrief(set, id);
    const { provenance: _none, ...older } = stored;
    await set.database
      .knex('debriefs')
      .where({ session_id: id })
      .update({ document: JSON.stringify(older) });
    const after = await rescored(worker, id);
    expect(after.rescored).toMatchObject({ comparable: false });
    expect((await findDebrief(set.database, id))?.rescored?.note).toMatch(/cannot be compared/);
  });

  it('judges from the text what was stored before lines were judged', async () => {
    model([answer(false, null)]);
    const id = await played();
    await set.database.knex('turns').update({ judgement: null });
    await set.start();
    expect(verdict(await readyDebrief(set, id), 'figure')).toMatchObject({ verdict: 'met', line: 1 });
  });

  it.each([
    { kind: 'safety_redirect', payload: { action: 'redirect', reason: null } },
    { kind: 'safety_stop', payload: { action: 'stop', reason: null } },
  ] as const)(
    'judges nothing of a line that the policy answered ($kind), nor when it is scored again',
    async (event) => {
      model([answer(true, 'that is a hard week for you')]);
      const id = await played();
      await set.database.knex('turns').update({ judgement: null });
      const answered = [3, 5].map((turn_index) => ({ ...event, turn_index }));
      await set.database.write((transaction) => appendEvents(transaction, id, answered, AT));
      const worker = await set.start();
      const debrief = await readyDebrief(set, id);
      expect(verdict(debrief, 'figure')).toMatchObject({ verdict: 'missed', turn: null });
      expect(verdict(debrief, 'warm')).toMatchObject({ verdict: 'missed', turn: null });
      expect(verdict(await rescored(worker, id), 'figure')).toMatchObject({ verdict: 'missed', turn: null });
    },
  );

  it('judges a line whose redirecting answer was put aside', async () => {
    model([answer(false, null)]);
    const id = await played();
    await set.database.knex('turns').update({ judgement: null });
    await set.database.write((transaction) =>
      appendEvents(
        transaction,
        id,
        [{ kind: 'safety_redirect', turn_index: 3, payload: { action: 'redirect', reason: null } }],
        AT,
      ),
    );
    await set.database.knex('events').where({ session_id: id, kind: 'safety_redirect' }).update({ superseded: 1 });
    await set.start();
    expect(verdict(await readyDebrief(set, id), 'figure')).toMatchObject({ verdict: 'met', line: 1 });
  });

  it("puts a part in the model's words when each of its sentences is true", async () => {
    const better = 'Next time, ask what she needs before you argue further.';
    model(
      [answer(false, null)],
      narrativeJson({ summary: better, strengths: [], improvements: [], replay_suggestions: [] }),
    );
    const id = await played();
    await set.start();
    expect(await readyDebrief(set, id)).toMatchObject({ summary: better, used_fallback: false, model_id: 'scripted' });
  });

  it('keeps the letter of the rules where the model praises the person', async () => {
    const praise = 'You are a natural negotiator and a wonderful person.';
    model([answer(false, null)], narrativeJson({ summary: praise, strengths: [praise], improvements: [praise] }));
    const id = await played();
    await set.start();
    const debrief = await readyDebrief(set, id);
    expect(JSON.stringify([debrief.summary, debrief.strengths, debrief.improvements])).not.toContain('natural');
  });
});
