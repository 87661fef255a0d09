import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const kindsOf = (line: string, language = 'en', lastNpcLine: string | null = null): string[] =>
  read(line, { language, lastNpcLine }).questions.map(({ open }) => (open ? 'open' : 'closed'));

describe('an open question', () => {
  it.each([
    'What do you need?', 'what do you need', 'How does it look from your side?', 'Why is that?', 'Who decides the rest?', 'Tell me more about the freeze.', 'Help me understand what finance looks at.', 'Could you walk me through it, and what comes first?',
    "I'd like to hear what is in your way.", 'I wonder how it looked to you.', 'If it were up to you, what would you do?', 'And what limits you?', 'In what way would that help?', 'Before I go on: what can you decide?', 'Explain to me how the grades work.', 'Say more about that, please.',
    'How come?', 'How do you really feel about it?', 'What would you seriously consider?', "What's stopping you?", 'whats going on with you?', 'Can we talk about what happened, and how you see it?',
  ])('%s', (line) => expect(kindsOf(line)).toContain('open')); // prettier-ignore
});

describe('a closed question', () => {
  it.each([
    'Can you do more?', 'Is there any room', 'When does it end?', 'How much can you sign for?', 'How long have you known?', 'What time is it?', 'Does that work for you?', 'You agree, right?', 'How about Friday?', 'What if we swapped?', "Why don't we sit down?",
    'Which day works?', 'Long day?', 'Okay?', 'Three or four?', 'What percentage can you sign?',
  ])('%s', (line) => expect(kindsOf(line)).toEqual(['closed'])); // prettier-ignore

  it.each([
    'Who do you think you are?',
    'What is wrong with you?',
    'How dare you?',
    'What am I, a machine?',
    'Why should I care?',
  ])('is what a rhetorical one counts as: %s', (line) => expect(kindsOf(line)).toEqual(['closed']));
});

describe('a greeting, and asking for what was said again', () => {
  it.each([
    'How are you?', 'Hi Dana, how are you doing today?', 'how are you', "Hey, how's it going?", 'How are things, Mrs Adeyemi?', 'What do you mean?', 'Sorry, what did you say?', 'What was that again?', 'Good afternoon Mrs Adeyemi, how are you?',
  ])('is a closed question: %s', (line) => expect(kindsOf(line)).toEqual(['closed'])); // prettier-ignore

  it.each([
    'Wie geht es Ihnen?',
    "Hallo Otto, wie geht's dir denn heute?",
    'Was meinst du damit?',
    'Wie meinen Sie das?',
    'Was haben Sie gesagt?',
  ])('in German as well: %s', (line) => expect(kindsOf(line, 'de')).toEqual(['closed']));

  it.each([
    'How are you managing?', 'How are you, with all this going on?', 'How are you coping with the cold?', 'What do you mean by adjectives?', 'How are things between you and Ines?', 'How are you? And what has it been like for you?',
  ])('is an open one with a matter in it: %s', (line) => expect(kindsOf(line)).toContain('open')); // prettier-ignore

  it.each(['Wie geht es dir mit dem Plan?', 'Was meinst du mit dem Zettel?', 'Wie geht es jetzt weiter?'])(
    'and so in German: %s',
    (line) => expect(kindsOf(line, 'de')).toEqual(['open']),
  );
});

describe('no question', () => {
  it.each([
    'What I need is time.', 'What matters to me is a plan.', 'How I feel does not matter.', "That's why I came.", 'I asked what you need.', 'When I came home, the pot was there.', 'Which brings me to my point.', 'What a mess.', 'How nice of you.', 'Do it now.', 'I know who decides.',
    '"What do you need?" is what you should have asked me.', 'Let me tell you what I did.', 'Whatever you think.',
  ])('%s', (line) => expect(kindsOf(line)).toEqual([])); // prettier-ignore

  it('is what is copied from the other or quoted as theirs', () => {
    expect(kindsOf('Who writes it?', 'en', 'The page is due. Who writes it?')).toEqual([]);
    expect(kindsOf('You asked "what do you need?"')).toEqual([]);
  });
});

describe('the sign question', () => {
  it('asks for its kind and shows the question', () => {
    const line = 'I see. What do you need? Is that all?';
    const spansOf = (question: 'open' | 'closed' | 'any') =>
      matchSigns([{ question }], read(line)).spans.map(({ start, end }) => line.slice(start, end));
    expect(spansOf('open')).toEqual(['What do you need?']);
    expect(spansOf('closed')).toEqual(['Is that all?']);
    expect(spansOf('any')).toEqual(['What do you need?', 'Is that all?']);
  });

  it('in German tells open from closed', () => {
    expect(kindsOf('Was brauchen Sie?', 'de')).toEqual(['open']);
    expect(kindsOf('Mit wem reden Sie?', 'de')).toEqual(['open']);
    expect(kindsOf('Wann endet das?', 'de')).toEqual(['closed']);
    expect(kindsOf('Was ich brauche, ist Zeit.', 'de')).toEqual([]);
  });
});
