import {
  debriefFor,
  playthrough,
  playToEnd,
  startedSession,
  startParleySet,
  transcriptOf,
  type ParleySet,
} from '../set';

/** Words of English: one in what a learner reads is a sentence that somebody forgot. */
const ENGLISH = /\b(?:the|your|you|line|lines|it|its|of|talk|again|this|that|say|there|and|not|with|from|on)\b/i;

describe('a session in German, with the demo voice', () => {
  let set: ParleySet;
  beforeAll(async () => {
    set = await startParleySet({});
  });
  afterAll(() => set.stop());

  it('begins, answers, ends and is told of in German', async () => {
    const { id, language } = await startedSession(set, 'first_words', { language: 'de' });
    expect(language).toBe('de');
    expect(await playToEnd(set, id, playthrough('first_words', 'skilled_de'))).toMatchObject({
      ending_type: 'success',
      ending_id: 'room_for_two',
    });
    const { turns } = await transcriptOf(set, id);
    expect(turns.map(({ text }) => text).filter((text) => text === null || ENGLISH.test(text))).toEqual([]);
    const debrief = await debriefFor(set, id);
    expect(debrief.overall_score).toBeGreaterThanOrEqual(85);
    const told = [
      debrief.summary,
      ...debrief.strengths,
      ...debrief.improvements,
      ...debrief.replay_suggestions.map(({ suggestion }) => suggestion),
      ...debrief.turning_points.map(({ description }) => description),
      ...debrief.dimensions.flatMap(({ name, checks = [] }) => [name, ...checks.map(({ text }) => text)]),
      debrief.moment?.author_note ?? '',
    ];
    expect(told.filter((text) => ENGLISH.test(text))).toEqual([]);
    expect(debrief.summary).toContain('Das Gespräch hat sein Ziel erreicht');
  });
});
