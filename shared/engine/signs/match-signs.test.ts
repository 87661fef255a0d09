import type { Sign } from '@parley/shared/contracts';
import { lineFacts } from './line-facts';
import { LONGEST_READ } from './line-reading';
import { matchSigns } from './match-signs';
import { prepareSigns } from './prepare-signs';
import { read } from '../../testing/engine/reading-fixture';
import { knowsLanguage, signLanguages } from './sign-languages';

const holds = (sign: Sign, line: string, context: Parameters<typeof read>[1] = {}): boolean =>
  matchSigns([sign], read(line, context)).holds;

describe('the sign person', () => {
  it.each([
    [['i'], "I'd go", true],
    [['i'], 'mine is the sheet', true],
    [['i'], 'We go', false],
    [['we'], "Let's go", true],
    [['we'], 'The US market', false],
    [['you'], 'Your turn', true],
    [['you'], 'Thank you', false],
    [['you'], 'I see your point', true],
    [['name'], "Dana's desk", true],
    [['name'], 'Halloran signs', true],
    [['name'], 'Marta signs', false],
    [['i', 'name'], 'Dana signs', true],
  ] as const)('%j in %s: %s', (person, line, expected) => {
    expect(holds({ person: [...person] }, line)).toBe(expected);
  });

  it('takes anybody when it is true, and nobody is nobody', () => {
    expect(holds({ person: true }, 'Dana signs.')).toBe(true);
    expect(holds({ person: true }, 'The pot has to go.')).toBe(false);
  });
});

describe('the signs words and line', () => {
  it('count words as people do', () => {
    expect(holds({ words: { at_least: 4, at_most: 4 } }, "I don't want 53,000!")).toBe(true);
    expect(holds({ words: { at_least: 5 } }, "I don't want 53,000!")).toBe(false);
    expect(holds({ words: {} }, '…!')).toBe(false);
  });

  it('know which line of the player it is', () => {
    expect(holds({ line: { by: 3 } }, 'x', { line: 3 })).toBe(true);
    expect(holds({ line: { by: 3 } }, 'x', { line: 4 })).toBe(false);
    expect(holds({ line: { from: 3 } }, 'x', { line: 2 })).toBe(false);
  });
});

describe('signs together', () => {
  it('any, all and not mean what they say, and show the words of the first and of all that hold', () => {
    const line = 'Sorry, I will bring it on Friday.';
    const spansOf = (sign: Sign) =>
      matchSigns([sign], read(line)).spans.map(({ start, end }) => line.slice(start, end));
    expect(spansOf({ any: [{ tone: ['insult'] }, { tone: ['apology'] }, { day: true }] })).toEqual(['Sorry']);
    expect(spansOf({ all: [{ tone: ['apology'] }, { day: true }] })).toEqual(['Sorry', 'on Friday']);
    expect(holds({ all: [{ tone: ['apology'] }, { tone: ['insult'] }] }, line)).toBe(false);
    expect(holds({ any: [{ tone: ['thanks'] }, { tone: ['insult'] }] }, line)).toBe(false);
    expect(holds({ not: { tone: ['insult'] } }, line)).toBe(true);
    expect(holds({ not: { tone: ['apology'] } }, line)).toBe(false);
  });

  it('hold as a list when all of them do, and an empty list never does', () => {
    const reading = read("I'd like 53,000, because I do two jobs.");
    const figure: Sign = { figure: { from: 40_000, to: 70_000 } };
    expect(matchSigns([figure, { says: ['because'] }], reading).holds).toBe(true);
    expect(matchSigns([figure, { says: ['since'] }], reading)).toEqual({ holds: false, spans: [] });
    expect(matchSigns([], reading)).toEqual({ holds: false, spans: [] });
  });

  it('give offsets in UTF-16 units, also behind characters of two units and composed ones', () => {
    const line = '😀 cafe\u0301 — “53,000” by Friday';
    const { spans } = matchSigns([{ figure: {} }, { day: true }], read(line));
    expect(spans.map(({ start, end }) => line.slice(start, end))).toEqual(['53,000', 'Friday']);
  });

  it('read the beginning of a text that no turn can be', () => {
    const line = `${'a '.repeat(LONGEST_READ / 2)}53,000`;
    expect(matchSigns([{ figure: {} }], read(line)).holds).toBe(false);
    expect(matchSigns([{ figure: {} }], read(line.slice(10_000 - LONGEST_READ))).holds).toBe(false);
    expect(matchSigns([{ figure: {} }], read(line.slice(-LONGEST_READ))).holds).toBe(true);
  });
});

describe('languages', () => {
  it('are told for each sign', () => {
    expect(signLanguages({ words: {} })).toBe('any');
    expect(signLanguages({ tone: ['shouting'] })).toBe('any');
    expect(signLanguages({ tone: ['shouting', 'hedge'] })).toEqual(['en', 'de']);
    expect(signLanguages({ figure: {} })).toEqual(['en', 'de']);
    expect(signLanguages({ any: [{ figure: {} }, { tone: ['hedge'] }] })).toEqual(['en', 'de']);
    expect(signLanguages({ not: { tone: ['hedge'] } })).toEqual(['en', 'de']);
  });

  it('of a list are those that all of its signs know', () => {
    expect(knowsLanguage([{ figure: {} }, { line: { by: 2 } }], 'de-AT')).toBe(true);
    expect(knowsLanguage([{ figure: {} }, { tone: ['hedge'] }], 'de')).toBe(true);
    expect(knowsLanguage([{ figure: {} }, { tone: ['hedge'] }], 'fr')).toBe(false);
    expect(knowsLanguage([{ figure: {} }, { tone: ['hedge'] }], 'EN')).toBe(true);
    expect(knowsLanguage([{ words: {} }], 'zh')).toBe(true);
    expect(knowsLanguage([{ says: ['a'] }], 'fr')).toBe(false);
  });
});

describe('lineFacts', () => {
  it('counts what the letter tells', () => {
    const reading = read("Sorry, maybe I'm always late. What do you need? Is that fair to seven people?", {
      lastNpcLine: 'I have seven people to be fair to.',
    });
    expect(lineFacts(reading)).toEqual({
      words: 15,
      questions_open: 1,
      questions_closed: 1,
      hedges: 1,
      apologies: 1,
      absolutes: 1,
      echoes: true,
    });
    expect(lineFacts(read(''))).toEqual({
      words: 0,
      questions_open: 0,
      questions_closed: 0,
      hedges: 0,
      apologies: 0,
      absolutes: 0,
      echoes: false,
    });
  });
});

describe('prepareSigns', () => {
  it('loads what signs need and changes nothing', () => {
    const signs: Sign[] = [{ day: true }, { tone: ['threat'] }];
    const line = 'By Friday, or else.';
    const before = matchSigns(signs, read(line));
    prepareSigns(signs, 'en-GB');
    prepareSigns(signs, 'xx');
    expect(matchSigns(signs, read(line))).toEqual(before);
    expect(before.holds).toBe(true);
  });
});
