import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { z } from 'zod';
import { PACK_FILE_SCHEMAS, type PackFileKind } from '@parley/shared/contracts';
import { minimalPack, replaced } from '@parley/shared/testing';
import { BUILT_IN_IDS, BUILT_IN_PACKS } from '../../../testing/pack-service-fixture';
import { roleOf } from './file-kinds';
import { parseYaml } from './parse-yaml';
import { matchSchema } from './schema-findings';

const ajv = new Ajv({ strict: false, allErrors: true });
const kinds = Object.keys(PACK_FILE_SCHEMAS) as PackFileKind[];
const validators = Object.fromEntries(
  kinds.map((kind) => [kind, ajv.compile(z.toJSONSchema(PACK_FILE_SCHEMAS[kind], { target: 'draft-7', io: 'input' }))]),
);

function yamlOf(pack: string): [string, string][] {
  const root = path.join(BUILT_IN_PACKS, pack);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]);
}

const sample = Object.entries(minimalPack())
  .filter(([name]) => name.endsWith('.yaml'))
  .map(([name, text]): [string, string] => [name, String(text)]);

describe('the JSON Schemas of pack files', () => {
  const verdicts = (name: string, text: string): { json: boolean; own: boolean } => {
    const role = roleOf(name);
    const { document } = parseYaml(name, Buffer.from(text));
    if (role.role !== 'yaml' || document === null) throw new Error(`${name} is no YAML of a pack`);
    return {
      json: validators[role.kind]?.(document.value) === true,
      own: matchSchema(document, role.kind).content !== null,
    };
  };

  it.each([...BUILT_IN_IDS.flatMap(yamlOf), ...sample])('accept %s as the service does', (name, text) => {
    expect(verdicts(name, text)).toEqual({ json: true, own: true });
  });

  it.each([
    ['scenarios/talk.yaml', 'title: A talk', 'titel: A talk'],
    ['scenarios/talk.yaml', 'max_turns: 8', 'max_turns: 101'],
    ['scenarios/talk.yaml', 'value: 3', 'value: 3.5'],
    ['npcs/kim.yaml', 'fictional: true', 'fictional: false'],
    ['npcs/kim.yaml', 'age_band: adult', 'age_band: child'],
    ['manifest.yaml', '1.2.3', '1.2'],
    ['manifest.yaml', 'content_rating: PG', 'content_rating: R'],
    ['rubrics/basics.yaml', 'weight: 0.5', 'weight: 2'],
    ['safety/policy.yaml', 'legal_claim: redirect', 'minors_romantic_or_sexual: redirect'],
  ])('refuse %s with %s as %s, as the service does', (name, piece, by) => {
    expect(verdicts(name, replaced(name, piece, by))).toEqual({ json: false, own: false });
  });
});

describe('files that were damaged', () => {
  it('never make the reading throw, and every finding has a rule, a message and a place in the file', () => {
    const [, text] = yamlOf('the_ask').find(([name]) => name.startsWith('scenarios/')) ?? ['', ''];
    const piece = fc.oneof(
      fc.constantFrom(
        '',
        '\n',
        '  ',
        ': ',
        '- ',
        '{',
        '[',
        '"',
        '&a ',
        '*a',
        '!!t ',
        '|',
        '\t',
        '\0',
        '__proto__: 1\n',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(40), piece, (at, length, inserted) => {
        const damaged = text.slice(0, at) + inserted + text.slice(at + length);
        const { document, findings } = parseYaml('scenarios/a.yaml', Buffer.from(damaged));
        const all = document === null ? findings : matchSchema(document, 'scenario').findings;
        const lines = damaged.split('\n').length;
        for (const one of all) {
          expect(one.rule).toMatch(/^[a-z]+\.[a-z-]+$/);
          expect(one.message).not.toBe('');
          if (one.line !== null) expect(one.line).toBeLessThanOrEqual(lines);
        }
        expect(document !== null || findings.length > 0).toBe(true);
      }),
      { numRuns: 300, seed: 20261120 },
    );
  });
});
