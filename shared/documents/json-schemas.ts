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
      ...wholeSchema(schema, side, 'draft-7'),
    };
  return files;
}
