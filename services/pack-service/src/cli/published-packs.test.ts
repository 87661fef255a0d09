import { cpSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ADDED_IN_0_2, PACK_FILE_SCHEMAS, type PackFileKind } from '@parley/shared/contracts';
import { scoreSession } from '@parley/shared/engine';
import { temporaryFolder, type TemporaryFolder } from '@parley/shared/testing';
import { z } from 'zod';
import { UNPACK_FROM_SOURCES, packServiceFixture } from '../../testing/pack-service-fixture';
import { validatePack } from '../import/validating/validate-pack';
import { playDemo } from './demo-talk';
import { packsCommand } from './packs-command';

/** Packs of format 0.1, written from the page of the format alone, as others publish them. */
const PUBLISHED = path.resolve(__dirname, '../../testing/published');
const NAMES = readdirSync(PUBLISHED);

let folder: TemporaryFolder;
let out: string;
let err: string;
beforeEach(() => (folder = temporaryFolder('published')));
afterEach(() => folder.remove());

const run = (...argv: string[]): Promise<number> => {
  out = '';
  err = '';
  const output = { stdout: (text: string) => (out += text), stderr: (text: string) => (err += text) };
  return packsCommand(argv, output, UNPACK_FROM_SOURCES);
};
const copied = (name: string): string => {
  const to = path.join(folder.path, name);
  cpSync(path.join(PUBLISHED, name), to, { recursive: true });
  return to;
};
const SCENARIO: Readonly<Record<string, string>> = {
  night_ferry: 'harbour.night_ferry.missed_boat',
  old_fence: 'old_fence',
};

/** Which members a condition has depends on its type. */
const IN_A_CONDITION = /^(?:events\[\]\.when|ending_conditions\.\w+)(?:\[\]|\.)/;

type JsonSchema = Readonly<Record<string, unknown>>;

/** Members of a schema as dotted paths, `[]` for the items of a list and `*` for names of the author's. */
function membersOf(schema: JsonSchema, prefix = ''): string[] {
  const forms = [...((schema['anyOf'] ?? []) as JsonSchema[]), ...((schema['oneOf'] ?? []) as JsonSchema[])];
  const own = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, inner]) => {
    const at = prefix === '' ? name : `${prefix}.${name}`;
    return [at, ...membersOf(inner, at)];
  });
  const items = schema['items'] === undefined ? [] : membersOf(schema['items'] as JsonSchema, `${prefix}[]`);
  const named =
    typeof schema['additionalProperties'] === 'object'
      ? membersOf(schema['additionalProperties'] as JsonSchema, `${prefix}.*`)
      : [];
  return [...own, ...items, ...named, ...forms.flatMap((form) => membersOf(form, prefix))];
}

/** Whether a value has something at a path. */
function has(value: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return value !== undefined;
  if (step.endsWith('[]')) {
    const list = step === '[]' ? value : (value as Record<string, unknown> | undefined)?.[step.slice(0, -2)];
    // A list of one may be written as that one.
    return (Array.isArray(list) ? (list as unknown[]) : []).some((item) => has(item, rest));
  }
  if (typeof value !== 'object' || value === null) return false;
  if (step === '*') return Object.values(value).some((inner) => has(inner, rest));
  return has((value as Record<string, unknown>)[step], rest);
}

