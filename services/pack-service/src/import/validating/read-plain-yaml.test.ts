import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { readPlainYaml } from './read-plain-yaml';

const CAPS = { values: 10_000, depth: 24 };
const PACKS = path.resolve(__dirname, '..', '..', '..', '..', '..', 'packs');
const FILES = readdirSync(PACKS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, readFileSync(path.join(PACKS, name), 'utf8')] as const);

/** What the parser that explains makes of a text; null when it has anything to explain. */
function explained(text: string): unknown {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    strict: true,
  });
  return document.errors.length === 0 ? document.toJS({ maxAliasCount: 0 }) : null;
}

/** Numbers from 0 to 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** What a hand slips into a file, and what YAML has that packs mostly do not. */
const SLIPS = [
  ' ', '  ', ':', ': ', '\n', '\n  ', '- ', '-', '"', "'", '#', ' #', '{', '}', '[', ']', ', ', '|', '|-', '>', '>+', '? ', '& ', '*a',
  '! ', '!!str ', '%', '\t', '0', '0x1F', '0o17', '1_000', '.inf', '-.5', '+12', '1e3', '12.', '~', 'Null', 'TRUE', 'yes', '010', '-0',
  '.nan', '\\', '\\x41', '---\n', '...\n', '\r\n', '\ufeff', '\u00a0', '\u2028', '<<: {a: 1}\n', '__proto__: 1\n', '1: a\n', '@x', '`',
]; // prettier-ignore

/** Some lines of a file with up to three slips in them. */
function slipped(text: string, next: () => number): string {
  const pick = (below: number): number => Math.floor(next() * below);
  const lines = text.split('\n');
  const first = pick(lines.length);
  let some = `${lines.slice(first, first + 1 + pick(15)).join('\n')}\n`;
  for (let slips = pick(4); slips > 0; slips -= 1) {
    const at = pick(some.length + 1);
    some =
      next() < 0.3
        ? some.slice(0, at) + some.slice(at + 1)
        : some.slice(0, at) + SLIPS[pick(SLIPS.length)] + some.slice(at);
  }
  return some;
}

describe('the quick reading of a YAML file', () => {
  it.each(FILES)('reads %s as the parser that explains does', (_, text) => {
    expect(readPlainYaml(text, CAPS)).toEqual(explained(text));
  });

  it('agrees with the parser that explains on every text that it reads, or leaves it to that one', () => {
    const next = numbersFrom(20_261_123);
    let read = 0;
    for (let round = 0; round < 6_000; round += 1) {
      const [, text] = FILES[round % FILES.length] ?? ['', ''];
      const some = slipped(text, next);
      const value = readPlainYaml(some, CAPS);
      if (value === null) continue;
      read += 1;
      expect({ some, value }).toEqual({ some, value: explained(some) });
    }
    expect(read).toBeGreaterThan(500);
  });

  it.each([
    ['an anchor', 'a: &b 1'],
    ['an alias', 'a: *b'],
    ['a tag', 'a: !!str 1'],
    ['a merge key', '<<: { a: 1 }'],
    ['a key that means something to JavaScript', 'a: { __proto__: 1 }'],
    ['a key that is no text', '1: a'],
    ['a key that is there twice', 'a: 1\na: 2'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['a directive', '%YAML 1.2\n---\na: 1'],
    ['a list', '- a'],
    ['a single text', 'a'],
    ['nothing', '# only a comment'],
    ['a tab', 'a:\t1'],
    ['too many values', `a: [${'1, '.repeat(CAPS.values)}1]`],
    ['too deep a nesting', `a: ${'['.repeat(CAPS.depth)}1${']'.repeat(CAPS.depth)}`],
    ['a quote that is never closed', 'a: "b'],
  ])('leaves %s to the parser that explains', (_, text) => {
    expect(readPlainYaml(text, CAPS)).toBeNull();
  });
});
