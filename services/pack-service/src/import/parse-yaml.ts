import { Composer, CST, isMap, isNode, isPair, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import type { Document, ParsedNode } from 'yaml';
import type { Finding } from '@parley/shared/contracts';
import { finding, type Place } from './finding';

/** Caps of one file. They are looked at before anything that costs more than linear time sees the text. */
export const YAML_MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 60_000;
const MAX_NODES = 10_000;
const MAX_DEPTH = 24;

/** Keys that mean something to JavaScript's objects: never data. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A YAML file that parsed, with the way back from a member to its place in the text. */
export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** Place of the value at `path`, or of the nearest thing around it that exists. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** Place of the last key of `path`. */
  placeOfKey(path: readonly PropertyKey[]): Place;
}

export type YamlResult =
  | { readonly document: YamlDocument; readonly findings: readonly Finding[] }
  | { readonly document: null; readonly findings: readonly Finding[] };

const failed = (findings: Finding[]): YamlResult => ({ document: null, findings });

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
function checkTokens(file: string, text: string, lines: LineCounter): Finding[] {
  const findings: Finding[] = [];
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
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
    else if (type === 'directive-line' && !/^%YAML\s+1\.2\s*$/.test(lexeme.replace(/\s#.*$/, '')))
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

/** The parser's own words, as a sentence. */
const syntaxMessage = (text: string): string =>
  `${(text.split('\n')[0] ?? 'This is not YAML').replace(/[.:\s]+$/, '')}.`;

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

function locator(
  document: Document.Parsed,
  at: (offset: number) => Place,
): Pick<YamlDocument, 'placeOf' | 'placeOfKey'> {
  const walk = (path: readonly PropertyKey[], keyOfLast: boolean): Place => {
    let node: unknown = document.contents;
    let place = at((document.contents as ParsedNode | null)?.range?.[0] ?? 0);
    for (const [index, part] of path.entries()) {
      const last = index === path.length - 1;
      if (isMap(node)) {
        const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === part);
        if (pair === undefined) break;
        const keyStart = isNode(pair.key) ? pair.key.range?.[0] : undefined;
        if (keyStart !== undefined) place = at(keyStart);
        node = pair.value;
        const valueStart = isNode(node) ? node.range?.[0] : undefined;
        // A missing value has no place of its own: its key is what a person must look at.
        if (last && !keyOfLast && valueStart !== undefined && !(isScalar(node) && node.value === null))
          place = at(valueStart);
      } else if (isSeq(node) && typeof part === 'number') {
        node = node.items[part];
        const start = isNode(node) ? node.range?.[0] : undefined;
        if (start === undefined) break;
        place = at(start);
      } else break;
    }
    return place;
  };
  return { placeOf: (path) => walk(path, false), placeOfKey: (path) => walk(path, true) };
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

  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) lines.addNewLine(index + 1);
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const forbidden = checkTokens(file, text, lines);
  if (forbidden.length > 0) return failed(forbidden);
  const tokens = [...new Parser().parse(text)];
  const complexity = tooComplex(tokens);
  if (complexity !== null)
    return failed([
      finding({ rule: 'yaml.too-complex', file, message: complexity, hint: 'Split it into several files.' }),
    ]);

  const composer = new Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: true, strict: true });
  const documents = [...composer.compose(tokens, true, text.length)];
  const [document] = documents;
  if (document === undefined || document.contents === null)
    return failed([finding({ rule: 'yaml.syntax', file, message: 'The file is empty.' })]);
  if (documents.length > 1)
    return failed([
      finding({
        rule: 'yaml.multiple-documents',
        file,
        place: at(documents[1]?.range[0] ?? 0),
        message: 'The file holds more than one document.',
        hint: 'Keep one document; leave out the line with ---.',
      }),
    ]);
  const findings = document.errors.map((error) =>
    finding({
      rule: error.code === 'DUPLICATE_KEY' ? 'yaml.duplicate-key' : 'yaml.syntax',
      file,
      place: at(error.pos[0]),
      message: error.code === 'DUPLICATE_KEY' ? 'This key is there twice.' : syntaxMessage(error.message),
      hint:
        error.code === 'DUPLICATE_KEY'
          ? 'Keep one of the two.'
          : 'Check indentation, colons and quotes near this place.',
    }),
  );
  findings.push(...checkKeys(file, document.contents, at));
  if (findings.length > 0) return failed(findings);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return { document: { file, value, ...locator(document as Document.Parsed, at) }, findings: [] };
}
