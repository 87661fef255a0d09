import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const NPC = 'I have three percent on my own signature, so 47,900 at most. Fifty-three is a lot.';
const valuesOf = (line: string, language = 'en'): string[] =>
  read(line, { language, lastNpcLine: NPC }).figures.map(({ value, percent }) => `${value}${percent ? '%' : ''}`);
const holds = (line: string, figure: NonNullable<Parameters<typeof matchSigns>[0][number]['figure']>): boolean =>
  matchSigns([{ figure }], read(line, { lastNpcLine: NPC })).holds;
const wordsOf = (line: string, figure = {}): string[] =>
  matchSigns([{ figure }], read(line)).spans.map(({ start, end }) => line.slice(start, end));

describe('a figure is read in every usual spelling', () => {
  it.each([
    ['53,000', '53000'], ['53.000', '53000'], ['53 000', '53000'], ['53\u00a0000', '53000'], ['53\u202f000', '53000'], ["53'000", '53000'], ['53000', '53000'],
    ['53k', '53000'], ['53K', '53000'], ['53 k', '53000'], ['£53,000', '53000'], ['€53k', '53000'], ['53,000 euros', '53000'], ['53,5k', '53500'], ['53.5k', '53500'],
    ['1,250,000', '1250000'], ['1.2 million', '1200000'], ['46,500.50', '46500.5'], ['46.500,50', '46500.5'], ['5３,000', '53000'],
    ['fifty-three thousand', '53000'], ['fifty three thousand', '53000'], ['Fifty-Three Thousand', '53000'], ['fifty-three grand', '53000'], ['a hundred and eighteen thousand', '118000'],
    ['one hundred eighteen thousand', '118000'], ['fifty-three thousand two hundred', '53200'], ['half a million', '500000'], ['fifty-three and a half thousand', '53500'],
    ['14 percent', '14%'], ['14 per cent', '14%'], ['14 %', '14%'], ['14%', '14%'], ['fourteen percent', '14%'], ['three percentage points', '3%'], ['2.5 percent', '2.5%'],
  ])('%s', (spelling, value) => {
    expect(valuesOf(`I'd like ${spelling}.`)).toEqual([value]);
    expect(wordsOf(`I'd like ${spelling}.`)).toEqual([spelling]);
  }); // prettier-ignore

  it.each([
    ['dreiundfünfzigtausend', '53000'],
    ['53.000 Euro', '53000'],
    ['hundertachtzehntausend', '118000'],
    ['vierzehn Prozent', '14%'],
    ['53 Tsd', '53000'],
    ['zweihundertfünfzig', '250'],
  ])('in German: %s', (spelling, value) => {
    expect(valuesOf(`Ich möchte ${spelling}.`, 'de')).toEqual([value]);
  });

  it('in ranges, whose first end takes the unit of the second', () => {
    expect(valuesOf('Between 52 and 55k.')).toEqual(['52000', '55000']);
    expect(valuesOf('52 to 55 thousand')).toEqual(['52000', '55000']);
    expect(valuesOf('12-14 percent')).toEqual(['12%', '14%']);
    expect(valuesOf('three or four percent')).toEqual(['3%', '4%']);
  });
});

describe('a number that is no figure', () => {
  it.each([
    "I've been here 3 years.", 'I worked 60 hours last week.', 'At 10:30 on 15 March.', 'In 2024.', 'See page 12.', 'I live in flat 3B.', 'Room 214.', 'Grade 6 is next.',
    'The 3rd of May.', '24/7', '50/50', 'I come at 9.', 'By ten.', '1. The pot', 'On a scale from 1 to 10.', 'Two things.', "I'm a hundred percent sure.", 'A thousand thanks.',
    'Order 53114.', 'Call +49 170 1234567890.', 'Every 2 weeks.', "I'm 41 years old.", 'Q3', '#53000',
  ])('%s', (line) => {
    expect(valuesOf(line)).toEqual([]);
  }); // prettier-ignore
});

