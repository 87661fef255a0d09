import { read } from '../../testing/engine/reading-fixture';

describe('a stuffed line', () => {
  it.each([
    '53,000 because evidence Friday sorry thanks understand limit option grade page Ines next step',
    'sorry, thanks, Friday, 53,000, because, what, need, we, plan, agreed',
    "I'd like 53,000. I'd like 53,000. I'd like 53,000.",
    'raise raise raise raise raise raise raise raise raise raise raise raise raise raise',
    'because since 53,000 Friday we I you what how need sorry thanks feel',
    'Salary 53000. Freight 118k. Claims 41k. Ines page. Friday noon. Grade 8.',
    'raise salary money, evidence freight claims, because Friday page, sorry thanks understand',
    'asdf qwer tzui vbnm yxcv hjkl poiu mnbv',
  ])('is noticed: %s', (line) => expect(read(line).stuffed).toBe(true));

  it.each([
    'Okay.',
    'Yes. Okay. Right. Fine. Good. Thanks.',
    'No no no, I did not mean it like that, sorry, let me try again.',
    'Freight invoices, stock-out log, claims won since March: all on one page with ledger numbers.',
    'i dont know what to say but i work hard and i think i earned more money than i get',
    'I want to stay, I want to grow, and I want to be paid for the work I do.',
    'Express freight down 118k. Claims 41k recovered. 57 of 62 delivered. Zero lost.',
    'Stock-outs 31 to 9, freight minus 118,000, claims 41,000 back.',
    "Monday's meeting. Amina speaking. Slide four. You interrupted Amina three times.",
    'Eilfracht um 118 Tausend gesunken. 41 Tausend Euro Reklamationen zurückgeholt. Fehlbestand 31 auf 9.',
    'Pot, hob, floor, bins. I will take the floor and the bins.',
  ])('is not what people write: %s', (line) => expect(read(line).stuffed).toBe(false));

  it('is seen by its repetition alone in other languages', () => {
    expect(read('Je voudrais parler. Je voudrais parler. Je voudrais parler.', { language: 'fr' }).stuffed).toBe(true);
    expect(
      read('salaire chiffres résultats vendredi page bureau primes grade option', { language: 'fr' }).stuffed,
    ).toBe(false);
  });
});

describe('a repeated line', () => {
  const repeats = (line: string, ...earlierLines: string[]): boolean => read(line, { earlierLines }).repeated;

  it('is the same words again, whatever the case, marks and spelling of numbers', () => {
    expect(
      repeats('I want 53 000, because I do two jobs!', 'Hello.', 'I want 53,000 because I do two jobs.', 'Well.'),
    ).toBe(true);
    expect(
      repeats(
        'I just want a fair salary for the two jobs I do.',
        'Honestly I just want a fair salary for the two jobs I do.',
      ),
    ).toBe(true);
  });

  it('is not another line, nor one or two words', () => {
    expect(repeats('I want 53,000, and here is what it rests on.', 'I want 53,000 because I do two jobs.')).toBe(false);
    expect(repeats('I see.', 'I see.')).toBe(false);
    expect(repeats('What limits Ines here?', 'What limits you here?')).toBe(false);
  });
});
