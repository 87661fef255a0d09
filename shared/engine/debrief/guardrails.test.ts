import { checkNarrative } from './check-narrative';
import { content, context } from '../../testing/engine/finished-talk';
import { createGuard } from './guardrails';
import { parseNarrative } from './parse-narrative';
import { sentencesOf } from './text-parts';

const guard = createGuard(context);

describe('sentencesOf', () => {
  it.each<[string, string[]]>([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['He said "so." Then', ['He said "so."', 'Then']],
    ['A line\nanother', ['A line', 'another']],
    ['Wait... what?!', ['Wait...', 'what?!']],
    ['(Done.) Next', ['(Done.)', 'Next']],
    ['... !', []],
    ['', []],
  ])('cuts %j', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });
});

describe('createGuard', () => {
  it.each([
    ['quotation', ['You said "nobody said this".', 'You said “nobody said this”.', 'Du: „nobody said this“.', 'Elle: «nobody said this».', "You said 'nobody said this'.", 'You said ‘nobody’s said this’.']],
    ['unknown_turn', ['See turn 99.', 'See turns 2, 99.', 'See turn #99.', 'In turns 2 to 99.', 'In turns 2 – 99.', 'In turns 2 & 99.', 'In turns 2 or 99.', 'At TURN 0.']],
    ['clinical', ['It is a diagnosis.', 'Symptoms of stress.', 'You have PTSD.', 'Signs of OCD.', 'Somewhat bipolar.', 'A narcissist.', 'Like a psychopath.', 'Sociopathic.', 'A personality disorder.', 'An eating disorder.', 'Clinically depressed.', 'Mental illness.', 'On the spectrum.', 'You should see a doctor.', 'Seek counselling.', 'I recommend therapy.', 'Try antidepressants.', 'Take a dose.', 'Talk to a psychologist.', 'Consider treatment.', 'You must consult a physician.']],
    ['guarantee', ['A guarantee.', 'It will definitely help.', "It'll surely help.", 'It is bound to help.', 'They are certain to agree.', 'It always works.', 'It never fails.', 'It cannot fail.', "It can't fail.", 'Works without fail.', 'A foolproof line.', 'It is fool-proof.', '100 % safe.', 'One hundred percent safe.', 'No doubt you can.', "You'll get it.", 'You will be promoted.', 'I promise.']],
  ] as const)('takes out sentences of the kind %s and says so', (reason, sentences) => {
    for (const sentence of sentences) {
      expect([sentence, guard(`Fine. ${sentence} Good.`)]).toEqual([sentence, { text: 'Fine. Good.', removed: [reason] }]);
    }
  }); // prettier-ignore

  it.each([
    'The doctor came up.',
    'You should wait.',
    'In turn 2 and 4.',
    'It works often.',
    'You will see.',
    'The point “Clarity” came up.',
    'The point “LISTENING” came up.',
    'The end “Shown the door” came.',
    'It was “The late delivery”.',
    'You made “Asks what she needs most.” early.',
    'He said "".',
    'The turning point was early.',
    "It's the player's own 'or' word.",
  ])('keeps: %s', (sentence) => {
    expect(guard(sentence)).toEqual({ text: sentence, removed: [] });
  });

  it('takes a reference in brackets without its sentence, round or square, and only a wrong one', () => {
    expect(guard('Good (turn 99). Better (turn 2). Best [see turns 2 and 99].')).toEqual({
      text: 'Good. Better (turn 2). Best.',
      removed: ['unknown_turn', 'unknown_turn'],
    });
  });

  it('takes a quotation of several sentences as one, and what goes on after it', () => {
    expect(guard('Fine. You said "Nobody. Said this." and left. Good.')).toEqual({
      text: 'Fine. Good.',
      removed: ['quotation'],
    });
    expect(guard('Fine. You said “Nobody. Said this.” Good.')).toEqual({ text: 'Fine. Good.', removed: ['quotation'] });
    expect(guard('You asked "so. and so" here. then more.').removed).toEqual(['quotation']);
  });

  it('reads quotations in other letters, marks and spaces as the same words', () => {
    expect(guard('You said “IT COMES   two-weeks late”.').removed).toEqual([]);
    expect(guard('You said “it comes two week”.').removed).toEqual(['quotation']);
  });
});

