import { parseYaml, YAML_MAX_BYTES } from './parse-yaml';

const parse = (text: string) => parseYaml('a.yaml', Buffer.from(text));
const rules = (text: string) => parse(text).findings.map((one) => one.rule);

describe('parsing the YAML of a pack', () => {
  it('gives the value and the place of every member', () => {
    const { document } = parse('title: One\nlist:\n  - {id: a, when: 3}\n  - id: b\n');
    expect(document?.value).toEqual({ title: 'One', list: [{ id: 'a', when: 3 }, { id: 'b' }] });
    expect(document?.placeOf(['title'])).toEqual({ line: 1, column: 8 });
    expect(document?.placeOf(['list', 0, 'when'])).toEqual({ line: 3, column: 19 });
    expect(document?.placeOfKey(['list', 1, 'id'])).toEqual({ line: 4, column: 5 });
    expect(document?.placeOf(['list', 1, 'missing'])).toEqual({ line: 4, column: 5 });
  });

  it('accepts a byte order mark and a %YAML 1.2 directive', () => {
    expect(parse('\uFEFF%YAML 1.2\n---\na: 1\n').document?.value).toEqual({ a: 1 });
  });

  it.each([
    ['an anchor and an alias', 'a: &x 1\nb: *x\n', ['yaml.alias-limit', 'yaml.alias-limit']],
    ['a tag', 'a: !!js/function x\n', ['yaml.tag']],
    ['a merge key', '<<: {a: 1}\n', ['yaml.merge-key']],
    ['a repeated key', 'a: 1\na: 2\n', ['yaml.duplicate-key']],
    ['two documents', 'a: 1\n---\nb: 1\n', ['yaml.multiple-documents']],
    ['a prototype key', '{"__proto__": {x: 1}}', ['yaml.forbidden-key']],
    ['the key constructor, nested', 'a:\n  - constructor: 1\n', ['yaml.forbidden-key']],
    ['a %TAG directive', '%TAG ! tag:x,2000:\n---\na: 1\n', ['yaml.directive']],
    ['YAML 1.1', '%YAML 1.1\n---\na: yes\n', ['yaml.directive']],
    ['a list as key', '? [a]\n: 1\n', ['yaml.key']],
    ['broken flow', 'a: [1, 2\nb: 3\n', expect.arrayContaining(['yaml.syntax'])],
    ['an empty file', '', ['yaml.syntax']],
    ['more than 256 KiB', `a: ${'x'.repeat(256 * 1024)}`, ['yaml.too-large']],
    ['deep flow nesting', '['.repeat(20_000), ['yaml.too-complex']],
    ['deep block nesting on one line', '- '.repeat(20_000), ['yaml.too-complex']],
  ])('refuses %s', (_name, text, expected) => {
    expect(parse(text).document).toBeNull();
    expect(rules(text)).toEqual(expected);
  });

  it('refuses bytes that are no UTF-8 and text with a NUL', () => {
    expect(parseYaml('a.yaml', Buffer.from([0x61, 0x3a, 0x20, 0xff])).findings[0]?.rule).toBe('yaml.syntax');
    expect(rules('a: "\0"')).toEqual(['yaml.syntax']);
  });

  it('says where an error is', () => {
    expect(parse('a: 1\nb: 2\n\na: 3\n').findings[0]).toMatchObject({ line: 4, column: 1, severity: 'error' });
  });

  it('reads yes and no as text, and 0o17 as a number, as YAML 1.2 says', () => {
    expect(parse('a: yes\nb: 0o17\n').document?.value).toEqual({ a: 'yes', b: 15 });
  });

  it('names so many errors of a file that is not YAML, and no more', () => {
    const broken = Array.from({ length: 2_000 }, (_, index) => `k${index}: "a" b\n`).join('');
    const { findings, readable } = parse(broken);
    expect(findings).toHaveLength(200);
    expect(readable).toBeNull();
  });

  it('answers a map of tens of thousands of keys without looking at each pair of them', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(keys.length).toBeLessThan(YAML_MAX_BYTES);
    expect(rules(keys)).toEqual(['yaml.too-complex']);
  });
});
