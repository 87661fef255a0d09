import path from 'node:path';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { temporaryFolder, minimalPack, writePack, type TemporaryFolder } from '@parley/shared/testing';
import { valueAt } from './meant-schema';
import { validatePack } from './validate-pack';

const SCRIPT = `schema_version: "0.2"
fixture_id: one
scenario_id: talk
description: D
turns:
  - turn: 1
    player_input: Hello
    npc: {npc_utterance: Hi., npc_emotion: warm, state_delta: {trust: 5}, event_flags: [apology]}
    expect: {flags: [apology], events: [says_sorry], state_vars: {trust: 45}}
static_assertions:
  - {description: opening, path: scenario.opening.npc_says, check: non_empty_string}
`;
const GERMAN = 'schema_version: "0.2"\nscenarios/talk.yaml: {title: Ein Gespräch, "goals.hidden[0]": Kim}\n';

/** The sample in format 0.2 with a script and a translation, as values. */
const PACK: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(minimalPack({ 'tests/one.yaml': SCRIPT, 'i18n/de.yaml': GERMAN }))
    .filter(([name]) => name.endsWith('.yaml'))
    .map(([name, text]) => [
      name,
      parse(
        String(text)
          .replace('schema_version: "0.1"', 'schema_version: "0.2"')
          .replace('[en]', '[en, de]')
          .replace('portrait: assets/kim.png', 'portrait: assets/kim.png\nalt: {portrait: Kim.}')
          .replace('title: A talk', 'title: A talk\nflags: {apology: Said sorry.}'),
      ) as unknown,
    ]),
);

function pathsIn(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [[...path], ...inner];
}
const PLACES = Object.entries(PACK).flatMap(([file, content]) => pathsIn(content).map((path) => ({ file, path })));

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'x',
    'two words',
    '10',
    'yes',
    0,
    -1,
    1.5,
    1e9,
    true,
    false,
    [],
    {},
    [null],
    [1],
    { a: 1 },
    { type: 'flag' },
    'trust > 5',
    undefined,
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

// Hundreds of packs are written to disk and read: on a busy machine that takes its time.
jest.setTimeout(300_000);

const OF_THE_SAMPLE = ['ref.missing-asset', 'lint.static-assertion', 'lint.untranslated'];

describe('packs with damaged members', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('damaged');
  });
  afterEach(() => folder.remove());

  it.each([7, 'two words'])('have one finding for one damaged member: %p', async (value) => {
    for (const [run, { file, path: keys }] of PLACES.entries()) {
      const pack = structuredClone(PACK);
      const parent = valueAt(pack[file], keys.slice(0, -1)) as Record<PropertyKey, unknown>;
      parent[keys.at(-1) ?? ''] = value;
      const files = Object.fromEntries(Object.entries(pack).map(([name, content]) => [name, stringify(content)]));
      const { findings } = await validatePack(
        writePack(path.join(folder.path, String(run)), { ...minimalPack(), ...files }),
      );
      // The sample is published without its picture and with one title translated, and the script says itself what it thinks
      // of the scenario.
      const told = findings.filter((one) => !OF_THE_SAMPLE.includes(one.rule));
      expect([file, keys, told.slice(1)]).toEqual([file, keys, []]);
    }
  });

  it('are read to the end: nothing throws, and every error has a place in a file', async () => {
    let run = 0;
    const damage = fc.record({ place: fc.constantFrom(...PLACES), value: junk });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const pack = structuredClone(PACK);
        for (const { place, value } of damages) {
          const parent = valueAt(pack[place.file], place.path.slice(0, -1));
          const key = place.path.at(-1);
          if (typeof parent !== 'object' || parent === null || key === undefined) continue;
          if (value === undefined && !Array.isArray(parent)) delete (parent as Record<PropertyKey, unknown>)[key];
          else (parent as Record<PropertyKey, unknown>)[key] = value;
        }
        const files = Object.fromEntries(Object.entries(pack).map(([name, content]) => [name, stringify(content)]));
        run += 1;
        const { valid, findings, scenarios } = await validatePack(
          writePack(path.join(folder.path, String(run)), { ...minimalPack(), ...files }),
        );
        const errors = findings.filter((one) => one.severity === 'error');
        expect(valid).toBe(errors.length === 0);
        expect(scenarios).toHaveLength(valid ? 1 : 0);
        for (const error of errors) expect([error.file, typeof error.line]).toEqual([error.file, 'number']);
      }),
      { numRuns: 150, seed: 20261122 },
    );
  });
});
