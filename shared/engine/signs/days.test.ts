import { matchSigns } from './match-signs';
import { read } from '../../testing/engine/reading-fixture';

const daysIn = (line: string, language = 'en', lastNpcLine: string | null = null): string[] =>
  matchSigns([{ day: true }], read(line, { language, lastNpcLine })).spans.map(({ start, end }) =>
    line.slice(start, end),
  );

describe('the sign day', () => {
  it.each([
    ['The page is done by Friday.', 'Friday'], ['In two weeks.', 'In two weeks'], ['We talk next month.', 'next month'], ['At 10 tomorrow.', 'At 10 tomorrow'], ['On 15 March.', '15 March'],
    ['Mondays are mine.', 'Mondays'], ['It is done by noon.', 'noon'], ['Not before half past nine.', 'half past nine'], ['By the end of the week.', 'By the end of the week'], ['After the weekend.', 'the weekend'],
    ['Two Sundays from now.', 'Two Sundays from now'], ["I've been here 3 years.", '3 years'], ['Since March.', 'March'], ['In spring.', 'In spring'], ['By the 14th.', 'the 14th'],
    ['At the close of business.', 'At the close of business'], ['In January.', 'January'], ['I asked in 2024.', 'in 2024'], ['Every Monday.', 'Every Monday'], ['tomorrow’s meeting', 'tomorrow’s'], ['At 3 p.m. then.', 'At 3 p.m'],
    ['This week is full.', 'This week'], ['For eleven years.', 'For eleven years'],
  ])('finds it in: %s', (line, day) => {
    expect(daysIn(line).join(' | ')).toContain(day);
  }); // prettier-ignore

  it.each([
    'Someday I will lead.', 'One day you will see.', 'Soon.', 'Right now.', 'Just a second.', 'In a minute.', 'I sat there.', 'I may need help.', 'We march on.', 'At the end of the day it is about trust.', 'Sooner or later.',
    'Good night.', 'I work day and night.', 'From 31 to 9.', 'Not on Friday.', '12 to 14 percent.', '53,000 a year',
  ])('finds none in: %s', (line) => {
    expect(daysIn(line)).toEqual([]);
  }); // prettier-ignore

  it('takes no day from the other: a copied line, words in quotation marks, a question what was said', () => {
    expect(daysIn('The page is due on Friday.', 'en', 'All right. The page is due on Friday.')).toEqual([]);
    expect(daysIn('You said "by Friday".')).toEqual([]);
    expect(daysIn('You said Friday?')).toEqual([]);
    expect(daysIn("You said you'd do it on Friday, so I waited.")).toEqual(['on Friday']);
  });

  it.each([
    ['Bis Freitag.', 'Freitag'],
    ['In zwei Wochen.', 'zwei Wochen'],
    ['Morgen um 10 Uhr.', 'Morgen um 10 Uhr'],
    ['Seit April.', 'April'],
  ])('in German: %s', (line, day) => {
    expect(daysIn(line, 'de').join(' | ')).toContain(day);
  });

  it('knows no other language', () => {
    expect(daysIn('On Friday.', 'fr')).toEqual([]);
  });
});
