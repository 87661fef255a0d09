import { BASE_RULES, literal, USED_RULES } from './base-rules';
import { integerRange } from './integer-range';

type Json = Record<string, unknown>;

/** The schema asks for something that no grammar can say, or contradicts itself. The message is for a person. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaError';
  }
}

/** llama.cpp takes no larger count in one repetition; longer ones are put together. */
const LARGEST_COUNT = 1000;
/** Characters of a string and items of an array at most, whatever the schema allows. */
const LARGEST_BOUND = 100_000;
const MOST_RULES = 20_000;
const DEEPEST = 64;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const countOr = <D>(value: unknown, fallback: D): number | D =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : fallback;
const numberOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/**
 * Writes the answers that a JSON Schema allows as a GBNF grammar without white space. Enforced: type and lists of types,
 * enum, const, anyOf, oneOf (as anyOf), allOf, $ref within the schema, bounds of integers and numbers, minLength and
 * maxLength (in code points), items, prefixItems, minItems, maxItems, properties, required, additionalProperties. Members
 * come in the order of the schema; those that are not required may be left out. Where properties are named, no others are
 * written, which every schema allows. Left to the caller's own check: pattern, format, multipleOf, uniqueItems,
 * propertyNames, not, if.
 */
class GrammarWriter {
  private readonly rules = new Map<string, string>();
  private readonly references = new Map<string, string>();
  private readonly byText = new Map<string, string>();

  constructor(private readonly root: unknown) {}

  write(): string {
    const expression = this.expressionOf(this.root, 0);
    const lines = [`root ::= ${expression}`, ...[...this.rules].map(([name, rule]) => `${name} ::= ${rule}`)];
    return `${lines.join('\n')}\n`;
  }

  private use(name: string): string {
    if (!this.rules.has(name)) {
      this.rules.set(name, BASE_RULES[name] ?? '');
      for (const other of USED_RULES[name] ?? []) this.use(other);
    }
    return name;
  }

  /** A rule of its own for an expression; the same expression is one rule. */
  private rule(expression: string): string {
    const known = this.byText.get(expression);
    if (known !== undefined) return known;
    if (this.rules.size >= MOST_RULES) throw new SchemaError('The schema is too large; make it smaller.');
    const name = `r${this.byText.size + this.references.size}`;
    this.byText.set(expression, name);
    this.rules.set(name, expression);
    return name;
  }

