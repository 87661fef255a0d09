import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeLine } from '@parley/shared/engine';
import { minimalPack, writePack, type PackFiles } from '@parley/shared/testing';
import { contentIn } from '../catalogue/compile-pack';
import { validatePack } from '../import/validating/validate-pack';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-i18n-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = minimalPack();
const text = (name: string): string => String(files[name]);
const TALK = text('scenarios/talk.yaml').replace('schema_version: "0.1"', 'schema_version: "0.2"')
  .concat(`flags: {apology: The player says sorry.}
moves:
  - id: says_why
    description: Says why.
    signs: [{says: [because, since]}]
    exemplars: ["Because it matters to me."]
`);
const PACK: PackFiles = {
  ...files,
  'manifest.yaml': text('manifest.yaml').replace('[en]', '[en, de]'),
  'scenarios/talk.yaml': TALK,
};
const validate = (german: string) => {
  const root = path.join(folder, 'pack');
  writePack(root, { ...PACK, 'i18n/de.yaml': `schema_version: "0.2"\n${german}` });
  return validatePack(root);
};
const SIGNS = `scenarios/talk.yaml:
  moves[id=says_why].signs: [{says: [weil, "aus dem Grund"]}]
`;

describe('signs of a translation', () => {
  it('stand in the place of the original ones, and prove a move in that language only', async () => {
    const { scenarios, valid } = await validate(
      `${SIGNS}  moves[id=says_why].exemplars: ["Weil es mir wichtig ist."]\n`,
    );
    expect(valid).toBe(true);
    const [scenario] = scenarios;
    if (scenario === undefined) throw new Error('The scenario was not compiled.');
    const made = (language: string, line: string): string[] => {
      const context = { language, line: 1, turn: 2, lastNpcLine: null, earlierLines: [] };
      return judgeLine({ ...context, content: contentIn(scenario, language) }, line).moves.map(({ id }) => id);
    };
    expect(made('de', 'Ich sage das, weil es mir wichtig ist.')).toEqual(['says_why']);
    expect(made('en', 'Ich sage das, weil es mir wichtig ist.')).toEqual([]);
    expect(made('en', 'Because it matters to me.')).toEqual(['says_why']);
    expect(made('de', 'Because it matters to me.')).toEqual([]);
  });

  it('are proven against the exemplars of their language, at the place of the line', async () => {
    const { findings } = await validate(`${SIGNS}  moves[id=says_why].exemplars:\n    - Das ist mir wichtig.\n`);
    expect(findings.filter(({ rule }) => rule === 'lint.exemplar')).toMatchObject([
      { file: 'i18n/de.yaml', line: 5, message: expect.stringContaining('says_why') as string },
    ]);
  });

  it.each([
    ['moves[id=says_why].signs: Weil', 'schema.i18n', 'is a list of signs'],
    ['moves[id=says_why].signs: [weil]', 'schema.i18n', 'is a list of signs'],
    ['moves[id=says_why].signs: [{sagt: [weil]}]', 'schema.i18n', ''],
    ['moves[id=says_why].exemplars: Weil es so ist.', 'schema.i18n', 'is a list of texts'],
    ['moves[id=says_why].description: [Sagt, warum]', 'schema.i18n', 'is one text'],
    ['moves[id=says_warum].description: Sagt', 'ref.unknown', 'has no member'],
    ['scenario_id: gespraech', 'schema.i18n', 'is no text to translate'],
  ])('are refused as something else: %s', async (line, rule, message) => {
    const { findings, valid } = await validate(`scenarios/talk.yaml:\n  ${line}\n`);
    expect(valid).toBe(false);
    const told = findings.filter(({ severity }) => severity === 'error');
    expect(told).toMatchObject([{ rule, file: 'i18n/de.yaml', line: 3 }]);
    expect(told[0]?.message).toContain(message);
  });
});

describe('lint.untranslated', () => {
  it('names what a session in that language would show in another, file by file', async () => {
    const { findings } = await validate(SIGNS);
    const told = findings.filter(({ rule }) => rule === 'lint.untranslated');
    expect(told.map(({ file, severity }) => [file, severity])).toEqual(told.map(() => ['i18n/de.yaml', 'warning']));
    const talk = told.find(({ message }) => message.startsWith('scenarios/talk.yaml'));
    expect(talk).toMatchObject({ line: 2, message: expect.stringContaining('title, summary') as string });
    // What was translated is not among them, and neither are ids and choices.
    expect(talk?.message).not.toContain('signs');
    expect(told.map(({ message }) => message.split(' ')[0])).toEqual(
      expect.arrayContaining(['manifest.yaml', 'npcs/kim.yaml', 'rubrics/basics.yaml']),
    );
  });

  it('is silent of a pack without translations', async () => {
    const root = path.join(folder, 'pack');
    writePack(root, { ...PACK, 'manifest.yaml': text('manifest.yaml') });
    const { findings } = await validatePack(root);
    expect(findings.filter(({ rule }) => rule === 'lint.untranslated')).toEqual([]);
  });
});
