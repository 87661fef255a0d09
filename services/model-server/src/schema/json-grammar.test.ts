import { jsonGrammar } from './json-grammar';

/** The rule of a name, or what root refers to. */
const rules = (schema: unknown): Map<string, string> =>
  new Map(
    jsonGrammar(schema)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ::= ') as [string, string]),
  );
const rootOf = (schema: unknown): string => {
  const all = rules(schema);
  const root = all.get('root') ?? '';
  return all.get(root) ?? root;
};

describe('jsonGrammar', () => {
  it('writes members in the order of the schema, without white space', () => {
    const all = rules({
      type: 'object',
      properties: { b: { const: 1 }, a: { enum: ['x', 'y"'] } },
      required: ['a', 'b'],
    });
    const [b = '', comma, a = ''] = (all.get(all.get('root') ?? '') ?? '').slice(4, -4).split(' ');
    expect(comma).toBe('","');
    expect(all.get(b)).toBe(String.raw`"\"b\":" "1"`);
    const choice = all.get(a)?.split(' ').at(-1) ?? '';
    expect(all.get(choice)).toBe(String.raw`"\"x\"" | "\"y\\\"\""`);
  });

  it('bounds strings and lists', () => {
    expect(rootOf({ type: 'string', minLength: 1, maxLength: 20 })).toBe(String.raw`"\"" char{1} char{0,19} "\""`);
    expect(rootOf({ type: 'array', maxItems: 0, items: { type: 'string' } })).toBe('"[]"');
    expect(rootOf({ type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 })).toMatch(
      /^"\[" boolean r\d+\{1\} r\d+\{0,1\} "\]"$/,
    );
  });

  it('puts long strings together, since llama.cpp bounds each repetition', () => {
    const grammar = jsonGrammar({ type: 'string', maxLength: 2500 });
    const counts = [...grammar.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, count]) => Number(count));
    expect(Math.max(...counts)).toBeLessThanOrEqual(1000);
    expect(counts).toContain(500);
  });

  it('writes the same part once', () => {
    const one = { type: 'string', maxLength: 5 };
    const grammar = jsonGrammar({ type: 'object', properties: { a: one, b: one }, required: ['a', 'b'] });
    expect(grammar.match(/char\{0,5\}/g)).toHaveLength(1);
  });

  it.each([
    [{ type: 'array', items: { enum: [] } }, /no value at all/],
    [{ type: 'thing' }, /does not have: thing/],
    [{ type: 'integer', minimum: 5, maximum: 4 }, /hold none/],
    [{ type: 'string', minLength: 5, maxLength: 4 }, /more of something than it allows/],
    [{ $ref: 'https://example.org/schema' }, /another document/],
    [{ $ref: '#/$defs/none' }, /does not hold/],
    [{ type: 'object', properties: { a: {} }, required: ['b'] }, /does not describe: b/],
    [{ type: 'string', maxLength: 1e6 }, /above 100000/],
    [{ allOf: [{ type: 'string' }], anyOf: 3, properties: 4, items: null, type: 7 }, null],
  ])('%j is refused or understood', (schema, message) => {
    if (message === null) expect(jsonGrammar(schema)).toContain('root ::=');
    else expect(() => jsonGrammar(schema)).toThrow(message);
  });
});
