import { embeddedObjects, repairedObject, strictObjectIn } from './find-object';

describe('strictObjectIn', () => {
  it.each([['[1]'], ['null'], ['"a"'], ['3'], ['{"a":1'], ['{"a":1} b'], ['']])('is null for %j', (text) => {
    expect(strictObjectIn(text)).toBeNull();
  });

  it('is the object', () => {
    expect(strictObjectIn(' {"a":[1]} ')).toEqual({ a: [1] });
  });
});

describe('embeddedObjects', () => {
  it.each<[string, object[]]>([
    ['{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['so } {"a":1} and', [{ a: 1 }]],
    ['he said "so {" and {"a":1}', []],
    ['"quoted" {"a":1}', [{ a: 1 }]],
    ['one " mark {"a":1}', [{ a: 1 }]],
    ['{"a":"}"} {"b":"{"}', [{ a: '}' }, { b: '{' }]],
    ['{"a":"\\"}"} {"b":2}', [{ a: '"}' }, { b: 2 }]],
    ['{"a":"\\\\"} {"b":2}', [{ a: '\\' }, { b: 2 }]],
    ['{"a":{"b":{}}} x', [{ a: { b: {} } }]],
    ['{smiles} {"a":1}', [{ a: 1 }]],
    ['{"a":1', []],
    ['', []],
  ])('finds in %j', (text, objects) => {
    expect([...embeddedObjects(text)]).toEqual(objects);
  });
});

describe('repairedObject', () => {
  it.each<[string, object | null]>([
    ['{"a":"one, two', { a: 'one, two' }],
    ['{"a":"one, two"', { a: 'one, two' }],
    ['{"a":"say \\"so\\", two', { a: 'say "so", two' }],
    ['{"a":"back \\\\", "b":"c, d', { a: 'back \\', b: 'c, d' }],
    ['{"a":"x, y\\', { a: 'x, y' }],
    ['{"a":"x, y\\u', { a: 'x, y' }],
    ['{"a":"x, y\\u00e', { a: 'x, y' }],
    ['{"a":"x, y\\u00e9', { a: 'x, yé' }],
    ['{"a":"x, y\\\\', { a: 'x, y\\' }],
    ['{"a":"x, y\\\\\\', { a: 'x, y\\' }],
    ['{"a":"x\\ty, z', { a: 'x\ty, z' }],
    ['prose {"a":1,}', { a: 1 }],
    ['```json\n{"a":1,}\n```', { a: 1 }],
    ['{"a":1,}```  \n', { a: 1 }],
    ['{"a":"``` in it",}', { a: '``` in it' }],
    ['{"a":1,}\n{"b":2}', { a: 1 }],
    ['no brace', null],
    ['[1, 2', null],
  ])('makes %j whole', (text, object) => {
    expect(repairedObject(text)).toEqual(object);
  });

  it('looks no further than 8,192 characters', () => {
    const said = repairedObject(`{"a":"${'x'.repeat(10_000)}"}`) as { a: string };
    expect(said.a).toHaveLength(8_192 - '{"a":"'.length);
  });

  it('leaves alone what has more than 300 quotation marks, which the library takes seconds for', () => {
    expect(repairedObject(`{"a":"${"'x".repeat(290)}`)).not.toBeNull();
    expect(repairedObject(`{"a":"${"'x".repeat(400)}`)).toBeNull();
  });
});
