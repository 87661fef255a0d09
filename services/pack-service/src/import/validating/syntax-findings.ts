import { isCollection, isMap, isScalar, visit, type Node, type Pair, type YAMLMap, type YAMLParseError } from 'yaml';
import type { Finding } from '@parley/shared/contracts';
import { finding, type Place } from './finding';

/** What was mended in a text. */
export interface Mended {
  /** Where the lines begin of which something was said. */
  readonly lines: readonly number[];
  /** Where the texts begin that were mended: what is read there is not what the author wrote. */
  readonly offsets: readonly number[];
}

/** What the parser complained of, in words that say what to write. */
export interface SyntaxReading extends Mended {
  readonly findings: readonly Finding[];
  /**
   * The text mended where it is clear what was meant, as long as before, so that places stay true: the rest of the file
   * can then be checked too. null when it is not clear.
   */
  readonly mended: string | null;
}

interface Piece {
  readonly message: string;
  readonly hint: string | null;
  readonly rule?: string;
  /** Where the text begins that was not taken as it was meant. */
  readonly begins: number;
  /** What to put where, so that the rest can be read; null: it is not clear what was meant. */
  readonly mend: { readonly from: number; readonly by: string } | null;
}

const MAX_QUOTED = 80;
/** A file with more errors than this is no slip: the first ones are enough to begin with. */
const MAX_ERRORS = 50;
/** Stands for a colon where a text holds one: as long, and of no meaning to YAML. */
const COLON = '\uA789';

