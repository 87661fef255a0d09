import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { stringify } from 'yaml';
import { YamlLanguageServer } from '../../testing/yaml-language-server';
import { newPack } from './new-command';

const SCHEMAS = path.resolve(__dirname, '../../../../schemas');
/** The schema of each kind of file, with a file of that kind. */
const FILES = {
  'manifest-file': 'manifest.yaml',
  'scenario-file': 'scenarios/one.yaml',
  'npc-file': 'npcs/one.yaml',
  'rubric-file': 'rubrics/one.yaml',
  'safety-file': 'safety/one.yaml',
  'scene-file': 'scenes/one.yaml',
  'playthrough-file': 'tests/one.yaml',
  'translation-file': 'i18n/de.yaml',
} as const;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly required?: readonly string[];
}
/** The way to a member: names, and 0 for the item of a list. */
interface Member {
  readonly keys: readonly (string | number)[];
  readonly description: string;
  /** What tells the forms of a group apart, beside the member: the type of a condition. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** Signs stand inside of signs: one step in is enough to see that they are explained there too. */
const DEEPEST_REPEAT = 1;

/** Every member of a schema. */
function membersOf(root: Schema): Member[] {
  const members: Member[] = [];
  const visit = (schema: Schema, keys: Member['keys'], entered: readonly string[]): void => {
    if (schema.$ref !== undefined) {
      if (entered.filter((one) => one === schema.$ref).length > DEEPEST_REPEAT) return;
      const name = schema.$ref.replace('#/definitions/', '');
      visit(root.definitions?.[name] ?? {}, keys, [...entered, schema.$ref]);
      return;
    }
    const told = Object.entries(schema.properties ?? {}).filter(
      ([name, inner]) => inner.const !== undefined && schema.required?.includes(name) === true,
    );
    const beside = Object.fromEntries(told.map(([name, inner]) => [name, inner.const]));
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const own = inner.$ref === undefined ? inner : root.definitions?.[inner.$ref.replace('#/definitions/', '')];
      members.push({ keys: [...keys, name], description: inner.description ?? own?.description ?? '', beside });
      visit(inner, [...keys, name], entered);
    }
    for (const form of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(form, keys, entered);
    if (schema.items !== undefined) visit(schema.items, [...keys, 0], entered);
    if (typeof schema.additionalProperties === 'object')
      visit(schema.additionalProperties, [...keys, 'some_name'], entered);
  };
  visit(root, [], []);
  return members;
}

/** A text in which a member stands alone, and where its name begins. */
function textWith({ keys, beside }: Member): { text: string; line: number; character: number } {
  const value = keys.reduceRight<unknown>((inner, key, at) => {
    if (typeof key === 'number') return [inner];
    return at === keys.length - 1 ? { ...beside, [key]: beside[key] ?? inner } : { [key]: inner };
  }, null);
  const lines = stringify(value).split('\n');
  const name = `${String(keys.at(-1))}:`;
  const line = lines.findLastIndex((one) => one.replace(/^[\s-]*/, '').startsWith(name));
  return { text: lines.join('\n'), line: line + 1, character: (lines[line]?.lastIndexOf(name) ?? 0) + 1 };
}

/** As markdown shows it, for comparing: without escapes, each run of blanks as one. */
const plain = (text: string): string => text.replace(/\\(?=[^a-z\d\s])|&nbsp;/gi, '').replace(/\s+/g, ' ');

let folder: TemporaryFolder;
let server: YamlLanguageServer;
beforeAll(async () => {
  folder = temporaryFolder('editor');
  server = await YamlLanguageServer.start(folder.path);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const modeline = (file: string, schema: string): string =>
  `# yaml-language-server: $schema=${path.relative(path.dirname(file), path.join(SCHEMAS, `${schema}.json`))}\n`;

describe('an editor with the YAML language server', () => {
  it.each(Object.entries(FILES))(
    'explains every member of %s',
    async (schema, name) => {
      const members = membersOf(JSON.parse(readFileSync(path.join(SCHEMAS, `${schema}.json`), 'utf8')) as Schema);
      expect(members.length).toBeGreaterThan(5);
      const file = path.join(folder.path, name);
      const unexplained: string[] = [];
      for (const member of members) {
        const { text, line, character } = textWith(member);
        const shown = await server.hover(server.open(file, `${modeline(file, schema)}${text}`), { line, character });
        if (member.description === '' || !plain(shown).includes(plain(member.description)))
          unexplained.push(`${member.keys.join('.')}: ${shown}`);
      }
      expect(unexplained).toEqual([]);
    },
    240_000,
  );

  it('finds the schema of every file of a new pack by its first line', async () => {
    const root = path.join(folder.path, 'fridays');
    const given = {
      who: 'Marta, my team lead',
      want: 'Fridays off',
      need: 'cover on Fridays',
      title: 'Fridays',
      author: 'Ada',
    };
    await newPack(root, given, { stdout: () => undefined, stderr: () => undefined }, null);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const name of files) {
      const text = readFileSync(path.join(root, name), 'utf8');
      const line = text.split('\n').findIndex((one) => one.startsWith('schema_version'));
      const uri = server.open(path.join(root, name), text);
      expect([name, await server.hover(uri, { line, character: 2 })]).toEqual([
        name,
        expect.stringContaining('Version of the pack format') as string,
      ]);
    }
  });

  it.each([
    ['manifest-file', 'manifest.yaml', 'license: MIT', 0, 'SPDX id, for example CC-BY-4.0'],
    [
      'scenario-file',
      'scenarios/one.yaml',
      'state: {variables: {trust: {max_delta_per_turn: 5}}}',
      28,
      'in points; 20 when left out',
    ],
    [
      'scenario-file',
      'scenarios/one.yaml',
      'duration: {soft_time_limit_minutes: 5}',
      12,
      'in minutes; shown, never enforced',
    ],
    ['scenario-file', 'scenarios/one.yaml', 'moves: [{signs: [{figure: {from: 1}}]}]', 28, 'Example: 40000'],
  ] as const)('says unit, default or example: %s', async (schema, name, text, character, told) => {
    const file = path.join(folder.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    const uri = server.open(file, `${modeline(file, schema)}${text}\n`);
    expect(plain(await server.hover(uri, { line: 1, character }))).toContain(told);
  });

  it('offers members and the values that they may have', async () => {
    const file = path.join(folder.path, 'manifest.yaml');
    const offered = async (text: string, line: number, character: number): Promise<string[]> =>
      server.completion(server.open(file, `${modeline(file, 'manifest-file')}${text}`), { line, character });
    expect(await offered('pack_id: a\n\n', 2, 0)).toEqual(
      expect.arrayContaining(['name', 'version', 'content_rating', 'safety']),
    );
    expect(await offered('pack_id: a\n\n', 2, 0)).not.toContain('pack_id');
    expect(await offered('content_rating: \n', 1, 16)).toEqual(expect.arrayContaining(['G', 'PG', 'PG-13']));
    const scenario = path.join(folder.path, 'scenarios/one.yaml');
    const text = `${modeline(scenario, 'scenario-file')}difficulty:\n  default: \n`;
    expect(await server.completion(server.open(scenario, text), { line: 2, character: 11 })).toEqual(
      expect.arrayContaining(['warm', 'standard', 'hard', 'adversarial']),
    );
  });
});
