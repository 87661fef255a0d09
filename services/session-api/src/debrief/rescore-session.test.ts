import type { CheckVerdict, Debrief, Session } from '@parley/shared/contracts';
import { ROUTES } from '@parley/shared/contracts';
import { callRoute } from '@parley/shared/client';
import { insertDebrief, markDebriefReady, openDatabase } from '@parley/shared/store';
import { judgedScenario } from '@parley/shared/testing';
import { startSessionApiSet, type SessionApiSet } from '../../testing/session-api-set';

const verdict = (changes: Partial<CheckVerdict>): CheckVerdict => ({
  id: 'figure',
  text: 'Does figure',
  points: 20,
  verdict: 'met',
  turn: 2,
  line: 1,
  evidence: null,
  by: 'signs',
  quote: null,
  ...changes,
});

const provenance = { rubric_hash: 'then', prompt_hash: null, judge_model: null, reads: 0, spread: {} };

const documentOf = (session: Session, changes: Partial<Debrief['dimensions'][number]>): Debrief => ({
  schema_version: 1,
  session_id: session.id,
  scenario_id: session.scenario_id,
  ending_type: 'player_exit',
  overall_score: 50,
  used_fallback: true,
  generated_at: new Date().toISOString(),
  model_id: null,
  dimensions: [
    {
      id: 'clarity',
      name: 'Clarity',
      weight: 1,
      score: 50,
      observed: true,
      self_rating: null,
      observations: [],
      ...changes,
    },
  ],
  turning_points: [],
  summary: 'As it was stored.',
  strengths: [],
  improvements: [],
  replay_suggestions: [],
  state_series: [],
  judged: false,
  not_judged_reason: 'You left before there was anything to judge.',
  provenance,
});

describe('scoring a session again that is not saved', () => {
  let set: SessionApiSet;
  beforeEach(async () => {
    set = await startSessionApiSet({ content: judgedScenario() });
  });
  afterEach(() => set.stop());

  it('answers the whole document of checks, with the words of those verdicts that are the same', async () => {
    await set.call('PATCH', '/api/settings', { save_transcripts: false });
    const { body: session } = await set.call<Session>('POST', '/api/sessions', { scenario_id: 'late_delivery' });
    await set.call('POST', `/api/sessions/${session.id}/start`);
    await set.call('POST', `/api/sessions/${session.id}/end`);
    await set.call('POST', `/api/sessions/${session.id}/debrief`, undefined, { prefer: 'respond-async' });
    const stored = documentOf(session, {});
    const database = await openDatabase({ dataDir: set.folder.path });
    await database.write(async (transaction) => {
      await insertDebrief(transaction, stored);
      await markDebriefReady(transaction, session.id, 50);
    });
    await database.close();
    const evidence = { start: 0, end: 5 };
    const written = {
      ...documentOf(session, {
        checks: [
          verdict({ evidence }),
          verdict({ id: 'early', evidence }),
          verdict({ id: 'warm', by: 'model', evidence, quote: 'that is a hard week' }),
        ],
        faults: [verdict({ id: 'lowered', turn: 4, line: 2, evidence })],
      }),
      summary: 'As the model wrote it.',
    };
    await callRoute(set.url, ROUTES.announceDebrief, {
      params: { id: session.id },
      body: { private_debrief: written },
    });
    const anew = {
      overall_score: 70,
      judged: true,
      not_judged_reason: null,
      provenance: { ...provenance, rubric_hash: 'now' },
      rescored: { score_before: 50, comparable: false, note: 'Other checks.' },
    };
    const scored = documentOf(session, {
      score: 70,
      checks: [
        verdict({}),
        verdict({ id: 'early', turn: 6, line: 3 }),
        verdict({ id: 'warm', by: 'model' }),
        verdict({ id: 'new', verdict: 'missed', turn: null, line: null }),
      ],
      faults: [verdict({ id: 'lowered', turn: 4, line: 2 })],
    });
    set.rescored.debrief = { ...scored, ...anew };
    const { body } = await set.call<Debrief>('POST', `/api/sessions/${session.id}/rescore`);
    expect(body).toMatchObject({ ...anew, summary: 'As the model wrote it.' });
    const [clarity] = body.dimensions;
    expect(clarity?.checks?.map((check) => [check.id, check.evidence, check.quote])).toEqual([
      ['figure', evidence, null],
      ['early', null, null],
      ['warm', evidence, 'that is a hard week'],
      ['new', null, null],
    ]);
    expect(clarity?.faults?.map((fault) => fault.evidence)).toEqual([evidence]);
    expect((await set.call('GET', `/api/sessions/${session.id}/debrief`)).body).toEqual(body);
  });
});
