import { ADDED_IN_0_2, PACK_FILE_SCHEMAS, type PackFileKind } from '@parley/shared/contracts';
import { buildJsonSchemas } from './json-schemas';

/** What of a JSON Schema the page of the format reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Row {
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Where each kind of file lies, and its schema. */
export const FILES: Readonly<Record<PackFileKind, { place: string; schema: string }>> = {
  manifest: { place: 'manifest.yaml', schema: 'manifest-file' },
  scenario: { place: 'scenarios/*.yaml', schema: 'scenario-file' },
  npc: { place: 'npcs/*.yaml', schema: 'npc-file' },
  rubric: { place: 'rubrics/*.yaml', schema: 'rubric-file' },
  safety: { place: 'safety/*.yaml', schema: 'safety-file' },
  scene: { place: 'scenes/*.yaml', schema: 'scene-file' },
  tests: { place: 'tests/*.yaml', schema: 'playthrough-file' },
  i18n: { place: 'i18n/<language>.yaml', schema: 'translation-file' },
};
/** Told once, in sections of their own. */
const TOLD_ELSEWHERE = /(?:^|\.)(?:when|signs|success|failure|timeout)$/;
const LARGEST = 1_000_000;

export const variantsOf = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? [schema];

/** The members below a schema, each with its path from there; those of several variants once. */
export function rowsOf(schema: Schema, path = ''): Row[] {
  const rows = variantsOf(schema).flatMap((variant): Row[] => {
    const own = Object.entries(variant.properties ?? {}).flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const row = { path: at, schema: member, isRequired: variant.required?.includes(name) === true };
      return TOLD_ELSEWHERE.test(at) ? [row] : [row, ...rowsOf(member, at)];
    });
    const items = variant.items === undefined ? [] : rowsOf(variant.items, `${path}[]`);
    const named =
      typeof variant.additionalProperties === 'object' ? rowsOf(variant.additionalProperties, `${path}.<name>`) : [];
    return [...own, ...items, ...named];
  });
  return rows.filter((row, at) => rows.findIndex((other) => other.path === row.path) === at);
}

function rangeOf({ minimum, maximum }: Schema): string {
  const hasTop = maximum !== undefined && maximum < LARGEST;
  if (minimum !== undefined && hasTop) return ` ${minimum} to ${maximum}`;
  if (minimum !== undefined && minimum > -LARGEST) return ` from ${minimum}`;
  return hasTop ? ` up to ${maximum}` : '';
}

/** The type of a member in words. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return 'sign';
  const variants = variantsOf(schema);
  if (variants.length > 1) return [...new Set(variants.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'integer') return `whole number${rangeOf(schema)}`;
  if (schema.type === 'number') return `number${rangeOf(schema)}`;
  if (schema.type === 'string') return schema.maxLength === undefined ? 'text' : `text, at most ${schema.maxLength}`;
  if (schema.type === 'boolean') return 'true or false';
  if (typeof schema.additionalProperties === 'object') return `${typeOf(schema.additionalProperties)}, by name`;
  return schema.type === 'null' ? 'null' : 'members';
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ');

function table(rows: readonly Row[], isNew: (path: string) => boolean): string {
  const lines = rows.map(({ path, schema, isRequired }) => {
    const marks = `${isRequired ? ' (required)' : ''}${isNew(path) ? ' (0.2)' : ''}`;
    return `| \`${path}\`${marks} | ${cell(typeOf(schema))} | ${cell(schema.description ?? '')} |`;
  });
  return ['| member | type | what it is |', '| --- | --- | --- |', ...lines].join('\n');
}

/** Every member of every file of a pack, as one page of Markdown, out of the same schemas that an import checks with. */
export function buildPackFormat(): string {
  const schemas = buildJsonSchemas() as Readonly<Record<string, Schema & { readonly title?: string }>>;
  const schemaOf = (name: string): Schema => schemas[`${name}.json`] ?? {};
  const kinds = Object.keys(PACK_FILE_SCHEMAS) as PackFileKind[];
  const files = kinds.map((kind) => {
    const { place, schema } = FILES[kind];
    const added = ADDED_IN_0_2[kind];
    const isNew = (path: string): boolean =>
      added.some((member) => path === member || path.startsWith(`${member}.`) || path.startsWith(`${member}[`));
    const { description = '' } = schemaOf(schema);
    return [`## ${place}`, '', cell(description), '', table(rowsOf(schemaOf(schema)), isNew)].join('\n');
  });
  const conditions = variantsOf(schemaOf('condition')).map(({ properties = {} }) => {
    const { type, ...others } = properties;
    const members = Object.entries(others).map(([name, { description = '' }]) => `\`${name}\`: ${description}`);
    return `| \`${String(type?.const)}\` | ${cell(type?.description ?? '')} | ${cell(members.join(' '))} |`;
  });
  return [
    '<!-- Written by npm run generate out of the contracts; do not edit. -->',
    '# The pack format',
    '',
    'A pack is a folder of YAML files and assets: data, never code. Members marked (0.2) are only allowed in a file that says `schema_version: "0.2"`; an unknown member is an error that names the nearest one. [authoring.md](authoring.md) leads through writing a pack, [rules.md](rules.md) explains what the checks say.',
    '',
    files.join('\n\n'),
    '',
    '## Conditions',
    '',
    'A `when` is one condition or a list; all of a list must hold.',
    '',
    '| type | holds when | members |',
    '| --- | --- | --- |',
    ...conditions,
    '',
    '## Signs',
    '',
    'A sign says what must be found in one line of the player. All of a list must hold; each sign has exactly one of these members.',
    '',
    table(rowsOf(schemaOf('sign')), () => true),
    '',
  ].join('\n');
}