describe('the published packs of format 0.1', () => {
  it('use every member that the format has, once at least', async () => {
    const packs = await Promise.all(NAMES.map(async (name) => (await validatePack(path.join(PUBLISHED, name))).pack));
    const contents: Readonly<Record<PackFileKind, readonly unknown[]>> = {
      manifest: packs.map(({ manifest }) => manifest?.content),
      scenario: packs.flatMap(({ scenarios }) => scenarios.map(({ content }) => content)),
      npc: packs.flatMap(({ npcs }) => npcs.map(({ content }) => content)),
      rubric: packs.flatMap(({ rubrics }) => rubrics.map(({ content }) => content)),
      safety: packs.flatMap(({ policies }) => policies.map(({ content }) => content)),
      scene: packs.flatMap(({ scenes }) => scenes.map(({ content }) => content)),
      tests: packs.flatMap(({ playthroughs }) => playthroughs.map(({ content }) => content)),
      i18n: [],
    };
    const unused = (Object.keys(contents) as PackFileKind[]).flatMap((kind) => {
      if (kind === 'i18n') return [];
      const schema = z.toJSONSchema(PACK_FILE_SCHEMAS[kind], { io: 'input', unrepresentable: 'any' }) as JsonSchema;
      const later = ADDED_IN_0_2[kind];
      const isLater = (member: string): boolean =>
        later.some((one) => member === one || member.startsWith(`${one}.`) || member.startsWith(`${one}[`));
      return membersOf(schema)
        .filter((member) => !isLater(member) && !IN_A_CONDITION.test(member))
        .filter((member) => !contents[kind].some((content) => has(content, member.split('.'))))
        .map((member) => `${kind}: ${member}`);
    });
    expect(unused).toEqual([]);
    // A condition is one of four forms in 0.1, and an event has one of them.
    const types = packs.flatMap(({ scenarios }) =>
      scenarios.flatMap(({ content }) =>
        (content.events ?? []).map(({ when }) => (Array.isArray(when) ? '' : when.type)),
      ),
    );
    expect([...new Set(types)].sort()).toEqual(['flag', 'max_turns', 'variable_above', 'variable_below']);
  });

  it.each(NAMES)('%s lints without an error, and its scripts wait for a model, each by its name', async (name) => {
    expect(await run('lint', path.join(PUBLISHED, name), '--json')).toBe(0);
    const [report] = (
      JSON.parse(out) as { packs: { valid: boolean; findings: { rule: string; severity: string }[] }[] }
    ).packs;
    expect(report?.valid).toBe(true);
    // What published packs come without is no fault of theirs: pictures, and a word of licence for some.
    const expected =
      name === 'night_ferry'
        ? ['asset.external-url', 'lint.unused-field', 'ref.missing-asset']
        : ['lint.missing-license'];
    expect([...new Set(report?.findings.map(({ rule }) => rule))].sort()).toEqual(expected);
    expect(await run('test', path.join(PUBLISHED, name))).toBe(0);
    const script = name === 'night_ferry' ? 'asks_well' : 'voiced';
    expect(err).toContain(`${script}: not played: it needs a model`);
    expect(err).toContain('1 playthrough: 0 passed, 0 failed, 1 skipped.');
    expect(await run('test', path.join(PUBLISHED, name), '--strict')).toBe(1);
  });

  const KIND =
    'I understand that this is hard for you. What would you do in my place, and could we find a boat for one by midnight?';
  const HOSTILE = 'You are useless and pathetic. Agree now or else I report you.';
  const play = async (root: string, line: (turn: number) => string) => {
    const { scenarios } = await validatePack(root);
    const content = scenarios[0]?.content;
    if (content === undefined) throw new Error('There is no scenario.');
    const talk = playDemo(
      content,
      'standard',
      Array.from({ length: content.duration.max_turns }, (_, at) => line(at + 1)),
    );
    const type = content.endings.find(({ id }) => id === talk.ending)?.type ?? talk.ending;
    return { content, talk, type };
  };

  it('play by the rules of 0.1: won, lost and left by their variables, scored by what was noted', async () => {
    const root = path.join(PUBLISHED, 'night_ferry');
    const won = await play(root, (turn) => `${KIND} This is the ${turn}. time that I ask.`);
    expect(won.type).toBe('success');
    const lost = await play(root, (turn) => `${HOSTILE} ${turn}`);
    expect(lost.type).toBe('failure');
    expect(lost.talk.turns.flatMap(({ fired }) => fired.map(({ id }) => id))).toContain('closes_the_shutter');
    const left = await play(root, () => 'Hm.');
    expect([left.type, left.talk.turns.length]).toEqual(['timeout', 10]);
    expect(left.talk.turns.flatMap(({ fired }) => fired.map(({ id }) => id))).toContain('horn');
    // The author's patience (55) wins over the preset's, and a start that is a number is one.
    expect(won.content.variables).toMatchObject({ patience: { default: 55, authored: true }, trust: { default: 35 } });
    const noted = [{ turn: 2, dimension: 'staying_calm', delta: 8, note: null }];
    expect(scoreSession(won.content, noted, null).dimensions.map(({ id, score }) => [id, score])).toEqual([
      ['staying_calm', 58],
      ['asking', 50],
    ]);
    // Without endings of its own a talk ends with its turns.
    expect((await play(path.join(PUBLISHED, 'old_fence'), () => KIND)).talk.ending).toBe('timeout');
  });

  it.each(NAMES)('%s becomes 0.2 by migrate, and is won, lost and left as before', async (name) => {
    const root = copied(name);
    const before = await Promise.all([KIND, HOSTILE, 'Hm.'].map((line) => play(root, (turn) => `${line} ${turn}`)));
    expect(await run('migrate', root, '--write')).toBe(0);
    expect(err).toMatch(/^Changed \d+ files\./);
    expect(readFileSync(path.join(root, 'manifest.yaml'), 'utf8')).toContain('schema_version: "0.2"');
    expect(await run('lint', root)).toBe(0);
    const after = await Promise.all([KIND, HOSTILE, 'Hm.'].map((line) => play(root, (turn) => `${line} ${turn}`)));
    expect(after.map(({ content }) => content.format_version)).toEqual(['0.2', '0.2', '0.2']);
    expect(after.map(({ type, talk }) => [type, talk.turns.length])).toEqual(
      before.map(({ type, talk }) => [type, talk.turns.length]),
    );
    expect(await run('migrate', root)).toBe(0);
    expect(err).toContain('every file is in format 0.2');
  });
});

describe('the published packs of format 0.1, in the pack service', () => {
  const set = packServiceFixture();

  it.each(NAMES)('%s is imported and offered as it is', async (name) => {
    await set.start();
    const answer = await set.json('/api/packs/import', { path: copied(name) });
    expect(answer.status).toBe(201);
    const id = SCENARIO[name] ?? '';
    const { body } = await set.get(`/api/scenarios/${id}`);
    expect(body).toMatchObject({ id, version: 1, language: 'en' });
    const content = (await set.get(`/internal/scenarios/${id}/content`)).body['content'] as {
      format_version: string;
      moves: unknown[];
      demo: unknown[];
    };
    expect(content).toMatchObject({ format_version: '0.1', moves: [], demo: [] });
  });
});
