import { hasOpenQuotation, quotationsIn } from './quotations';

describe('a quotation', () => {
  it.each([
    ['no marks', false],
    ['“one', true],
    ['“one”', false],
    ['“one” and “two', true],
    ['„eins', true],
    ['„eins“', false],
    ['„eins” und', false],
    ['„eins“ und „zwei', true],
    ['”ett', true],
    ['”ett”', false],
    ['”ett” och ”två', true],
    ['“one” and a stray ”', false],
    ['«un', true],
    ['«un»', false],
    ['«un» et «deux', true],
    ['«un» et «deux»', false],
    ['»eins', true],
    ['»eins«', false],
    ['»eins« und »zwei', true],
    ['»eins« und »zwei«', false],
    ['»yksi»', false],
    ['»yksi» ja »kaksi', true],
    ['"one', true],
    ['"one"', false],
    ['「一', true],
    ['「一」', false],
    ['『一', true],
    ['『一』', false],
  ] as const)('that begins in %s is still open: %s', (text, isOpen) => {
    expect(hasOpenQuotation(text)).toBe(isOpen);
  });

  it.each([
    ['He said “one” and "two".', ['one', 'two']],
    ['Er sagte »eins« und ›zwei‹.', ['eins', 'zwei']],
    ['Il a dit « un » puis ‹deux›.', [' un ', 'deux']],
    ['Hän sanoi »yksi» ja ”kaksi”.', ['yksi', 'kaksi']],
    ['Sie sagte ‚drei‘ und „vier“.', ['drei', 'vier']],
    ['彼は「一」と『二』', ['一', '二']],
    ['She said “one and went', ['one and went']],
    ["It's the boss's, isn't it", []],
    ["She said 'not today' twice", ['not today']],
  ])('is found in %s', (text, found) => {
    expect(quotationsIn(text).sort()).toEqual([...found].sort());
  });
});
