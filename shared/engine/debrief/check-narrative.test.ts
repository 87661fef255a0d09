import fc from 'fast-check';
import { DebriefNarrative } from '@parley/shared/contracts';
import { checkNarrative } from './check-narrative';
import { content, context, turns } from '../../testing/engine/finished-talk';
import { parseNarrative } from './parse-narrative';

describe('checkNarrative', () => {
  const narrative = {
    summary: 'Name the delay first, as in turn 2. The talk broke off.',
    strengths: ['Clarity showed in turn 2.'],
    improvements: ['Say back what worries her.', 'Ask what she needs.', 'A third one.'],
    replay_suggestions: [{ turn: 4, suggestion: 'Ask what the delay costs her.' }],
  };
  const summaryOf = (summary: string) =>
    checkNarrative({ ...narrative, summary: `Fine. ${summary}` }, context).narrative?.summary;

  it('leaves a sound narrative as it is but for a third improvement', () => {
    const checked = checkNarrative(narrative, context);
    expect(checked.narrative).toEqual({ ...narrative, improvements: narrative.improvements.slice(0, 2) });
    expect(checked.removed).toEqual(['too_many']);
    expect(DebriefNarrative.safeParse(checked.narrative).success).toBe(true);
  });

  it.each([
    'You said "trust me on this one".',
    'You said “it will be fine. I swear it.” and moved on.',
    "She heard 'nothing can be done' from you.",
    'Das war „nie gesagt worden“.',
    'See turn 40.',
    'Turns 2 and 17 show it.',
    'This looks like a symptom of ADHD.',
    'You should see a therapist about this.',
    'Consider medication for your nerves.',
    'Do this and you will get the raise.',
    'This is guaranteed to work.',
    'It always works.',
    'It works 100% of the time.',
  ])('removes: %s', (sentence) => {
    expect(summaryOf(sentence)).toBe('Fine.');
  });

  it.each([
    'You said "It comes two weeks late, and I\'m sorry."',
    "You called it 'only a part' in turn 4.",
    'In turns 2-4 the pace changed.',
    'The move “plain_news” was made in turn 2.',
    "She didn't hear what the player's plan was.",
    'The treatment of the topic was brief.',
    'The doctor in the story was mentioned.',
    'You promised a date.',
    'The ending was “Shown the door”.',
  ])('keeps: %s', (sentence) => {
    expect(summaryOf(sentence)).toBe(`Fine. ${sentence}`);
  });

  it('takes a reference in brackets to a turn that does not exist without its sentence', () => {
    expect(summaryOf('The pace was even (turn 99).')).toBe('Fine. The pace was even.');
  });

  it('ties suggestions to turns of the player', () => {
    const suggest = (turn: unknown) =>
      checkNarrative({ ...narrative, replay_suggestions: [{ turn, suggestion: 'Again.' }] }, context).narrative
        ?.replay_suggestions;
    expect(suggest(2)).toEqual([{ turn: 2, suggestion: 'Again.' }]);
    expect(suggest(3)).toEqual([{ turn: 4, suggestion: 'Again.' }]);
    expect(suggest(5)).toEqual([{ turn: 4, suggestion: 'Again.' }]);
    expect(suggest(77)).toEqual([]);
    expect(suggest('2')).toEqual([]);
  });

  it('keeps three suggestions and no empty one, and whole sentences within the bounds', () => {
    const suggestion = (text: string) => ({ turn: 2, suggestion: text });
    const many = ['One.', '', 'Two.', 'You will get it.', 'Three.', 'Four.'].map(suggestion);
    const long = `${'A sentence of some length. '.repeat(40)}`;
    const checked = checkNarrative(
      { ...narrative, replay_suggestions: many, strengths: [long, 'x'.repeat(900)] },
      context,
    );
    expect(checked.narrative?.replay_suggestions).toEqual(['One.', 'Two.', 'Three.'].map(suggestion));
    const [first = '', second = ''] = checked.narrative?.strengths ?? [];
    expect(first).toMatch(/length\.$/);
    expect(first.length).toBeGreaterThan(370);
    expect(first.length).toBeLessThanOrEqual(400);
    expect(second).toBe(`${'x'.repeat(399)}…`);
  });

  it('answers null when nothing usable is left', () => {
    expect(checkNarrative({ ...narrative, summary: 'You will get it.' }, context).narrative).toBeNull();
    for (const value of [null, 'text', [], {}, { summary: 5 }])
      expect(checkNarrative(value, context).narrative).toBeNull();
  });

  it('lets no quotation stand when the words were not kept', () => {
    const lost = { content, turns: turns.map((turn) => ({ ...turn, text: null })) };
    const checked = checkNarrative({ ...narrative, summary: 'Fine. You said "only a part".' }, lost);
    expect(checked.narrative?.summary).toBe('Fine.');
  });

  it('never throws and always answers what the contract takes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({
            summary: fc.string({ unit: 'binary' }),
            strengths: fc.anything(),
            improvements: fc.array(fc.string({ maxLength: 900 })),
            replay_suggestions: fc.array(fc.record({ turn: fc.integer(), suggestion: fc.string() })),
          }),
        ),
        (value) => {
          const checked = checkNarrative(value, context);
          if (checked.narrative) expect(DebriefNarrative.safeParse(checked.narrative).success).toBe(true);
        },
      ),
    );
  });
});

describe('parseNarrative', () => {
  it('finds the object as the reply parser does', () => {
    expect(parseNarrative('', { summary: 'x' })).toEqual({ summary: 'x' });
    expect(parseNarrative('Here: {"summary":"x"} bye', null)).toEqual({ summary: 'x' });
    expect(parseNarrative('{"summary":"x", "strengths": ["a', null)).toEqual({ summary: 'x', strengths: ['a'] });
    expect(parseNarrative('no object', null)).toBeNull();
  });
});