/** A text as it must be written so that YAML takes it as one; null when it is too long to be shown. */
export function inQuotes(text: string): string | null {
  if (text.length > MAX_QUOTED || text.includes('\n')) return null;
  return /["\\]/.test(text) ? `'${text.replace(/'/g, "''")}'` : `"${text}"`;
}

const write = (text: string, otherwise: string): string => {
  const quoted = inQuotes(text);
  return quoted === null ? otherwise : `Write ${quoted}.`;
};

const lineEnd = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
};
const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** A plain text that holds `: ` is a key with a value to YAML. */
function textWithColon(text: string, error: YAMLParseError): Piece | null {
  const [from, to] = error.pos;
  const inFlow = error.code === 'BLOCK_IN_FLOW';
  if (/[[\]{}?\-|>&*!]/.test(text.charAt(from))) return null;
  const colon = /:(?=\s|$)/g;
  colon.lastIndex = from;
  const first = colon.exec(text)?.index;
  if (first === undefined || (inFlow && first >= to)) return null;
  const end = inFlow ? to : lineEnd(text, first);
  const meant = text.slice(from, end).replace(/ #.*$/, '').trimEnd();
  return {
    message: 'A text with ": " in it needs quotes.',
    hint: write(meant, 'Put the whole text in quotes.'),
    begins: from,
    mend: { from, by: text.slice(from, end).replace(/:(?=\s|$)/g, COLON) },
  };
}

/** The nodes of a text by where they stand: made once for all of its errors. */
interface Nodes {
  /** Texts in quotes, lists and maps in brackets. */
  readonly closed: readonly { readonly start: number; readonly end: number; readonly quoted: boolean }[];
  /** The map of a key, by where the key begins. */
  readonly maps: ReadonlyMap<number, YAMLMap>;
}

const startOfKey = (pair: Pair): number | undefined => (isScalar(pair.key) ? pair.key.range?.[0] : undefined);

function nodesOf(contents: unknown): Nodes {
  const closed: { start: number; end: number; quoted: boolean }[] = [];
  const maps = new Map<number, YAMLMap>();
  visit(contents as Node, (_key, node) => {
    if (!isScalar(node) && !isCollection(node)) return;
    const [start = 0, end = 0] = node.range ?? [];
    const quoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
    if (quoted || (isCollection(node) && node.flow === true)) closed.push({ start, end, quoted });
    if (isMap(node)) for (const pair of node.items) maps.set(startOfKey(pair) ?? -1, node);
  });
  return { closed, maps };
}

/** What goes on after a text in quotes, a list or a map has ended on the same line. */
function textAfterEnd(text: string, error: YAMLParseError, { closed }: Nodes): Piece | null {
  const [from, to] = error.pos;
  const ended = text.slice(0, from).trimEnd().length;
  const before = closed.find(({ end }) => end === ended);
  if (before === undefined) return null;
  const { start, end, quoted } = before;
  const whole = text.slice(start, to).trimEnd();
  const mend = { from, by: text.slice(from, to).replace(/[^\n]/g, ' ') };
  if (!quoted)
    return {
      message: `A text that begins with ${text.charAt(start)} needs quotes.`,
      hint: write(whole, 'Put the whole text in quotes.'),
      begins: start,
      mend,
    };
  const rest = text.slice(from, to).trim();
  const first = text.slice(start, end);
  const [mark = '"'] = first;
  const shown = first.length > MAX_QUOTED ? `${first.slice(0, MAX_QUOTED)}…` : first;
  const meant = whole.length > 2 && whole.endsWith(mark) ? whole.slice(1, -1) : whole;
  return {
    message: `The text ends at the second quote: ${shown}.`,
    hint: /\w/.test(rest)
      ? write(meant, 'Put the whole text in quotes of the other kind.')
      : `Leave out what follows: ${rest}`,
    begins: start,
    mend,
  };
}

function repeatedKey(error: YAMLParseError, { maps }: Nodes, at: (offset: number) => Place): Piece | null {
  const [from] = error.pos;
  const items = maps.get(from)?.items ?? [];
  const repeated = items.find((pair) => startOfKey(pair) === from)?.key;
  if (!isScalar(repeated)) return null;
  const first = items.find((pair) => isScalar(pair.key) && pair.key.value === repeated.value);
  const { line } = at((first && startOfKey(first)) ?? from);
  return {
    rule: 'yaml.duplicate-key',
    message: `The key ${String(repeated.value).slice(0, MAX_QUOTED)} is there twice: it stood first in line ${line}.`,
    hint: 'Keep one of the two.',
    begins: from,
    mend: { from, by: '' },
  };
}

/** The parser's own words, as a sentence. */
const asSentence = (message: string): string =>
  `${(message.split('\n')[0] ?? 'This is not YAML').replace(/(?<![.:\s])[.:\s]+$/, '')}.`;

function pieceOf(text: string, error: YAMLParseError, nodes: Nodes, at: (offset: number) => Place): Piece {
  const known =
    error.code === 'DUPLICATE_KEY'
      ? repeatedKey(error, nodes, at)
      : error.code === 'BLOCK_AS_IMPLICIT_KEY' || error.code === 'BLOCK_IN_FLOW'
        ? textWithColon(text, error)
        : error.code === 'UNEXPECTED_TOKEN'
          ? textAfterEnd(text, error, nodes)
          : null;
  return (
    known ?? {
      message: asSentence(error.message),
      hint: 'Check indentation, colons and quotes near this place.',
      begins: error.pos[0],
      mend: null,
    }
  );
}

/** Lines that begin with a tab and that the parser stumbled over, by their first offset. */
function tabLines(text: string, errors: readonly YAMLParseError[]): number[] {
  const starts = errors
    .filter((error) => error.code !== 'DUPLICATE_KEY')
    .map((error) => lineStart(text, error.pos[0]))
    .filter((start) => /^ {0,200}\t/.test(text.slice(start, start + 202)));
  return [...new Set(starts)].sort((a, b) => a - b);
}

function tabFinding(file: string, text: string, lines: readonly number[], at: (offset: number) => Place): Finding {
  const [first = 0, ...more] = lines;
  const numbers = more.map((start) => at(start).line);
  const others =
    numbers.length === 0
      ? ''
      : numbers.length <= 3
        ? `, and so ${numbers.length === 1 ? 'does line' : 'do lines'} ${numbers.join(', ')}`
        : `, and so do ${numbers.length} more`;
  return finding({
    rule: 'yaml.syntax',
    file,
    place: at(text.indexOf('\t', first)),
    message: `This line begins with a tab${others}.`,
    hint: 'Indent with spaces: YAML does not count a tab.',
  });
}

/**
 * Says what the parser's errors mean: one finding a slip. What is wrong on the same line as something reported, and what
 * comes behind a tab, follows from it and is left out.
 * @param before what was mended already. An error on such a line is the same slip, further on in its text; where it is
 * not, it comes of the mending.
 */
export function readSyntaxErrors(
  file: string,
  text: string,
  all: readonly YAMLParseError[],
  contents: unknown,
  at: (offset: number) => Place,
  before: Mended,
): SyntaxReading {
  const errors = [...all].sort((a, b) => a.pos[0] - b.pos[0]).slice(0, MAX_ERRORS);
  const findings: Finding[] = [];
  const offsets: number[] = [];
  let mended: string | null = text;
  const tabs = tabLines(text, errors);
  const [firstTab = Infinity] = tabs;
  if (tabs.length > 0) {
    findings.push(tabFinding(file, text, tabs, at));
    for (const start of tabs) {
      const indent = /^[ \t]*/.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '';
      mended = `${mended.slice(0, start)}${' '.repeat(indent.length)}${mended.slice(start + indent.length)}`;
    }
  }
  const nodes = nodesOf(contents);
  const told = new Set<number>(tabs);
  for (const error of errors) {
    const [from] = error.pos;
    const start = lineStart(text, from);
    const again = before.lines.includes(start);
    if (again && !before.offsets.includes(from)) mended = null;
    if ((again && mended === null) || from >= firstTab || (told.has(start) && error.code !== 'DUPLICATE_KEY')) continue;
    told.add(start);
    const piece = pieceOf(text, error, nodes, at);
    if (!again)
      findings.push(
        finding({ rule: piece.rule ?? 'yaml.syntax', file, place: at(from), message: piece.message, hint: piece.hint }),
      );
    if (piece.mend === null) mended = null;
    else if (mended !== null) {
      const { from: begin, by } = piece.mend;
      mended = `${mended.slice(0, begin)}${by}${mended.slice(begin + by.length)}`;
      offsets.push(piece.begins);
    }
  }
  return { findings, mended, offsets, lines: [...told] };
}
