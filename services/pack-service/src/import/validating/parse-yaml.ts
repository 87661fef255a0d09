import { Composer, CST, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser, type Document } from 'yaml';
import type { Finding } from '@parley/shared/contracts';
import { findControlCharacters } from './control-characters';
import { finding, type Place } from './finding';
import { FORBIDDEN_KEYS, readPlainYaml } from './read-plain-yaml';
import { readSyntaxErrors } from './syntax-findings';
import { keysAt, placesOf, type YamlPlaces } from './yaml-places';

/** Caps of one file. They are looked at before anything that costs more than linear time sees the text. */
export const YAML_MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 60_000;
const MAX_NODES = 10_000;
const MAX_DEPTH = 24;
/** How often a text is mended and read again: slips behind slips are found, and a wrecked file costs little. */
const MAX_READINGS = 4;

/** A YAML file that parsed, with the way back from a member to its place in the text. */
export interface YamlDocument extends YamlPlaces {
  readonly file: string;
  readonly value: unknown;
  /** Members whose text was not read as it was written: the findings say so, and nothing else can be said of them. */
  readonly slips: readonly (readonly PropertyKey[])[];
}

/** What came of a file. */
export interface YamlResult {
  /** null when anything is wrong. */
  readonly document: YamlDocument | null;
  readonly findings: readonly Finding[];
  /** The document, or what is left of it where the findings name slips that leave the rest legible. */
  readonly readable: YamlDocument | null;
  /** The texts of the top level that could be read, by member, when nothing is readable as a whole. */
  readonly legible: Readonly<Record<string, string>>;
}

const failed = (findings: readonly Finding[], contents?: unknown): YamlResult => ({
  document: null,
  readable: null,
  findings,
  legible: isMap(contents)
    ? Object.fromEntries(
        contents.items.flatMap(({ key, value }) =>
          isScalar(key) && isScalar(value) && typeof value.value === 'string' ? [[String(key.value), value.value]] : [],
        ),
      )
    : {},
});

/** The text of a file: UTF-8 without the byte order mark, or null when it is something else. */
export function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Looks at the tokens alone, in linear time: what a pack may not use, and whether the rest is small enough to parse. */
function checkTokens(file: string, text: string, at: (offset: number) => Place): Finding[] {
  const findings: Finding[] = [];
  let offset = 0;
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar') continue;
    if (++tokens > MAX_TOKENS) {
      findings.push(
        finding({
          rule: 'yaml.too-complex',
          file,
          place: at(offset),
          message: `The file has more than ${MAX_TOKENS} tokens.`,
          hint: 'Split it into several files.',
        }),
      );
      return findings;
    }
    if (type === 'anchor' || type === 'alias')
      findings.push(
        finding({
          rule: 'yaml.alias-limit',
          file,
          place: at(offset),
          message: `Anchors and aliases are not allowed (${lexeme}).`,
          hint: 'Write the value out where it is used.',
        }),
      );
    else if (type === 'tag')
      findings.push(
        finding({
          rule: 'yaml.tag',
          file,
          place: at(offset),
          message: `Tags are not allowed (${lexeme}).`,
          hint: 'Leave the tag out; put text in quotes.',
        }),
      );
    else if (type === 'directive-line' && !/^%YAML\s+1\.2\s*$/.test(lexeme.replace(/\s#.*/, '')))
      findings.push(
        finding({
          rule: 'yaml.directive',
          file,
          place: at(offset),
          message: 'The only directive that is allowed is %YAML 1.2.',
          hint: 'Leave the line out.',
        }),
      );
    if (findings.length >= 50) return findings;
    offset += lexeme.length;
  }
  return findings;
}

/** The concrete syntax tree of a text. */
const parsed = (text: string): CST.Token[] => [...new Parser().parse(text)];

/** The documents of a text, from its concrete syntax tree. */
function composed(tokens: readonly CST.Token[], length: number): Document.Parsed[] {
  const composer = new Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: true, strict: true });
  return [...composer.compose(tokens, true, length)];
}

/** The contents of the one document of a text that was parsed before. */
const parsedAgain = (text: string): unknown => composed(parsed(text), text.length)[0]?.contents ?? null;

/** Makes a line and a column of an offset; the lines are counted by the first question. */
function placeIn(text: string): (offset: number) => Place {
  let counted: LineCounter | null = null;
  const count = (): LineCounter => {
    const lines = new LineCounter();
    lines.addNewLine(0);
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
      lines.addNewLine(index + 1);
    return lines;
  };
  return (offset) => {
    const { line, col } = (counted ??= count()).linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
}

/** Counts nodes and depth in the concrete syntax tree, without recursion. */
function tooComplex(tokens: readonly CST.Token[]): string | null {
  const stack: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let nodes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (++nodes > MAX_NODES) return `The file has more than ${MAX_NODES} values.`;
    if (depth > MAX_DEPTH) return `The file is nested deeper than ${MAX_DEPTH} levels.`;
    if (token.type === 'document' && token.value !== undefined) stack.push({ token: token.value, depth });
    if ('items' in token)
      for (const item of token.items) {
        if (item.key) stack.push({ token: item.key, depth: depth + 1 });
        if (item.value) stack.push({ token: item.value, depth: depth + 1 });
      }
  }
  return null;
}

