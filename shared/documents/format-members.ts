import { PACK_FILE_SCHEMAS, type FormatMember, type PackFileKind, type PackFormat } from '@parley/shared/contracts';
import { buildJsonSchemas } from './json-schemas';
import { FILES, rowsOf, typeOf, variantsOf, type Row, type Schema } from './pack-format';

/** All that a member may be, as it is written in YAML; empty when that cannot be told. */
function valuesOf(schema: Schema): string[] {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.const !== undefined) return [String(schema.const)];
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'array') return schema.items === undefined ? [] : valuesOf(schema.items);
  const variants = variantsOf(schema);
  return variants.length < 2 ? [] : [...new Set(variants.flatMap(valuesOf))];
}

function holdsOf(schema: Schema): FormatMember['holds'] {
  const variants = variantsOf(schema);
  if (variants.some((one) => one.type === 'array')) return 'list';
  const isObject = (one: Schema): boolean =>
    one.$ref !== undefined || one.properties !== undefined || typeof one.additionalProperties === 'object';
  return variants.some(isObject) ? 'members' : 'value';
}

const memberOf = ({ path, schema, isRequired }: Row): FormatMember => ({
  path,
  description: schema.description ?? '',
  type: typeOf(schema),
  required: isRequired,
  values: valuesOf(schema),
  holds: holdsOf(schema),
});

/** The members of a condition: those of all its types, each once, and `type` with all of them. */
function conditionMembers(condition: Schema): FormatMember[] {
  const types = variantsOf(condition).map(({ properties = {} }) => properties['type']);
  const told = types.map((type) => `${String(type?.const)}: ${type?.description ?? ''}`);
  return rowsOf(condition).map((row) => {
    if (row.path !== 'type') return { ...memberOf(row), required: false };
    return { ...memberOf(row), description: told.join('\n'), values: types.map((type) => String(type?.const)) };
  });
}

let format: PackFormat | undefined;

/**
 * Every member of every file of a pack as data, for an editor: by kind of file, and those of a `sign` and of a `condition`,
 * which stand in many places.
 */
export function packFormatMembers(): PackFormat {
  if (format !== undefined) return format;
  const schemas = buildJsonSchemas() as Readonly<Record<string, Schema>>;
  const schemaOf = (name: string): Schema => schemas[`${name}.json`] ?? {};
  const kinds = (Object.keys(PACK_FILE_SCHEMAS) as PackFileKind[]).map(
    (kind) => [kind, rowsOf(schemaOf(FILES[kind].schema)).map(memberOf)] as const,
  );
  format = {
    kinds: {
      ...Object.fromEntries(kinds),
      sign: rowsOf(schemaOf('sign')).map(memberOf),
      condition: conditionMembers(schemaOf('condition')),
    },
  };
  return format;
}