  /** An expression that is one thing: a literal or the name of a rule. */
  private expressionOf(schema: unknown, depth: number): string {
    if (schema === true || schema === undefined) return this.use('value');
    if (!isObject(schema)) throw new SchemaError('A part of the schema is no object.');
    if (depth > DEEPEST) throw new SchemaError('The schema is nested too deeply.');
    if (typeof schema['$ref'] === 'string') return this.reference(schema['$ref'], depth);
    if (Array.isArray(schema['allOf'])) return this.expressionOf(this.merged(schema, depth), depth + 1);
    const anyOf = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(anyOf)) {
      const { anyOf: _any, oneOf: _one, ...rest } = schema;
      return this.choice(
        anyOf.map((one: unknown) => this.expressionOf(isObject(one) ? { ...rest, ...one } : one, depth + 1)),
      );
    }
    if ('const' in schema) return literal(JSON.stringify(schema['const']));
    if (Array.isArray(schema['enum']))
      return this.choice(schema['enum'].map((value: unknown) => literal(JSON.stringify(value))));
    const { type } = schema;
    if (Array.isArray(type)) return this.choice(textsIn(type).map((one) => this.ofType(one, schema, depth)));
    return this.ofType(typeof type === 'string' ? type : typeGuess(schema), schema, depth);
  }

  private choice(alternatives: readonly string[]): string {
    const different = [...new Set(alternatives)];
    if (different.length === 0) throw new SchemaError('A part of the schema allows no value at all.');
    return different.length === 1 ? (different[0] ?? '') : this.rule(different.join(' | '));
  }

  private ofType(type: string | null, schema: Json, depth: number): string {
    switch (type) {
      case null:
        return this.use('value');
      case 'string':
        return this.text(schema);
      case 'integer':
        return this.integer(schema);
      case 'number':
        return this.number(schema);
      case 'boolean':
      case 'null':
        return this.use(type);
      case 'array':
        return this.array(schema, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        throw new SchemaError(`The schema names a type that JSON does not have: ${type.slice(0, 40)}.`);
    }
  }

  private text(schema: Json): string {
    const least = countOr(schema['minLength'], 0);
    const most = countOr(schema['maxLength'], null);
    if (least === 0 && most === null) return this.use('string');
    return this.rule(String.raw`"\"" ${this.repeated(this.use('char'), least, most)} "\""`);
  }

  private integer(schema: Json): string {
    const low = bound(schema, 'minimum', 'exclusiveMinimum', 1);
    const high = bound(schema, 'maximum', 'exclusiveMaximum', -1);
    if (low === null && high === null) return this.use('integer');
    const range = integerRange(low, high);
    if (range === null) throw new SchemaError('The schema asks for an integer between bounds that hold none.');
    return this.rule(range);
  }

  /** Between bounds a fraction stands only where it cannot leave them. */
  private number(schema: Json): string {
    const low = numberOr(schema['minimum']) ?? numberOr(schema['exclusiveMinimum']);
    const high = numberOr(schema['maximum']) ?? numberOr(schema['exclusiveMaximum']);
    if (low === null && high === null) return this.use('number');
    const whole = integerRange(
      bound(schema, 'minimum', 'exclusiveMinimum', 1),
      bound(schema, 'maximum', 'exclusiveMaximum', -1),
    );
    const fraction = '"." [0-9]{0,8} [1-9]';
    const above = (high === null ? 1e14 : Math.floor(high)) - 1;
    const upwards = above < 0 ? null : integerRange(Math.max(0, low ?? 0), above);
    const below = (low === null ? -1e14 : Math.ceil(low)) + 1;
    const downwards = below > -1 ? null : integerRange(below, Math.min(-1, high ?? -1));
    const alternatives = [
      ...(whole === null ? [] : [whole]),
      ...(upwards === null ? [] : [`(${upwards}) ${fraction}`]),
      ...(downwards === null ? [] : [`(${downwards}) ${fraction}`]),
    ];
    if (alternatives.length === 0) throw new SchemaError('The schema asks for a number between bounds that hold none.');
    return this.rule(alternatives.join(' | '));
  }

  private array(schema: Json, depth: number): string {
    const least = countOr(schema['minItems'], 0);
    const most = countOr(schema['maxItems'], null);
    if (most === 0 && least === 0) return '"[]"';
    const places = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
    if (places.length > 0)
      return this.rule(`"[" ${places.map((one) => this.expressionOf(one, depth + 1)).join(' "," ')} "]"`);
    const item = this.expressionOf(schema['items'], depth + 1);
    const more = this.rule(`"," ${item}`);
    const list = `${item} ${this.repeated(more, Math.max(0, least - 1), most === null ? null : most - 1)}`;
    return this.rule(least === 0 ? `"[" (${list})? "]"` : `"[" ${list} "]"`);
  }

  private object(schema: Json, depth: number): string {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const names = Object.keys(properties);
    const required = textsIn(schema['required']);
    const unknown = required.find((name) => !names.includes(name));
    if (unknown !== undefined && names.length > 0)
      throw new SchemaError(`The schema requires a member that it does not describe: ${unknown.slice(0, 40)}.`);
    if (names.length === 0) return this.openObject(schema, depth);
    const member = (name: string): string =>
      this.rule(`${literal(`${JSON.stringify(name)}:`)} ${this.expressionOf(properties[name], depth + 1)}`);
    const first = names.filter((name) => required.includes(name)).map(member);
    const later = names.filter((name) => !required.includes(name)).map(member);
    const opening = first.join(' "," ');
    if (later.length === 0) return this.rule(`"{" ${opening} "}"`);
    // What may follow when something stands before it, from the last optional member to the first.
    let following = '';
    const beginnings: string[] = [];
    for (const one of [...later].reverse()) {
      beginnings.unshift(following === '' ? one : `${one} ${following}`);
      following = this.rule(following === '' ? `("," ${one})?` : `("," ${one})? ${following}`);
    }
    return first.length > 0
      ? this.rule(`"{" ${opening} ${following} "}"`)
      : this.rule(`"{" (${beginnings.join(' | ')})? "}"`);
  }

  private openObject(schema: Json, depth: number): string {
    const { additionalProperties: more } = schema;
    if (more === false) return '"{}"';
    const least = countOr(schema['minProperties'], 0);
    const most = countOr(schema['maxProperties'], null);
    if (!isObject(more) && least === 0 && most === null) return this.use('object');
    const member = this.rule(`${this.use('string')} ":" ${this.expressionOf(more, depth + 1)}`);
    if (most === 0) return '"{}"';
    const rest = this.repeated(this.rule(`"," ${member}`), Math.max(0, least - 1), most === null ? null : most - 1);
    return this.rule(least === 0 ? `"{" (${member} ${rest})? "}"` : `"{" ${member} ${rest} "}"`);
  }

  /** `name` from `least` to `most` times; null: without end. */
  private repeated(name: string, least: number, most: number | null): string {
    if (most !== null && most < least) throw new SchemaError('The schema asks for more of something than it allows.');
    if (least > LARGEST_BOUND || (most ?? 0) > LARGEST_BOUND)
      throw new SchemaError(`The schema has a bound above ${LARGEST_BOUND}; lower it.`);
    const parts: string[] = [];
    for (let left = least; left > 0; left -= LARGEST_COUNT) parts.push(`${name}{${Math.min(left, LARGEST_COUNT)}}`);
    if (most === null) return [...parts, `${name}*`].join(' ');
    let optional = '';
    for (let left = most - least; left > 0; left -= LARGEST_COUNT) {
      const count = Math.min(left, LARGEST_COUNT);
      optional =
        optional === '' ? `${name}{0,${count}}` : this.rule(`${name}{${count}} ${optional} | ${name}{0,${count - 1}}`);
    }
    return [...parts, ...(optional === '' ? [] : [optional])].join(' ');
  }

  private reference(pointer: string, depth: number): string {
    const known = this.references.get(pointer);
    if (known !== undefined) return known;
    const name = `d${this.references.size}`;
    this.references.set(pointer, name);
    this.rules.set(name, '');
    this.rules.set(name, this.expressionOf(this.resolve(pointer), depth + 1));
    return name;
  }

  private resolve(pointer: string): unknown {
    if (!pointer.startsWith('#')) throw new SchemaError('The schema refers to another document; put it in one.');
    let at: unknown = this.root;
    for (const part of pointer.slice(1).split('/').filter(Boolean)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    if (at === undefined)
      throw new SchemaError(`The schema refers to something that it does not hold: ${pointer.slice(0, 60)}.`);
    return at;
  }

  /** allOf as one schema: members of all, properties and required put together. */
  private merged(schema: Json, depth: number): Json {
    if (depth > DEEPEST) throw new SchemaError('The schema is nested too deeply.');
    const { allOf, ...own } = schema;
    let whole: Json = own;
    for (const part of Array.isArray(allOf) ? allOf : []) {
      if (!isObject(part)) continue;
      const plain = typeof part['$ref'] === 'string' ? this.resolve(part['$ref']) : part;
      if (!isObject(plain)) continue;
      const one = Array.isArray(plain['allOf']) ? this.merged(plain, depth + 1) : plain;
      whole = {
        ...whole,
        ...one,
        properties: {
          ...(isObject(whole['properties']) ? whole['properties'] : {}),
          ...(isObject(one['properties']) ? one['properties'] : {}),
        },
        required: [...textsIn(whole['required']), ...textsIn(one['required'])],
      };
    }
    return whole;
  }
}

/** The type that members of a schema speak of when it names none. */
function typeGuess(schema: Json): string | null {
  if ('properties' in schema || 'additionalProperties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('minLength' in schema || 'maxLength' in schema) return 'string';
  if ('minimum' in schema || 'maximum' in schema) return 'number';
  return null;
}

/** The integer at or within a bound, inclusive or exclusive. */
function bound(schema: Json, inclusive: string, exclusive: string, step: 1 | -1): number | null {
  const open = numberOr(schema[exclusive]);
  const inside = open === null ? null : step > 0 ? Math.floor(open) + 1 : Math.ceil(open) - 1;
  const closed = numberOr(schema[inclusive]);
  if (inside === null || closed === null) return inside ?? closed;
  return step > 0 ? Math.max(inside, closed) : Math.min(inside, closed);
}

/** The grammar of the answers that a JSON Schema allows. @throws SchemaError */
export const jsonGrammar = (schema: unknown): string => new GrammarWriter(schema).write();

/** The grammar of any JSON object. */
export const anyObjectGrammar = (): string => jsonGrammar({ type: 'object' });