function checkKeys(file: string, node: unknown, at: (offset: number) => Place): Finding[] {
  if (isSeq(node)) return node.items.flatMap((item) => checkKeys(file, item, at));
  if (!isMap(node)) return [];
  return node.items.flatMap((pair) => {
    const key = isScalar(pair.key) ? pair.key : null;
    const inner = checkKeys(file, pair.value, at);
    const place = at(isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
    if (key === null || typeof key.value !== 'string')
      return [
        finding({ rule: 'yaml.key', file, place, message: 'A key must be text.', hint: 'Put the key in quotes.' }),
        ...inner,
      ];
    if (key.value === '<<')
      return [
        finding({
          rule: 'yaml.merge-key',
          file,
          place,
          message: 'Merge keys (<<) are not allowed.',
          hint: 'Write the members out.',
        }),
        ...inner,
      ];
    if (FORBIDDEN_KEYS.has(key.value))
      return [
        finding({
          rule: 'yaml.forbidden-key',
          file,
          place,
          message: `The key ${key.value} is not allowed.`,
          hint: 'Choose another name.',
        }),
        ...inner,
      ];
    return inner;
  });
}

/**
 * Parses one YAML file of a pack. Accepted is plain data: one document of YAML 1.2 (core schema) without anchors,
 * aliases, tags, merge keys or repeated keys, at most 256 KiB, 24 levels and 10,000 values. A byte order mark and a
 * `%YAML 1.2` directive are accepted.
 */
export function parseYaml(file: string, bytes: Buffer): YamlResult {
  if (bytes.length > YAML_MAX_BYTES)
    return failed([
      finding({
        rule: 'yaml.too-large',
        file,
        message: `The file is larger than ${YAML_MAX_BYTES / 1024} KiB.`,
        hint: 'Split it into several files.',
      }),
    ]);
  const text = decodeText(bytes);
  if (text === null)
    return failed([
      finding({ rule: 'yaml.syntax', file, message: 'The file is not UTF-8 text.', hint: 'Save it as UTF-8.' }),
    ]);

  const at = placeIn(text);
  const controls = findControlCharacters(file, text, at);
  const plain = controls.length > 0 ? null : readPlainYaml(text, { values: MAX_NODES, depth: MAX_DEPTH });
  if (plain !== null) {
    const document: YamlDocument = { file, value: plain, ...placesOf(text, parsedAgain, at), slips: [] };
    return { document, readable: document, findings: [], legible: {} };
  }
  const forbidden = [...controls, ...checkTokens(file, text, at)];
  if (forbidden.length > 0) return failed(forbidden);

  // A slip that can be mended in place hides nothing: the mended text is read for what else there is.
  const findings: Finding[] = [];
  const before: { lines: number[]; offsets: number[] } = { lines: [], offsets: [] };
  let reads = text;
  for (let reading = 1; ; reading += 1) {
    const tokens = parsed(reads);
    const complexity = tooComplex(tokens);
    if (complexity !== null)
      return failed([
        ...findings,
        finding({ rule: 'yaml.too-complex', file, message: complexity, hint: 'Split it into several files.' }),
      ]);
    const documents = composed(tokens, reads.length);
    const [document] = documents;
    if (document === undefined || document.contents === null)
      return failed([
        ...findings,
        finding({ rule: 'yaml.syntax', file, message: 'The file is empty.', hint: 'Write its members, or delete it.' }),
      ]);
    if (documents.length > 1)
      return failed([
        ...findings,
        finding({
          rule: 'yaml.multiple-documents',
          file,
          place: at(documents[1]?.range[0] ?? 0),
          message: 'The file holds more than one document.',
          hint: 'Keep one document; leave out the line with ---.',
        }),
      ]);
    const { contents } = document;
    // A key that is there twice stays so in the mended text: once said is enough.
    const errors = document.errors.filter(
      ({ code, pos }) => code !== 'DUPLICATE_KEY' || !before.offsets.includes(pos[0]),
    );
    if (errors.length > 0) {
      const {
        findings: found,
        mended,
        offsets,
        lines: told,
      } = readSyntaxErrors(file, reads, errors, contents, at, before);
      // What only the mended text brings up, and is not understood, may come of the mending.
      if (reading === 1 || mended !== null) findings.push(...found);
      before.offsets.push(...offsets);
      before.lines.push(...told);
      if (mended === null || reading === MAX_READINGS) return failed(findings, contents);
      reads = mended;
      continue;
    }
    const keys = checkKeys(file, contents, at);
    if (keys.length > 0) return failed([...findings, ...keys], contents);
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    const read: YamlDocument = {
      file,
      value,
      ...placesOf(reads, parsedAgain, at),
      slips: before.offsets.map((offset) => keysAt(contents, offset)),
    };
    return { document: findings.length === 0 ? read : null, readable: read, findings, legible: {} };
  }
}
