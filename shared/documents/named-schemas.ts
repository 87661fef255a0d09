import { z } from 'zod';
import * as contracts from '@parley/shared/contracts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = { [member: string]: unknown };

/** input: what a caller or an author writes, defaults left out. output: what the service answers. */
type Side = 'input' | 'output';

/** Parts of requests that are described as parameters, and shorthands that mean nothing outside of the code. */
const NOT_AN_OBJECT_OF_ITS_OWN =
  /(Query|Headers)$|^(NullableTimestamp|PageLimit|PageCursor|NextCursor|When|SignTone|SignPerson)$/;
const WRITTEN_BY_OTHERS = /(Request|File)$|^(Condition|Signs?|AssetMetadata|NpcTurnOutput|DebriefNarrative)$/;
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ErrorCodeSchema: 'ErrorCode',
  modelServerStateSchema: 'ModelServerState',
};

export interface NamedSchema {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly side: Side;
}

let named: readonly NamedSchema[] | undefined;

/** Every object of the contracts that has a name of its own, by that name, in the order of the alphabet. */
export function namedSchemas(): readonly NamedSchema[] {
  return (named ??= findNamedSchemas());
}

function findNamedSchemas(): NamedSchema[] {
  const found: NamedSchema[] = [];
  for (const [exported, value] of Object.entries(contracts) as [string, unknown][]) {
    if (!(value instanceof z.ZodType) || NOT_AN_OBJECT_OF_ITS_OWN.test(exported)) continue;
    const name = OTHER_NAMES[exported] ?? exported;
    found.push({ name, schema: value, side: WRITTEN_BY_OTHERS.test(name) ? 'input' : 'output' });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Objects that are not strict may grow members later, so a document must not forbid them. */
function allowGrowth(context: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { def } = context.zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete context.jsonSchema.additionalProperties;
}

/** One schema with everything that it refers to inside of it. */
export function wholeSchema(schema: z.ZodType, side: Side, target: 'draft-7' | 'draft-2020-12'): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { target, io: side, override: allowGrowth });
  return rest as JsonSchema;
}

/** All named objects, each once, that refer to each other at `base + name`: for the `components` of a document. */
export function componentSchemas(base: string): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {};
  for (const side of ['output', 'input'] as const) {
    const registry = z.registry<{ id: string }>();
    for (const one of namedSchemas()) if (one.side === side) registry.add(one.schema, { id: one.name });
    const { schemas } = z.toJSONSchema(registry, {
      target: 'draft-2020-12',
      io: side,
      uri: (id) => base + id,
      override: allowGrowth,
    });
    for (const [name, schema] of Object.entries(schemas)) {
      const { $schema: _draft, $id: _id, ...rest } = schema;
      components[name] = rest as JsonSchema;
    }
  }
  return components;
}

/** Refers to a named object, or answers the whole schema of one that has no name. */
export function schemaReference(schema: z.ZodType, base: string, side: Side): JsonSchema {
  const named = namedSchemas().find((one) => one.schema === schema);
  return named === undefined ? wholeSchema(schema, side, 'draft-2020-12') : { $ref: base + named.name };
}
