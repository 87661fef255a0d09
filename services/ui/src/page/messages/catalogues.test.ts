import { de } from './de';
import { en } from './en';
import { lineInSentence, lineLabel, withLines } from './line-names';
import { chooseMessages } from './use-messages';

type Leaf = readonly [path: string, value: unknown];

function leavesOf(value: unknown, path = ''): Leaf[] {
  if (value instanceof RegExp || typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}.${name}`));
}

/** What a sentence of the catalogue says when it is given numbers and names. */
function said(value: unknown): string {
  if (typeof value !== 'function') return String(value);
  const given = Array.from({ length: value.length }, (_one, at) => 2 + at);
  return String((value as (...values: unknown[]) => unknown)(...given));
}

const english = new Map(leavesOf(en));
const german = new Map(leavesOf(de));

/** Names, units and places that are the same in both. */
const SAME =
  /^\.(?:language|app\.name|emotions|lines\.|models\.(?:size|sidecarFacts)|diagnostics\.(?:name|status|megabytes)|connect\.(?:products|kinds\.local_native)|packs\.title|practice|stage\.answerOf|moment\.replied|help\.keys\.\d\.0\.|help\.keys\.4)/;

describe('the catalogues of the page', () => {
  it('say the same things in every language, down to the last item of a list', () => {
    const namesOf = (leaves: Map<string, unknown>) =>
      [...leaves.keys()].filter((path) => !path.startsWith('.emotions')).sort();
    expect(namesOf(german)).toEqual(namesOf(english));
    for (const [path, value] of english) {
      if (path.startsWith('.emotions')) continue;
      const other = german.get(path);
      expect([path, typeof other]).toEqual([path, typeof value]);
      if (typeof value === 'function') expect([path, (other as () => void).length]).toEqual([path, value.length]);
    }
  });

  it('leave no sentence as it was', () => {
    const untranslated = [...english].flatMap(([path, value]) =>
      !SAME.test(path) && said(value) === said(german.get(path)) && /\p{L}{3}/u.test(said(value)) ? [path] : [],
    );
    expect(untranslated).toEqual([]);
  });

  it.each([...german].filter(([, value]) => !(value instanceof RegExp)))('%s reads as German does', (path, value) => {
    const text = said(value);
    expect(text).not.toMatch(/undefined|NaN|\.\.\.|"|\s$|^\s/);
    // Quotation marks open below, and a sentence is not left in the form of politeness.
    expect(text).not.toMatch(/“[^„“”]*”/);
    expect([path, /\b(?:Ihr|Ihre|Ihnen|Ihren)\b/.test(text) && !path.startsWith('.draft')]).toEqual([path, false]);
  });

  it('are chosen by the first language of the browser that is there', async () => {
    expect(await chooseMessages(['fr-FR', 'de-AT', 'en'])).toBe(de);
    expect(await chooseMessages(['en-GB', 'de'])).toBe(en);
    expect(await chooseMessages(['toString', 'fr'])).toBe(en);
    expect(await chooseMessages([])).toBe(en);
  });
});

describe('lines in German', () => {
  it('are named so that they fit into any sentence', () => {
    expect([lineLabel(de, 1), lineLabel(de, 4), lineLabel(de, 5)]).toEqual([
      'Anfang',
      'Zeile 2',
      'Antwort auf deine Zeile 2',
    ]);
    expect(lineInSentence(de, 5)).toBe('Antwort auf Zeile 2');
    expect(withLines(de, 'Der Ton kippte in Zug 4 und nach Turn 6.', 9)).toBe(
      'Der Ton kippte in Zeile 2 und nach Zeile 3.',
    );
    expect(withLines(de, 'Die Züge 4 und 6 waren gut.', 9)).toBe('Die Zeilen 2 und 3 waren gut.');
  });
});
