import { scenarioFixture } from '../../testing/scenario-fixture';
import { checkNarrative } from './check-narrative';
import { composeDebrief } from './compose-debrief';
import { events, scores, turns } from '../../testing/engine/finished-talk';
import { createGuard } from './guardrails';
import { relationshipRecap } from './relationship-recap';

const SAID: Record<string, string> = {
  de: 'Zwei Wochen? Das geht nicht.',
  sv: 'Två veckor? Det går inte.',
  fr: 'Deux semaines ? C’est impossible.',
  ja: '二週間もですか。それは無理です。',
  zh: '我今天真的不知道该怎么办。',
  th: 'ผมไม่รู้จะทำยังไงดีครับ',
};
const guardOf = (language: string) =>
  createGuard({
    content: scenarioFixture({ language, languages: [language] }),
    turns: [{ index: 1, role: 'npc', text: SAID[language] ?? '' }, ...turns.slice(1)],
  });

describe('the guardrails of a debrief in another language', () => {
  it.each([
    ['de', 'Sie sagte »Ich kündige sofort« und ging.'],
    ['de', 'Sie sagte „Ich kündige sofort“ und ging.'],
    ['de', 'Er sagte ‚Ich kündige sofort‘ und ging.'],
    ['de', 'Danach kam ›ich kündige‹ von ihr.'],
    ['sv', 'Hon sa ”Jag slutar nu” och gick.'],
    ['fr', 'Elle a dit « je pars demain » et puis rien.'],
    ['fr', 'Il a dit ‹ je pars demain › hier.'],
    ['ja', '彼女は「もう辞めます」と言いました。'],
    ['ja', '彼女は『もう辞めます』と言いました。'],
    ['zh', '她说“我再也不干了”。'],
    ['en', 'She said “I quit and never come back'],
  ])('take out what nobody said, whatever marks it stands in (%s: %s)', (language, sentence) => {
    expect(guardOf(language)(sentence)).toEqual({ text: '', removed: ['quotation'] });
  });

  it('take out a long quotation as a short one', () => {
    expect(guardOf('en')(`She said "${'I quit now '.repeat(60)}" then.`).removed).toEqual(['quotation']);
  });

  it.each([
    ['de', 'Sie sagte »Das geht nicht« und »zwei Wochen« dazu.'],
    ['sv', 'Hon sa ”Det går inte” och ”två veckor” till dig.'],
    ['fr', 'Elle a dit « c’est impossible » et « deux semaines ».'],
    ['ja', '彼女は「それは無理です」と言いました。'],
    ['zh', '她说“真的不知道该怎么办”。'],
    ['th', 'เขาพูดว่า “ไม่รู้จะทำยังไง” ตอนนั้น'],
  ])('keep what was said (%s: %s)', (language, sentence) => {
    expect(guardOf(language)(sentence)).toEqual({ text: sentence, removed: [] });
  });

  it.each([
    ['en', 'It shows in turns 2, 4, and 99.'],
    ['en', 'It shows in turns 2 through 99.'],
    ['en', 'It shows in turn number 99.'],
    ['en', 'The 99th turn shows it.'],
    ['de', 'Das zeigt Zug 99.'],
    ['de', 'Das zeigen die Züge 2 und 99.'],
    ['fr', 'Cela se voit au tour 99.'],
    ['es', 'Se ve en los turnos 2 y 99.'],
    ['ru', 'Это видно в реплике 99.'],
    ['ja', 'ターン99で見えます。'],
    ['zh', '第99轮说明了这一点。'],
  ])('take out a turn that does not exist (%s: %s)', (language, sentence) => {
    expect(guardOf(language)(sentence)).toEqual({ text: '', removed: ['unknown_turn'] });
  });

  it.each([
    ['en', 'It took 99 turns of yours; in turns 2, 3, and 4 it shows.'],
    ['en', 'A tour 99 minutes long.'],
    ['de', 'Das zeigt Zug 4 (Zug 2 bis 5).'],
    ['zh', '第4轮说明了这一点。'],
  ])('keep turns that exist, and numbers that name none (%s: %s)', (language, sentence) => {
    expect(guardOf(language)(sentence)).toEqual({ text: sentence, removed: [] });
  });

  it('take out one sentence and not the whole text, where sentences end in other marks', () => {
    const context = { content: scenarioFixture({ language: 'ja', languages: ['ja'] }), turns };
    const parsed = {
      summary: '早めに話しました。ターン99が弱いです。次は待ちましょう。',
      strengths: [],
      improvements: [],
    };
    expect(checkNarrative(parsed, context).narrative?.summary).toBe('早めに話しました。次は待ちましょう。');
  });
});

describe('what a character remembers of a talk in another language', () => {
  const observations = (improvement: string, said: string): string[] =>
    relationshipRecap({
      content: scenarioFixture(),
      previous: null,
      debrief: composeDebrief({
        session_id: 'abcdefghijklmnopqrstuvwx',
        content: scenarioFixture(),
        difficulty: 'standard',
        ending_type: 'failure',
        events,
        scores: { ...scores, dimensions: [] },
        narrative: { summary: 'Fine.', strengths: [], improvements: [improvement], replay_suggestions: [] },
        used_fallback: false,
        model_id: null,
        generated_at: '2026-01-01T00:00:00.000Z',
      }),
      texts: [said],
      at: '2026-01-02T00:00:00.000Z',
    }).key_observations;

  it.each([
    ['你说过我今天真的不知道该怎么办，下次早点说。', SAID['zh'] ?? ''],
    ['「それは無理です」と言われる前に話しましょう。', SAID['ja'] ?? ''],
    ['คราวหน้าอย่าพูดว่าผมไม่รู้จะทำยังไงดีครับ', SAID['th'] ?? ''],
  ])('holds none of it where words stand without spaces: %s', (improvement, said) => {
    expect(observations(improvement, said)).toEqual([]);
    expect(observations(improvement, '完全に別の話')).toEqual([improvement]);
  });

  it('does not take the parts of one word for words', () => {
    const improvement = 'अगली बार स्थिति पहले बताइए।';
    expect(observations(improvement, 'मेरी स्थिति खराब है।')).toEqual([improvement]);
    expect(observations(improvement, 'तो अगली बार स्थिति देखेंगे।')).toEqual([]);
  });

  it('is cut where there is no space, and never inside a character', () => {
    expect(observations('早'.repeat(200), 'Hm.')).toEqual([`${'早'.repeat(149)}…`]);
    const [kept = ''] = observations(`a${'👍'.repeat(100)}`, 'Hm.');
    expect([kept.isWellFormed(), kept.length <= 150]).toEqual([true, true]);
  });
});