describe('checkNarrative, member by member', () => {
  const whole = { summary: 'Fine.', strengths: ['A.'], improvements: ['B.'], replay_suggestions: [] };

  it.each([[null], [[]], ['text'], [undefined], [3]])('makes nothing of %j', (parsed) => {
    expect(checkNarrative(parsed, context)).toEqual({ narrative: null, removed: ['shape'] });
  });

  it('makes nothing of a narrative without a summary, and names each wrong shape', () => {
    expect(checkNarrative({ ...whole, summary: 5 }, context)).toEqual({ narrative: null, removed: ['shape'] });
    expect(checkNarrative({ ...whole, strengths: 'A', improvements: [4, 'B.'] }, context)).toEqual({
      narrative: { ...whole, strengths: [] },
      removed: ['shape', 'shape'],
    });
    expect(checkNarrative(Object.create(whole), context).narrative).toBeNull();
  });

  it('bounds lists and says so', () => {
    const listed = { ...whole, strengths: ['A.', 'B.', 'C.', 'D.'], improvements: ['A.', 'B.', 'C.'] };
    expect(checkNarrative(listed, context)).toEqual({
      narrative: { ...whole, strengths: ['A.', 'B.', 'C.'], improvements: ['A.', 'B.'] },
      removed: ['too_many', 'too_many'],
    });
  });

  it('bounds texts at a sentence, or in the first one, and takes control characters out', () => {
    const summary = (text: string) => checkNarrative({ ...whole, summary: text }, context).narrative?.summary;
    expect(summary('a\u0007b\ud800c.')).toBe('a b c.');
    expect(summary(`${'a'.repeat(1199)}.`)).toHaveLength(1200);
    expect(summary(`Short. ${'a'.repeat(1300)}.`)).toBe('Short.');
    expect(summary('a'.repeat(1300))).toBe(`${'a'.repeat(1199)}…`);
    const sentence = `${'b'.repeat(398)}.`;
    expect(summary(`${sentence} ${sentence} ${sentence} ${sentence}`)).toBe(`${sentence} ${sentence} ${sentence}`);
  });

  it('ties suggestions to turns of the player: the one named, the answer to it, or the one before', () => {
    const at = (...turns: unknown[]) =>
      checkNarrative({ ...whole, replay_suggestions: turns.map((turn) => ({ turn, suggestion: 'C.' })) }, context);
    expect(at(2, 3, 1).narrative?.replay_suggestions.map(({ turn }) => turn)).toEqual([2, 4, 2]);
    expect(at(5).narrative?.replay_suggestions.map(({ turn }) => turn)).toEqual([4]);
    expect(at(99, '2', null)).toEqual({ narrative: whole, removed: ['unknown_turn', 'unknown_turn', 'unknown_turn'] });
    expect(at(2, 2, 2, 2).narrative?.replay_suggestions).toHaveLength(3);
    const odd = checkNarrative({ ...whole, replay_suggestions: ['x', { turn: 2, suggestion: 7 }] }, context);
    expect(odd).toEqual({ narrative: whole, removed: ['unknown_turn', 'shape'] });
    expect(checkNarrative({ ...whole, replay_suggestions: 'x' }, context).narrative).toEqual(whole);
  });

  it('quotes nothing of turns whose words were not kept', () => {
    const turns = context.turns.map((turn) => ({ ...turn, text: null }));
    expect(createGuard({ content, turns })('You said "It comes two weeks late".').removed).toEqual(['quotation']);
  });
});

describe('parseNarrative', () => {
  it.each<[string, object | null, object | null]>([
    ['', { summary: 'a' }, { summary: 'a' }],
    ['{"summary":"b"}', { other: 'a' }, { summary: 'b' }],
    ['{"other":"b"}', null, { other: 'b' }],
    ['So: {"other":1} {"summary":"b"}', null, { summary: 'b' }],
    ['So: {"summary":"b", "strengths": ["c', null, { summary: 'b', strengths: ['c'] }],
    ['nothing', null, null],
  ])('reads %j', (text, structured, expected) => {
    expect(parseNarrative(text, structured)).toEqual(expected);
  });
});