describe('a figure that the player does not name', () => {
  it.each([
    "I'm not asking for 53,000.",
    "I'm not asking for 53.",
    'I never said 53,000.',
    'Neither 50,000 nor 53,000.',
    'Forget the 53,000.',
    'A title instead of 53,000.',
    "53,000 isn't what I want.",
  ])('is denied: %s', (line) => expect(valuesOf(line)).toEqual([]));
  it.each([
    'You said 53,000?',
    'You said 53,000.',
    '53,000, you said?',
    'So you are offering 3 percent.',
    'Your 3 percent is a start.',
    'The 3 percent you mentioned.',
    'Dana said 47,900.',
    'Others would ask for 60,000.',
    'You said "47,900".',
    'Are you telling me 47,900 is all?',
    'I hear you: three percent.',
    'Torvald offered me 53,000.',
  ])('is reported: %s', (line) => expect(valuesOf(line)).toEqual([]));
  it.each([
    "If I asked for 53,000 you'd laugh.",
    "You'd laugh if I asked for 53,000.",
    'Suppose I asked for 53,000.',
    'I could have asked for 60,000.',
    "I could ask for 53,000, but I won't.",
    'Were I to ask for 53,000, would you laugh?',
  ])('is imagined: %s', (line) => expect(valuesOf(line)).toEqual([]));
  it.each([
    'Why 53,000?',
    'Where does 47,900 come from?',
    'Is it true that it pays 53,000?',
    '47,900?',
    'Three percent?',
    'What do you mean, 47,900?',
  ])('is only asked about: %s', (line) => expect(valuesOf(line)).toEqual([]));
  it('is copied', () => expect(valuesOf(NPC)).toEqual([]));
});

describe('a figure that the player names after all', () => {
  it.each([
    "I'm not asking for the moon, I'm asking for 53,000.", 'Not less than 53,000.', "I won't go below 53,000.", "I don't think 53,000 is too much.", "Isn't 53,000 fair?", "Why don't we say 53,000?",
    "It's not only the 53,000.", 'No, 53,000.', 'You said three percent, but I need 53,000.', 'You asked for a number: 53,000.', 'As I said, 53,000.', "If you could make it 53,000, I'd sign.", 'What if we said 53,000?',
    'How about 53,000?', 'Could we do 53,000?', "I see no reason why it can't be 53,000.", "I wouldn't say no to 53,000.", "I'd like 53,000, is that possible?", 'I told you 53,000.',
  ])('%s', (line) => expect(valuesOf(line)).toEqual(['53000'])); // prettier-ignore
});

describe('the sign figure', () => {
  it('keeps to its bounds', () => {
    expect(holds("I'd like 53,000.", { from: 53_000, to: 53_000 })).toBe(true);
    expect(holds("I'd like 53,000.", { from: 53_001 })).toBe(false);
    expect(holds("I'd like 53,000.", { to: 52_999 })).toBe(false);
  });

  it('reads a bare small figure as thousands only where thousands are asked for and nothing is counted', () => {
    expect(holds('Fifty-three would do.', { from: 40_000, to: 70_000 })).toBe(true);
    expect(holds('Between 52 and 55.', { from: 40_000, to: 70_000, count: 2 })).toBe(true);
    expect(holds('I closed 53 claims.', { from: 40_000, to: 70_000 })).toBe(false);
    expect(holds('It cost £53.', { from: 40_000, to: 70_000 })).toBe(false);
    expect(holds('Fifty-three would do.', { from: 100, to: 70_000 })).toBe(false);
  });

  it('tells percentages from other figures', () => {
    expect(holds('14 percent', { percent: true })).toBe(true);
    expect(holds('14 percent', { percent: false })).toBe(false);
    expect(holds('53,000', { percent: true })).toBe(false);
    expect(holds('53,000', { percent: false })).toBe(true);
  });

  it('counts different figures', () => {
    expect(holds('From 31 a month to 9.', { count: 2 })).toBe(true);
    expect(holds('53,000, and it stays 53,000.', { count: 2 })).toBe(false);
  });
});
