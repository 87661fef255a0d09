import { namedSchemas, wholeSchema, type JsonSchema } from './named-schemas';

const kebab = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();

/**
 * A self-contained JSON Schema (draft-07) of every named object of the contracts, by file name: `session.json`. Editors
 * and validators of other languages read them; the files of a pack are among them (`scenario-file.json`).
 */
export function buildJsonSchemas(): Record<string, JsonSchema> {
  const files: Record<string, JsonSchema> = {};
  for (const { name, schema, side } of namedSchemas())
    files[`${kebab(name)}.json`] = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `urn:parley:${kebab(name)}`,
      title: name,
      ...withOneDescription(wholeSchema(schema, side, 'draft-7')),
    };
  return files;
}

/**
 * A member that refers to a definition has words of its own beside the reference. Editors show those of the definition in
 * their place, so that a definition which is only ever entered with words keeps none.
 */
function withOneDescription(schema: JsonSchema): JsonSchema {
  const definitions = (schema['definitions'] ?? {}) as Record<string, JsonSchema>;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description, allOf } = value as JsonSchema;
    const [only] = (Array.isArray(allOf) ? allOf : []) as { $ref?: string }[];
    const name = only?.$ref?.replace('#/definitions/', '') ?? '';
    if (description !== undefined && Object.hasOwn(definitions, name)) delete definitions[name]?.['description'];
    Object.values(value).forEach(visit);
  };
  visit(schema);
  return schema;
}
